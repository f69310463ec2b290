"""``cpmines analyse``: the page in every format, bad input, exit codes."""

from __future__ import annotations

import json
import re
from io import StringIO
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from cpmines.analysis.analyser import analyse
from cpmines.analysis.analysis import Analysis
from cpmines.report.analysis import html, svg, text
from cpmines.report.drawing.scale import STOPS, colour, count_text, ink, percent
from tests.cli.conftest import Cpmines

BOARD = b"4 6 5\n...1..\n.3.2..\n..*1..\n......\n"
UNCERTAIN = b"3 5 3\n.....\n12221\n00000\n"


def analysed(board: bytes = BOARD) -> Analysis:
    found = analyse(board)
    assert found is not None
    return found


def test_text(cpmines: Cpmines) -> None:
    result = cpmines("analyse", stdin=UNCERTAIN)
    assert result.code == 0
    assert result.out == (
        "-: 3 x 5\n"
        "layouts       2\n"
        "mines         3, 3 in unknown cells\n"
        "unknown cells 5\n"
        "certain       0 safe, 1 mine\n"
        "safest        50 % at (1, 1), (1, 2), (1, 4), (1, 5)\n"
        "\n"
        "      1  2  3  4  5\n"
        "   1 50 50  m 50 50\n"
        "   2  1  2  2  2  1\n"
        "   3  ·  ·  ·  ·  ·\n"
        "\n"
        "s safe, m mine, two digits: chance of a mine in percent (01 to 99), one digit: a clue, · clue 0, "
        "* known mine\n"
        "\n"
        "components (width: binary logarithm of the largest table)\n"
        "5 cells, 5 clues, width 1\n"
    )


def test_numbers_agree_in_text_and_json(cpmines: Cpmines) -> None:
    found = analysed()
    lines = cpmines("analyse", stdin=BOARD).out.splitlines()
    rows = [line.split()[1:] for line in lines if re.match(r" +\d+ +\S", line)][1:]
    record = json.loads(cpmines("analyse", "--format", "json", stdin=BOARD).out)
    assert (record["schema"], record["problem"], record["status"]) == (1, "analysis", "solved")
    value = record["value"]
    assert value["count"] == str(found.count)
    assert value["by_mines"] == {"5": str(found.count)}
    assert len(rows) == len(value["cells"]) == 4
    for row in range(4):
        for col in range(6):
            chance, sign, state = value["probability"][row][col], rows[row][col], value["cells"][row][col]
            if chance is None:
                assert state in "123*"
                assert sign == state
            else:
                assert chance == found.probability[row, col]
                assert sign == {"s": "s", "m": "m"}.get(state, percent(chance))
    assert value["safest"] == [{"row": row, "col": col} for row, col in found.safest]


def test_total_and_density(cpmines: Cpmines) -> None:
    def count(*words: object, stdin: bytes = b"2 3 2\n.1.\n...\n") -> dict[str, object]:
        value: dict[str, object] = json.loads(cpmines("analyse", *words, "--format", "json", stdin=stdin).out)
        return value

    assert count()["status"] == "infeasible"
    assert "value" not in count()
    assert count("--mines", 1)["value"]["count"] == "5"  # type: ignore[index]
    at = count("--density", "1/4", stdin=b"1 4\n.1..\n")["value"]["probability"]  # type: ignore[index]
    assert at == [[0.5, None, 0.5, 0.25]]


def test_infeasible_is_an_answer(cpmines: Cpmines) -> None:
    for style in ("text", "html", "svg"):
        result = cpmines("analyse", "--format", style, stdin=b"2 3\n.1.\n.2.\n")
        assert (result.code, result.out) == (0, "-: infeasible, no layout of mines fits this board\n")


@pytest.mark.parametrize(
    ("words", "stdin", "message"),
    [
        ([], b"2 3\n.x.\n...\n", "-:2:2: found 'x', expected a clue 0-8"),
        ([], b"", "-:1: found the end of the input"),
        (["missing.txt"], b"", "missing.txt: found no such file"),
        (["--mines", 7], b"2 3\n...\n...\n", "7 mines, expected 0 to 6"),
        (["--mines", -1], BOARD, "'--mines'"),
        (["--density", 1], BOARD, "density 1, expected more than 0 and less than 1"),
        (["--density", "1/3/5"], BOARD, "density '1/3/5', expected a number such as 0.2 or 1/5"),
        (["--density", "1e-300000000"], BOARD, " of more than 1000 digits"),
        (["--density", 0.2], BOARD, "both a number of mines and a density"),
        (["--format", "pdf"], BOARD, "'--format'"),
        (["--time-limit", "nan"], BOARD, "'--time-limit'"),
        (["--time-limit", "1e300"], BOARD, "'--time-limit'"),
        (["-o", "/dev/null/x", "--format", "svg"], BOARD, "/dev/null/x"),
        (["--format", "html"], b"400 400\n" + 400 * (400 * b"." + b"\n"), "at most 100000 cells are drawn"),
    ],
)
def test_bad_input(cpmines: Cpmines, words: list[object], stdin: bytes, message: str) -> None:
    result = cpmines("analyse", *words, stdin=stdin)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_limits(cpmines: Cpmines) -> None:
    stdin = b"400 400\n" + 400 * (400 * b"." + b"\n")
    result = cpmines("analyse", "--memory-limit", 1, stdin=stdin)
    assert (result.code, result.out) == (3, "")


