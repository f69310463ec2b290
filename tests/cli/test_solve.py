"""``cpmines solve``: exact output, exit codes, bad input."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cpmines

VALID, WRONG = b"3 3\n111\n1*1\n111\n", b"2 3\n1*1\n12.\n"


def without_times(text: str) -> str:
    return re.sub(r"[\d.e-]+ (s|ms|µs)\b", "TIME", text)


def test_text(cpmines: Cpmines) -> None:
    result = cpmines("solve", "validation", stdin=WRONG)
    assert result.code == 0
    assert without_times(result.out) == (
        "-: solved: 2 wrong (direct, TIME)\n"
        "not valid, wrong cells: 2\n"
        "row 2, column 2 shows 2, mines around: 1\n"
        "row 2, column 3 shows ., mines around: 1\n"
    )


def test_infeasible_is_an_answer(cpmines: Cpmines) -> None:
    result = cpmines("solve", "consistency", stdin=b"2 3\n.1.\n.2.\n")
    assert (result.code, without_times(result.out)) == (0, "-: infeasible (direct, TIME)\n")


def test_json(cpmines: Cpmines) -> None:
    result = cpmines("solve", "validation", "--format", "json", "--seed", 7, stdin=WRONG)
    record = json.loads(result.out)
    assert set(record.pop("seconds")) == {"build", "solve"}
    assert set(record.pop("versions")) == {"cpmines", "numpy"}
    assert record == {
        "schema": 2,
        "problem": "validation",
        "instance": "-",
        "question": "wrong",
        "backend": "direct",
        "trust": "exact",
        "status": "solved",
        "stop": "finished",
        "value": {
            "valid": False,
            "wrong": [
                {"row": 1, "col": 1, "shown": "2", "mines": 1},
                {"row": 1, "col": 2, "shown": ".", "mines": 1},
            ],
        },
        "seed": 7,
    }


@pytest.mark.parametrize(
    ("problem", "text", "out"),
    [
        ("validation", VALID, "YES\n"),
        ("validation", WRONG, "NO\n"),
        ("consistency", b"2 3\n.1.\n.2.\n", "NO\n"),
        ("consistency", b"1 2\n1.\n", "YES\n"),
        ("maxmines", b"3\n2 2 1\n2 2 3\n3 3 4\n", "1\n3\n6\n"),
        ("reconstruction", b"3 3\n111\n111\n111\n", "...\n.X.\n...\n"),
        ("reconstruction", b"3 3\n1 1 1\n1 1 1\n1 1 1\n", "...\n.X.\n...\n"),
        ("reconstruction", b"1 3\n1 1 0\n", "X..\n"),
        ("reconstruction", b"1 3\n2 1 0\n", "NO\n"),
    ],
)
def test_judge_format(cpmines: Cpmines, problem: str, text: bytes, out: str) -> None:
    result = cpmines("solve", problem, "--format", "judge", stdin=text)
    assert (result.code, result.out) == (0, out)


def test_many_inputs_in_order_and_a_bad_one_among_them(cpmines: Cpmines, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "b.txt.gz").write_bytes(gzip.compress(VALID))
    (tmp_path / "folder" / "a.txt").write_bytes(WRONG)
    (tmp_path / "bad.txt").write_bytes(b"2 3\n1*1\n12\n")
    paths = [tmp_path / "folder", tmp_path / "bad.txt", tmp_path / "missing.txt", "-"]
    result = cpmines("solve", "validation", *paths, "--format", "judge", stdin=VALID)
    assert (result.code, result.out) == (2, "NO\nYES\nYES\n")
    assert result.err.splitlines() == [
        f"cpmines: {tmp_path}/bad.txt:3: found a row of 2 characters, expected 3 cells "
        "(a mine *, a clue 1-8, or . (or 0) for no mine around)",
        f"cpmines: {tmp_path}/missing.txt: found no such file, expected an instance file or a folder of them",
    ]


def test_names_of_several_instances_in_one_file(cpmines: Cpmines) -> None:
    result = cpmines("solve", "maxmines", "--format", "json", stdin=b"2\n2 2 1\n2 2 3\n")
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert [line["instance"] for line in lines] == ["-#1", "-#2"]
    assert [line["value"]["mines"] for line in lines] == [1, 3]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nonsense"], "no problem named 'nonsense'; there are: "),
        (
            ["validation", "--backend", "nope"],
            "no backend of validation named 'nope'; there are: direct, cpsat",
        ),
        (["validation", "--backend", "direct:fast"], "backend direct of validation has no variants"),
        (["validation", "--backend", "sat:nope"], "nope"),
        (["validation", "--time-limit", "0"], "'--time-limit'"),
        (["validation", "--time-limit", "nan"], "'--time-limit'"),
        (["validation", "--memory-limit", "0"], "'--memory-limit'"),
        (["validation", "--seed", "-1"], "'--seed'"),
        (["validation", "--format", "xml"], "'--format'"),
        (["validation", f"x#{'1' * 5000}"], "found File name too long, expected an instance file"),
        (["--frobnicate"], "No such option"),
        ([], "Missing argument 'PROBLEM'"),
    ],
)
def test_bad_usage(cpmines: Cpmines, words: list[str], message: str) -> None:
    result = cpmines("solve", *words, stdin=VALID)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_closed_standard_input(cpmines: Cpmines) -> None:
    result = cpmines("solve", "validation", stdin=None)
    assert (result.code, result.out) == (2, "")
    assert result.err == "cpmines: -: found a closed standard input, expected an instance\n"


def test_empty_folder_and_damaged_gzip(cpmines: Cpmines, tmp_path: Path) -> None:
    result = cpmines("solve", "validation", tmp_path)
    assert (result.code, result.err) == (
        2,
        f"cpmines: {tmp_path}: found no instance, expected files named *.txt, *.txt.gz, *.npy\n",
    )
    damaged = tmp_path / "a.txt.gz"
    damaged.write_bytes(gzip.compress(VALID)[:-6])
    result = cpmines("solve", "validation", damaged)
    assert (result.code, result.err) == (
        2,
        f"cpmines: {damaged}: found damaged gzip data, expected a whole gzip file or plain text\n",
    )


def test_no_answer_within_the_limits(cpmines: Cpmines) -> None:
    result = cpmines("solve", "consistency", "--backend", "propagation", stdin=b"2 3\n.1.\n.2.\n")
    assert result.code == 3
    assert result.out.startswith("-: unknown (propagation, ")


def test_an_answer_that_the_judge_rejects_is_not_given(cpmines: Cpmines) -> None:
    result = cpmines("solve", "maxmines", "--backend", "published", "--format", "judge", stdin=b"1\n2 2 3\n")
    assert (result.code, result.out) == (1, "UNKNOWN\n")
    labelled, *_, rejected = result.err.splitlines()
    assert labelled == "cpmines: published is labelled unreliable: its answers may be wrong"
    assert rejected.startswith("cpmines: -: the answer of published can't be trusted: ")
    result = cpmines("solve", "maxmines", "--backend", "published", "--format", "json", stdin=b"1\n2 2 3\n")
    record = json.loads(result.out)
    assert (result.code, record["trust"], "value" in record, len(record["faults"])) == (
        1,
        "unreliable",
        False,
        4,
    )


def test_a_value_that_is_not_proved_is_not_the_answer(cpmines: Cpmines) -> None:
    words = ("solve", "maxmines", "--backend", "cpsat:plain", "--time-limit", "1")
    result = cpmines(*words, "--format", "judge", stdin=b"1\n9 9 4\n")
    assert (result.code, result.out) == (3, "UNKNOWN\n")


def test_one_of_several_instances_by_its_name(cpmines: Cpmines, tmp_path: Path) -> None:
    (tmp_path / "three.txt").write_text("3\n2 2 1\n2 2 3\n3 3 4\n")
    result = cpmines("solve", "maxmines", f"{tmp_path}/three.txt#3", "--format", "judge")
    assert (result.code, result.out) == (0, "6\n")
    result = cpmines("solve", "maxmines", f"{tmp_path}/three.txt#4")
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith("three.txt: found 3 instances, expected one with the number 4\n")


def test_shipped_instances_by_their_name(cpmines: Cpmines) -> None:
    result = cpmines("solve", "validation", "validation/tiny/one-clue.txt", "--format", "judge")
    assert (result.code, result.out) == (0, "NO\n")


def test_placements_follow_the_answer(cpmines: Cpmines) -> None:
    words = ("solve", "counting", "--layouts", 9)
    result = cpmines(*words, stdin=b"1 4\n.1..\n")
    assert result.out.splitlines()[1:] == [
        *("placement 1", "..*.", "placement 2", "..**", "placement 3", "*...", "placement 4", "*..*")
    ]
    assert cpmines("solve", "counting", "--sample", 1, stdin=b"1 4\n.1..\n").out.splitlines()[1:] == [
        *("sample 1", "*..*")
    ]
    lines = [
        json.loads(line) for line in cpmines(*words, "--format", "json", stdin=b"1 2\n..\n").out.splitlines()
    ]
    assert lines[0]["value"]["count"] == "4"
    asked = {"question": "layouts", "options": {"layouts": 9}}
    assert lines[2] == {
        "schema": 2,
        "problem": "counting",
        "instance": "-",
        **asked,
        "placement": 2,
        "mines": ["*."],
    }
    assert len(lines) == 5
    result = cpmines(*words, "--sample", 1, stdin=b"1 2\n..\n")
    assert (result.code, result.out) == (2, "")
    assert "one question at a time: none has layouts and sample together" in result.err


def test_one_question_is_asked(cpmines: Cpmines) -> None:
    table = b"2 2\n1 1\n1 1\n"
    first = json.loads(cpmines("solve", "reconstruction", "--format", "json", stdin=table).out)
    assert first["question"] == "facts"
    assert "options" not in first
    named = json.loads(
        cpmines("solve", "reconstruction", "--ask", "all", "--format", "json", stdin=table).out
    )
    flag = json.loads(cpmines("solve", "reconstruction", "--all", "--format", "json", stdin=table).out)
    assert named["question"] == flag["question"] == "all"
    assert named["value"] == flag["value"]
    assert len(named["value"]["boards"]) == 4
    shown = cpmines("solve", "reconstruction", "--ask", "index", "--index", 2, stdin=table).out
    assert shown.startswith("-: index index=2: solved")
    for words, message in (
        (("--ask", "nope"), "no question 'nope'; there are: facts, board"),
        (("--ask", "count", "--all"), "one question at a time: count, all"),
        (("--ask", "count", "--index", 2), "no option index of the question count; there are: none"),
        (("--ask", "index"), "the question index needs index"),
    ):
        result = cpmines("solve", "reconstruction", *words, stdin=table)
        assert (result.code, result.out) == (2, ""), words
        assert message in result.err


def test_a_backend_that_does_not_answer_the_question_declines(cpmines: Cpmines) -> None:
    words = ("solve", "consistency", "--backend", "published", "--ask", "placement")
    result = cpmines(*words, stdin=b"1 2\n1.\n")
    assert result.code == 3
    assert "declined; published does not answer the question placement" in result.out


def test_help_of_a_problem_names_its_questions(cpmines: Cpmines) -> None:
    shown = cpmines("solve", "maxmines", "--help").out
    assert "Questions of maxmines (the first is asked by default):\n  most   The most mines" in shown
    assert "Questions" not in cpmines("solve", "--help").out
    assert "Questions of counting" in cpmines("compare", "--problem=counting", "--help").out


@pytest.mark.parametrize(
    "words", [["--layouts"], ["--layouts", "-1"], ["--layouts", "x"], ["--sample", "1.5"]]
)
def test_numbers_of_placements_that_are_none(cpmines: Cpmines, words: list[str]) -> None:
    result = cpmines("solve", "counting", *words, stdin=b"1 2\n..\n")
    assert (result.code, result.out) == (2, "")
    assert words[0][2:] in result.err


def test_interrupted_listing_keeps_what_was_printed(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("9 9\n" + 9 * ".........\n")
    program = "import sys; from cpmines.__main__ import main; sys.argv[0] = 'cpmines'; main()"
    words = ["solve", "counting", str(board), "--layouts", str(10**12)]
    with subprocess.Popen([sys.executable, "-c", program, *words], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line == b"placement 100\n":
                break
        os.kill(process.pid, signal.SIGINT)
        rest = process.stdout.read().splitlines()
        assert process.wait() == 130
    assert len(rest) % 10 == 9
    assert set(rest[-1]) <= set(b".*")


def test_any_number_of_workers_prints_the_same(
    cpmines: Cpmines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what can't be read, in its place."""
    monkeypatch.setattr("cpmines.cli.solve.ALONE", 0.0)
    texts = ["2 2\n1.\n..\n", "2 3\n.1.\n.2.\n", "2 2\n1x\n..\n", "3 5\n.1.2*\n.1...\n.....\n", "1 2\n1*\n"]
    for number, text in enumerate(texts):
        (tmp_path / f"b{number}.txt").write_text(text)
    words = ("solve", "consistency", tmp_path, "--format", "judge", "--workers")
    shown = [cpmines(*words, number) for number in (1, 2, 3)]
    assert len({result.out for result in shown}) == 1
    assert {result.code for result in shown} == {2}
    assert all("b2.txt" in result.err for result in shown)


def test_what_is_broken_off_to_be_shared_out_is_solved(
    cpmines: Cpmines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cpmines.cli.solve.ALONE", 0.01)
    (tmp_path / "t.txt").write_text("3\n2 2 1\n8 8 4\n9 9 4\n")
    shown = [
        cpmines("solve", "maxmines", tmp_path / "t.txt", "--format", "judge", "--workers", number, *limit)
        for number in (1, 2, 3)
        for limit in ((), ("--time-limit", 600))
    ]
    assert {(result.out, result.code) for result in shown} == {("1\n43\n54\n", 0)}
