"""``cpmines table``: values, checkpoints, pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cpmines import registry
from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.problems.maxmines import periods, records
from cpmines.problems.maxmines.problem import Rectangle
from cpmines.problems.maxmines.table import TABLE
from tests.cli.conftest import Cpmines


def rows(text: str) -> dict[str, list[str]]:
    """The cells of each line of a table by its first cell."""
    return {words[0]: words[1:] for words in map(str.split, text.splitlines()) if words}


def test_values(cpmines: Cpmines) -> None:
    result = cpmines("table", "maxmines", "--max-side", 4, "--squares")
    assert result.code == 0
    assert rows(result.out)["4x4"][:8] == ["4", "6", "12", "12", "12", "12", "12", "12"]
    assert "2x3" not in result.out
    assert "4x4 M=3: 12 (frontier)" in result.err


def test_details_and_lines(cpmines: Cpmines) -> None:
    details = cpmines("table", "maxmines", "--max-side", 2, "--format", "details")
    assert "2x2   1      1  theorem" in details.out
    lines = cpmines("table", "maxmines", "--max-side", 2, "--format", "jsonl").out.splitlines()
    assert len(lines) == 24
    assert {json.loads(line)["M"] for line in lines} == set(range(1, 9))


def test_boards(cpmines: Cpmines) -> None:
    result = cpmines("table", "maxmines", "--max-side", 3, "--min-side", 3, "--format", "boards")
    assert result.code == 0
    first, _, rest = result.out.partition("\n\n")
    assert first == "3x3, M = 1: 1 mine\n*..\n...\n..."
    assert rest.count("mines") == 7


def test_a_checkpoint_is_taken_up(cpmines: Cpmines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "records.jsonl"
    assert cpmines("table", "maxmines", "--max-side", 2, "--checkpoint", file).code == 0
    assert len(file.read_text().splitlines()) == 24
    computed = []

    def spy(size: Rectangle, *_: object, **__: object) -> records.BoardRecord:
        computed.append(size)
        raise KeyboardInterrupt

    monkeypatch.setattr(records, "compute", spy)
    assert cpmines("table", "maxmines", "--max-side", 2, "--checkpoint", file).code == 0
    assert computed == []
    assert cpmines("table", "maxmines", "--max-side", 3, "--checkpoint", file).code == 130
    assert computed == [Rectangle(1, 3, 1)]
    assert len(file.read_text().splitlines()) == 24


def test_confirmation(cpmines: Cpmines, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    arguments = ("table", "maxmines", "--max-side", 3, "--checkpoint", file, "--confirm", "brute")
    first = cpmines(*arguments)
    assert first.code == 0
    assert first.out.splitlines()[-1].endswith("bound 1, brute 8, frontier 5, theorem 2")
    assert all("brute" in record.confirmed for record in records.read(file).values())
    again = cpmines(*arguments)
    assert again.err == ""
    more = cpmines(*arguments[:-1], "frontier:unbounded")
    assert more.code == 0
    assert "1x1 M=1: 0 (frontier:unbounded)" in more.err


def test_methods_that_differ_are_a_conflict(cpmines: Cpmines, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    worse = records.BoardRecord(2, 2, 3, 2, 2, "frontier", 1, 0.0, ("**", ".."))
    records.append(file, [worse])
    result = cpmines(
        *("table", "maxmines", "--min-side", 2, "--max-side", 2),
        *("--checkpoint", file, "--confirm", "brute"),
    )
    assert result.code == 1
    assert "2x2, M = 3: frontier says 2 to 2, brute 3" in result.err


def test_without_reductions_the_values_stay(cpmines: Cpmines) -> None:
    arguments = ("table", "maxmines", "--min-side", 5, "--max-side", 5)
    plain, without = (
        rows(cpmines(*arguments, *more).out)["5x5"]
        for more in ((), ("--without", "dominance", "--without", "meeting", "--without", "theorems"))
    )
    assert plain[:8] == without[:8]
    assert int(plain[8].replace(",", "")) < int(without[8].replace(",", ""))


def test_a_limit_is_said_and_tried_again(cpmines: Cpmines, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    arguments = ("table", "maxmines", "--min-side", 12, "--max-side", 12, "--bound", 4, "--checkpoint", file)
    limited = cpmines(*arguments, "--memory-limit", 1)
    assert limited.code == 3
    assert "M=4: 79 to " in limited.err
    assert cpmines(*arguments).code == 0


def test_workers_give_the_same_table(cpmines: Cpmines) -> None:
    one, two = (
        cpmines("table", "maxmines", "--max-side", 4, "--format", "jsonl", "--workers", n).out for n in (1, 2)
    )
    values = [[json.loads(line)["mines"] for line in text.splitlines()] for text in (one, two)]
    assert values[0] == values[1]


def test_pictures(cpmines: Cpmines, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    result = cpmines("table", "maxmines", "--max-side", 2, "--pictures", folder)
    assert result.code == 0
    assert "24 pictures" in result.err
    assert len(list(folder.iterdir())) == 24
    picture = ElementTree.fromstring((folder / "2x2_M3.svg").read_text())
    assert "2x2, M = 3: 3 mines" in "".join(picture.itertext())


def test_shipped_records_need_no_computing(cpmines: Cpmines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "compute", lambda *_, **__: 1 / 0)
    result = cpmines("table", "maxmines", "--max-side", 12, "--shipped")
    assert result.code == 0
    assert rows(result.out)["12x12"][:8] == ["16", "43", "76", "94", "114", "115", "120", "128"]
    assert result.err == ""


def test_boards_without_end(cpmines: Cpmines) -> None:
    result = cpmines("table", "maxmines", "--long", "--max-side", 2)
    assert result.code == 0
    assert "   2  3     9      4      5       5/8   0.6250" in result.out


def test_boards_without_end_of_one_side_and_bound(cpmines: Cpmines) -> None:
    result = cpmines("table", "maxmines", "--long", "--min-side", 2, "--max-side", 2, "--bound", 3)
    assert list(rows(result.out)) == ["maxmines:", "side", "2"]


def test_what_is_found_within_the_limit_is_shown(cpmines: Cpmines, monkeypatch: pytest.MonkeyPatch) -> None:
    real = periods.period

    def impatient(width: int, around: int, limits: Limits) -> periods.Period:
        if around == 3:
            raise LimitError(Stop.TIME_LIMIT)
        return real(width, around, limits)

    monkeypatch.setattr(periods, "period", impatient)
    result = cpmines("table", "maxmines", "--long", "--max-side", 2)
    assert result.code == 3
    assert "   1  2" in result.out


def test_one_bound_alone(cpmines: Cpmines) -> None:
    result = cpmines("table", "maxmines", "--squares", "--min-side", 5, "--max-side", 5, "--bound", 4)
    assert rows(result.out)["5x5"][0] == "16"


def test_a_worse_run_does_not_replace_what_is_known(cpmines: Cpmines, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    arguments = ("table", "maxmines", "--squares", "--min-side", 21, "--max-side", 21, "--bound", 4)
    best = records.compute(Rectangle(21, 21, 4), Limits())
    records.append(file, [replace(best, bound=300)])
    assert cpmines(*arguments, "--checkpoint", file, "--time-limit", 1).code == 3
    assert records.read(file)[best.size].bound == 300


def test_the_only_table_need_not_be_named(cpmines: Cpmines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "sound_problems", lambda: {"consistency": None, "maxmines": None})
    named, unnamed = (cpmines("table", *name, "--max-side", 2) for name in (["maxmines"], []))
    assert (unnamed.code, rows(unnamed.out)["2x2"][:8]) == (0, rows(named.out)["2x2"][:8])
    other = cpmines("table", "consistency")
    assert (other.code, other.out) == (2, "")
    assert "consistency keeps no table; there are: maxmines" in other.err


def test_a_table_of_several_is_named(cpmines: Cpmines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "room", lambda *_: TABLE)
    monkeypatch.setattr(registry, "sound_problems", lambda: {"one": None, "two": None})
    result = cpmines("table", "--max-side", 2)
    assert (result.code, result.out) == (2, "")
    assert "which table? there are: one, two" in result.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--bound", 9), "--bound 9, expected one of 1, 2, 3, 4, 5, 6, 7, 8"),
        (("--without", "luck"), "--without luck, expected one of dominance, bounds, meeting, theorems"),
    ],
)
def test_what_the_table_does_not_have_is_named(
    cpmines: Cpmines, words: tuple[object, ...], said: str
) -> None:
    assert said in cpmines("table", "maxmines", *words).err


@pytest.mark.parametrize(
    "arguments",
    [
        ("consistency",),
        ("nonsense",),
        ("maxmines", "--max-side", 0),
        ("maxmines", "--min-side", 5, "--max-side", 4),
        ("maxmines", "--bound", 9),
        ("maxmines", "--confirm", "published"),
        ("maxmines", "--confirm", "nonsense"),
        ("maxmines", "--confirm", "sat:nonsense"),
        ("maxmines", "--confirm", "direct"),
        ("maxmines", "--long", "--max-side", 9),
        ("maxmines", "--long", "--min-side", 3, "--max-side", 2),
        ("maxmines", "--long", "--squares"),
        ("maxmines", "--long", "--format", "jsonl"),
        ("maxmines", "--long", "--checkpoint", "records.jsonl"),
        ("maxmines", "--checkpoint", "/dev/null/records.jsonl"),
        ("maxmines", "--pictures", "/dev/null/pictures"),
    ],
)
def test_bad_usage(cpmines: Cpmines, arguments: tuple[object, ...]) -> None:
    result = cpmines("table", *arguments)
    assert (result.code, result.out) == (2, "")
    assert "standard output" not in result.err
    assert "Traceback" not in result.err


def test_a_damaged_checkpoint_is_named(cpmines: Cpmines, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text("nonsense\n")
    result = cpmines("table", "maxmines", "--max-side", 2, "--checkpoint", file)
    assert result.code == 2
    assert "records.jsonl:1: found a line that is no record" in result.err
