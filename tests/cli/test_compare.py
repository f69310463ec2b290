"""``cpmines compare``: agreement, conflicts, formats, exit codes."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cpmines.compare import Comparison, compare
from cpmines.files import SAMPLE_BYTES, instance_files, sample, shipped, spread
from tests.cli.conftest import Cpmines, all_backends

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


def test_a_damaged_file_is_counted_and_the_others_are_answered(cpmines: Cpmines, tmp_path: Path) -> None:
    folder = tmp_path / "reconstruction"
    folder.mkdir()
    (folder / "a.txt").write_text("2 2\n11\n11\n")
    header = b"{'descr': '|i1', 'fortran_order': False, 'shape': (1000000000000, 1000000), }\n"
    (folder / "b.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    (folder / "c.txt").write_text("2 2\n00\n00\n")
    result = cpmines("compare", folder, "--backend", "direct", "--backend", "brute")
    assert result.code == 2
    assert result.out.endswith("agreement on 2 instances; 1 input refused\n")
    found = "an array of type int8 and shape (1000000000000, 1000000) in 0 bytes"
    assert result.err == f"cpmines: {folder / 'b.npy'}:1: found {found}, expected as many as it says\n"
    assert cpmines("solve", "reconstruction", folder).code == 2


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
    assert (conflict["schema"], conflict["question"]) == (2, "wrong")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("nonsense", "another line"),
        ("[]", "another line"),
        ('{"status": "solved"}', "another line"),
        ('{"instance": "valid.txt"}', "another line"),
        ('{"instance": "valid.txt", "status": "solvd"}', "another line"),
        ('{"instance": "valid.txt", "status": "solved", "value": 3}', "another line"),
        ('{"instance": "valid.txt", "status": "solved", "options": 3}', "another line"),
        ('{"instance": "other.txt", "status": "solved"}', "an answer to other.txt"),
    ],
)
def test_damaged_expected_answers(cpmines: Cpmines, boards: Path, line: str, found: str) -> None:
    (boards / "expected.jsonl").write_text('{"instance": "valid.txt", "status": "solved"}\n' + line + "\n")
    result = cpmines("compare", boards, "--backend", "direct")
    assert result.code == 2
    assert f"expected.jsonl:2: found {found}, expected" in result.err
    assert result.out == "nothing was compared; 2 inputs refused\n"


def test_the_first_question_that_all_named_backends_answer(cpmines: Cpmines, boards: Path) -> None:
    both = ("--backend", "direct", "--backend", "published")
    result = cpmines("compare", boards, *both)
    assert result.out.startswith("\nvalidation: valid\n")
    lines = cpmines("compare", boards, *both, "--ask", "wrong", "--format", "jsonl").out.splitlines()
    stops = [(run["question"], run["backend"], run["status"], run["stop"]) for run in map(json.loads, lines)]
    assert stops == 2 * [
        ("wrong", "direct", "solved", "finished"),
        ("wrong", "published", "unknown", "declined"),
    ]


def test_several_questions_of_several_problems(cpmines: Cpmines, tmp_path: Path) -> None:
    """Each problem is asked those that it has; times of one question stand apart from those of another."""
    for problem, text in (("maxmines", "2 2 3\n"), ("counting", "1 3\n.1.\n"), ("validation", VALID)):
        (tmp_path / problem).mkdir()
        (tmp_path / problem / "a.txt").write_text(text)
    result = cpmines("compare", tmp_path, "--ask", "count", "--ask", "most", "--backend", "direct")
    titles = [line for line in result.out.splitlines() if re.fullmatch(r"\w+: \w+", line)]
    assert titles == ["counting: count", "maxmines: most", "maxmines: count"]
    totals = [line.split()[:4] for line in result.out.splitlines()[-5:-2]]
    assert totals == [
        ["counting", "count", "direct", "1/1"],
        ["maxmines", "most", "direct", "1/1"],
        ["maxmines", "count", "direct", "1/1"],
    ]
    assert "agreement on 3 questions on 2 instances" in result.out
    result = cpmines("compare", tmp_path, "--ask", "nope")
    assert result.code == 2
    assert "no question 'nope' of counting, maxmines, validation; there are: chances, count" in result.err


def test_options_of_the_questions(cpmines: Cpmines) -> None:
    words = ("compare", "--problem", "counting", "-", "--backend", "direct", "--format", "jsonl")
    result = cpmines(*words, "--ask", "count", "--layouts", 2, "--ask", "layouts", stdin=b"1 2\n..\n")
    found = [(run["question"], run.get("options")) for run in map(json.loads, result.out.splitlines())]
    assert found == [("count", None), ("layouts", {"layouts": 2})]
    result = cpmines(*words, "--ask", "count", "--layouts", 2, stdin=b"1 2\n..\n")
    assert (result.code, result.err) == (2, "cpmines: no option layouts of the question count\n")


def test_an_expected_answer_to_a_question(cpmines: Cpmines, boards: Path) -> None:
    expected = {"instance": "valid.txt", "status": "solved", "question": "valid", "value": {"valid": False}}
    (boards / "expected.jsonl").write_text(json.dumps(expected) + "\n")
    assert cpmines("compare", boards, "--backend", "direct").code == 1
    (boards / "expected.jsonl").write_text(json.dumps(expected | {"question": "nope"}) + "\n")
    result = cpmines("compare", boards, "--backend", "direct")
    assert result.code == 2
    assert "found an answer to valid.txt of another question, expected a question of validation" in result.err


def test_what_is_not_answered_in_full_is_not_decided(cpmines: Cpmines) -> None:
    """A feasible value counts as no decision, and its time stands beside no other."""
    words = ("--ask", "count", "--backend", "direct", "--backend", "cpsat", "--baseline", "direct")
    board = b"4 4\n" + b"....\n" * 4
    lines = cpmines("compare", "-", "--problem", "mosaic", *words, stdin=board).out.splitlines()
    (shown,) = [line.split() for line in lines if " feasible " in line]
    assert shown[0] == "cpsat"
    assert not shown[-1].endswith("x")
    (direct, cpsat) = [line.split() for line in lines if line.startswith("mosaic ")]
    assert (direct[2:4], cpsat[2:4]) == (["direct", "1/1"], ["cpsat", "0/1"])
    assert direct[-1] == "1x"
    assert not cpsat[-1].endswith("x")


def test_brief(cpmines: Cpmines, boards: Path) -> None:
    result = cpmines("compare", boards, "--backend", "direct", "--backend", "brute", "--brief")
    assert "valid.txt" not in result.out
    assert [line.split()[:4] for line in result.out.splitlines()[3:5]] == [
        ["validation", "wrong", "direct", "2/2"],
        ["validation", "wrong", "brute", "2/2"],
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
    assert result.out.endswith("agreement on 2 instances; 1 input refused\n")


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
        (["--backend", "nope"], f"no backend named 'nope'; {all_backends()}"),
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


def test_the_reason_of_no_answer_is_shown(cpmines: Cpmines) -> None:
    words = ("--problem", "consistency", "--backend", "direct", "--backend", "propagation")
    shown = cpmines("compare", "-", *words, stdin=b"2 3\n.1.\n.2.\n").out
    assert "unknown (declined; propagation leaves 2 clues and their neighbours open)" in shown


def test_totals_count_the_conflicts_of_each_backend(cpmines: Cpmines) -> None:
    words = ("compare", "-", "--problem", "maxmines", "--brief", "--backend", "direct")
    sizes = b"2\n2 2 3\n2 2 1\n"
    assert "conflicts" not in cpmines(*words, "--backend", "brute", stdin=sizes).out
    totals = cpmines(*words, "--backend", "published", "--backend", "brute", stdin=sizes).out
    shown = [line.replace(" (unreliable)", "").split()[2:5] for line in totals.splitlines()[2:6]]
    assert shown == [
        ["backend", "decided", "conflicts"],
        ["direct", "2/2", "1"],
        ["published", "1/2", "1"],
        ["brute", "2/2", "1"],
    ]


def test_an_interrupt_shows_the_totals_of_what_was_done(
    cpmines: Cpmines, boards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def once(*args: Any, **options: Any) -> Comparison:
        monkeypatch.setattr("cpmines.compare.compare", interrupted)
        return compare(*args, **options)

    def interrupted(*args: Any, **options: Any) -> Comparison:
        raise KeyboardInterrupt

    monkeypatch.setattr("cpmines.compare.compare", once)
    result = cpmines("compare", boards, "--backend", "direct", "--backend", "brute")
    assert (result.code, result.err.strip()) == (130, "interrupted")
    assert re.search(r"^validation  wrong +direct +1/1 ", result.out, re.M)
    assert result.out.endswith("agreement on 1 instance\n")


def test_file_names_are_not_markup(cpmines: Cpmines, boards: Path) -> None:
    (boards / "[red]x.txt").write_text(VALID)
    assert "[red]x.txt" in cpmines("compare", boards, "--backend", "direct").out


def test_without_a_path_a_sample_is_compared_and_its_totals_shown(cpmines: Cpmines) -> None:
    result = cpmines("compare", "--backend", "direct", "--backend", "brute")
    assert result.code == 0
    assert "totals" in result.out
    assert not re.search(r"^tiny/|^\w+/tiny/", result.out, re.M), "a line for an instance"
    assert {part.name for part in shipped().iterdir()} <= set(result.out.split())
    assert (
        result.out.splitlines()[-1] == "a sample; --all takes all shipped instances and shows a line for each"
    )


def test_a_sample_has_every_family_and_is_small() -> None:
    chosen, everything = sample(), instance_files(shipped())
    assert set(chosen) < set(everything)
    small = {
        path.parent for path in everything if path.stat().st_size <= SAMPLE_BYTES and path.suffix == ".txt"
    }
    assert {path.parent for path in chosen} == small
    assert max(Counter(path.parent for path in chosen).values()) == 3


def test_few_instances_of_a_file_are_in_a_sample(cpmines: Cpmines) -> None:
    result = cpmines("compare", "--backend", "direct", "--format", "jsonl")
    assert result.code == 0
    taken = Counter(json.loads(line)["instance"].partition("#")[0] for line in result.out.splitlines())
    assert len(taken) == len(sample())
    assert max(taken.values()) == 3


@pytest.mark.parametrize("count", range(12))
def test_what_stands_for_many_is_spread_over_them(count: int) -> None:
    chosen = spread(range(count))
    assert min(count, 1) <= len(chosen) <= 3
    assert list(chosen[:1]) == list(range(count))[:1]
    assert len({after - before for before, after in pairwise(chosen)}) <= 1


def test_all_is_all(cpmines: Cpmines) -> None:
    result = cpmines("compare", "--all", "--ask", "valid", "--backend", "direct")
    assert result.code == 0
    files = {path.name for path in instance_files(shipped() / "validation")}
    assert all(name in result.out for name in files)
    assert "a sample" not in result.out


def test_all_with_a_path_is_refused(cpmines: Cpmines, boards: Path) -> None:
    result = cpmines("compare", boards, "--all")
    assert result.code == 2
    assert "expected it alone" in result.err


@pytest.mark.slow
def test_all_shipped_instances_agree(cpmines: Cpmines) -> None:
    result = cpmines("compare", "--all", "--brief")
    assert result.code == 0, result.out
    assert "agreement on" in result.out