def test_a_folder_holds_one_board(cpmines: Cpmines, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(BOARD)
    assert cpmines("analyse", tmp_path).code == 0
    (tmp_path / "b.txt").write_bytes(BOARD)
    result = cpmines("analyse", tmp_path)
    assert result.code == 2
    assert "holds 2 boards, expected one" in result.err


def test_svg(cpmines: Cpmines, tmp_path: Path) -> None:
    assert cpmines("analyse", "--format", "svg", "-o", tmp_path / "a.svg", stdin=UNCERTAIN).code == 0
    found = analysed(UNCERTAIN)
    tree = ElementTree.parse(tmp_path / "a.svg")
    name = "{http://www.w3.org/2000/svg}"
    titles = [element.text for element in tree.iter(f"{name}title")]
    assert len(titles) == found.unknown.sum()
    expected = [
        f"row {row + 1}, column {col + 1}: {found.probability[row, col]:.6f}"
        for row, col in np.argwhere(found.unknown & (found.state == -1)).tolist()
    ]
    assert set(expected) <= set(titles)
    frames = [element for element in tree.iter(f"{name}rect") if element.get("class") == "framed"]
    assert len(frames) == len(found.safest) == 4


def test_html_stands_alone(cpmines: Cpmines) -> None:
    page = cpmines("analyse", "--format", "html", stdin=BOARD).out
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>\n")
    assert not re.search(r"""(src|href)\s*=|@import|url\(""", page)
    assert set(re.findall(r"https?://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "prefers-color-scheme: dark" in page
    assert "$" not in page


def test_names_are_escaped() -> None:
    for make in (html.document, svg.document):
        page = make('<b>"&', analysed())
        assert "<b>" not in page
        ElementTree.fromstring(svg.document('<b>"&', analysed()))


def test_a_board_without_total_has_a_table_of_mines() -> None:
    page = html.document("x", analysed(BOARD.replace(b"4 6 5", b"4 6")))
    assert "Layouts by mines" in page
    assert "Layouts by mines" not in html.document("x", analysed())


def test_a_board_too_wide_for_the_terminal_has_no_numbers() -> None:
    from rich.console import Console

    pages = []
    for width in (40, 20):
        console = Console(
            width=width, file=StringIO(), force_terminal=True, color_system="truecolor", record=True
        )
        console.print(text.page("x", analysed(), width))
        pages.append(console.export_text(clear=False))
        assert "48;2;" in console.export_text(styles=True)
    assert re.search(r" 2 +\w+ +3 ", pages[0])
    assert re.search(r"^\?3.2..$", pages[1], re.MULTILINE)


def test_colours_are_continuous_and_readable() -> None:
    shades = [colour(k / 1000) for k in range(1001)]
    assert (shades[0], shades[-1]) == (STOPS[0][1], STOPS[-1][1])
    for before, after in pairwise(shades):
        assert max(abs(a - b) for a, b in zip(before, after, strict=True)) <= 2

    def luminance(shade: tuple[int, int, int]) -> float:
        return sum(w * (part / 255) ** 2.2 for w, part in zip((0.2126, 0.7152, 0.0722), shade, strict=True))

    for shade in shades:
        light, dark = sorted((luminance(shade), luminance(ink(shade))), reverse=True)
        assert (light + 0.05) / (dark + 0.05) > 4


def test_numbers_in_words() -> None:
    assert [percent(chance) for chance in (0.001, 0.5, 0.999)] == ["01", "50", "99"]
    assert count_text(10**6) == "1,000,000"
    assert count_text(99999 * 10**30) == "1.000 × 10^35"
    assert count_text(123456 * 10**5000) == "1.235 × 10^5005"


def test_a_very_large_board_is_not_drawn(cpmines: Cpmines) -> None:
    result = cpmines("analyse", stdin=b"400 400\n" + 400 * (400 * b"0" + b"\n"))
    assert result.code == 0
    assert result.out.count("\n") < 20
    assert "boards of more than 100000 cells are not drawn" in result.out
