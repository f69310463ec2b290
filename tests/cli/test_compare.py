"""``cpmines compare``: agreement, conflicts, formats, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cpmines

VALID, WRONG = "3 3\n111\n1*1\n111\n", "2 3\n1*1\n12.\n"


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    folder = tmp_path / "validation"
    folder.mkdir()
    (folder / "valid.txt").write_text(VALID)
    (folder / "wrong.txt").write_text(WRONG)
    return folder


def test_agreement(cpmines: Cpmines, boards: Path) -> None:
    result = cpmines("compare", boards)
    assert result.code == 0
    assert result.out.endswith("agreement on 2 instances\n")
    for word in (
        "valid.txt",
        "wrong.txt",
        "direct",
        "cpsat",
        "sat",
        "brute",
        "2 wrong",
        "speed-up",
        "totals",
    ):
        assert word in result.out
    assert "published" not in result.out


def test_json_lines(cpmines: Cpmines, boards: Path) -> None:
    result = cpmines("compare", boards, "--backend", "direct", "--backend", "published", "--format", "jsonl")
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert [(Path(line["instance"]).name, line["backend"], line["value"]["valid"]) for line in lines] == [
        ("valid.txt", "direct", True),
        ("valid.txt", "published", True),
        ("wrong.txt", "direct", False),
        ("wrong.txt", "published", False),
    ]
    assert result.err.endswith("agreement on 2 instances\n")


def test_expected_answer_that_differs(cpmines: Cpmines, boards: Path) -> None:
    expected = {"instance": "valid.txt", "status": "solved", "value": {"valid": False}}
    (boards / "expected.jsonl").write_text(json.dumps(expected) + "\n")
    result = cpmines("compare", boards, "--backend", "direct")
    assert result.code == 1
    assert "CONFLICT on validation" in result.out
    assert "valid differs" in result.out
    assert "expected.jsonl says solved (valid False)" in result.out
    assert result.out.endswith("conflicts on 1 of 2 instances\n")
    result = cpmines("compare", boards, "--backend", "direct", "--format", "jsonl")
    assert result.code == 1
    conflict = next(line for line in map(json.loads, result.out.splitlines()) if "conflict" in line)
    assert conflict["conflict"] == "valid differs"
    assert [said["author"] for said in conflict["claims"]] == ["direct", "expected.jsonl"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("nonsense", "another line"),
        ("[]", "another line"),
        ('{"status": "solved"}', "another line"),
        ('{"instance": "valid.txt"}', "another line"),
        ('{"instance": "valid.txt", "status": "solvd"}', "another line"),
        ('{"instance": "valid.txt", "status": "solved", "value": 3}', "another line"),
        ('{"instance": "other.txt", "status": "solved"}', "an answer to other.txt"),
    ],
)
def test_damaged_expected_answers(cpmines: Cpmines, boards: Path, line: str, found: str) -> None:
    (boards / "expected.jsonl").write_text('{"instance": "valid.txt", "status": "solved"}\n' + line + "\n")
    result = cpmines("compare", boards, "--backend", "direct")
    assert result.code == 2
    assert f"expected.jsonl:2: found {found}, expected" in result.err
    assert result.out == "nothing was compared\n"


def test_brief(cpmines: Cpmines, boards: Path) -> None:
    result = cpmines("compare", boards, "--backend", "direct", "--backend", "brute", "--brief")
    assert "valid.txt" not in result.out
    assert [line.split()[:3] for line in result.out.splitlines()[3:5]] == [
        ["validation", "direct", "2/2"],
        ["validation", "brute", "2/2"],
    ]


def test_published_maxmines_is_caught_on_the_shipped_instances(cpmines: Cpmines) -> None:
    result = cpmines("compare", "--problem", "maxmines", "--backend", "direct", "--backend", "published")
    assert result.code == 1
    assert "mines differs" in result.out
    assert "direct says solved (mines 3)" in result.out
    assert "published says solved (mines 4)" in result.out


def test_bad_file_among_good_ones(cpmines: Cpmines, boards: Path) -> None:
    (boards / "broken.txt").write_text("2 2\n")
    result = cpmines("compare", boards, "--backend", "direct", "--backend", "published")
    assert result.code == 2
    assert "broken.txt:2: found the end of the input" in result.err
    assert result.out.endswith("agreement on 2 instances\n")


def test_one_answer_alone_is_no_agreement(cpmines: Cpmines, boards: Path) -> None:
    words = ("compare", boards, "--backend", "direct")
    alone = "agreement on 2 instances, {} with one answer alone, compared with nothing\n"
    assert cpmines(*words).out.endswith(alone.format(2))
    (boards / "expected.jsonl").write_text('{"instance": "valid.txt", "status": "solved", "value": {}}\n')
    assert cpmines(*words).out.endswith(alone.format(1))


def test_no_answer(cpmines: Cpmines, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("2 3\n.1.\n.2.\n")
    result = cpmines("compare", board, "--problem", "consistency", "--backend", "propagation")
    assert result.code == 3
    assert result.out.endswith("agreement on 1 instance, 1 without any answer\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--problem", "nope"], "no problem named 'nope'"),
        (["--backend", "nope"], "no backend named 'nope'; there are: brute, "),
        (["--repeat", "0"], "'--repeat'"),
        (["--time-limit", "-1"], "'--time-limit'"),
    ],
)
def test_bad_usage(cpmines: Cpmines, words: list[str], message: str) -> None:
    result = cpmines("compare", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_a_path_without_a_problem(cpmines: Cpmines, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(VALID)
    result = cpmines("compare", tmp_path / "board.txt")
    assert result.code == 2
    assert "no folder above it is named like a problem" in result.err
    assert "--problem" in result.err


def test_file_names_are_not_markup(cpmines: Cpmines, boards: Path) -> None:
    (boards / "[red]x.txt").write_text(VALID)
    assert "[red]x.txt" in cpmines("compare", boards, "--backend", "direct").out
