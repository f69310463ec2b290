from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cpmines
from tests.patience import PATIENCE

PUBLISHED = ("fuzz", "consistency", "--backend", "direct", "--backend", "published")


def test_a_find_is_shown_and_saved(cpmines: Cpmines, tmp_path: Path) -> None:
    result = cpmines(*PUBLISHED, "-o", tmp_path / "consistency")
    assert result.code == 1
    assert "published is wrong: brute says infeasible" in result.out
    assert "1 find" in result.out
    (file,) = tmp_path.rglob("*.txt")
    again = cpmines("compare", file, "--backend", "direct", "--backend", "published")
    assert again.code == 1
    assert "FOUND in round " in result.out
    assert ": exists: there is an answer or there is none" in result.out
    command = f"cpmines compare {file} --problem consistency --backend direct --backend published"
    assert f"{command} --ask exists\n" in result.out
    assert json.loads((file.parent / "expected.jsonl").read_text())["question"] == "exists"


def test_the_saved_instance_can_be_fuzzed(cpmines: Cpmines, tmp_path: Path) -> None:
    cpmines(*PUBLISHED, "-o", tmp_path)
    (file,) = tmp_path.glob("*.txt")
    assert cpmines(*PUBLISHED, file, "-o", tmp_path / "again").code == 1
    right = ("fuzz", "consistency", "--backend", "direct", file, "-o", tmp_path)
    assert cpmines(*right).code == 0


def test_a_question_is_asked(cpmines: Cpmines, tmp_path: Path) -> None:
    result = cpmines("fuzz", "maxmines", "--ask", "count", "--rounds", 3, "-o", tmp_path)
    assert result.code == 0
    assert "answers to count:\n" in result.out
    assert "  direct: 3 solved\n" in result.out
    result = cpmines("fuzz", "maxmines", "--ask", "all", "-o", tmp_path)
    assert (result.code, result.err) == (2, "cpmines: no question 'all'; there are: most, count, every\n")
    result = cpmines("fuzz", "consistency", "--backend", "published", "--ask", "placement", "--rounds", 3)
    assert "published: 3 declined (published does not answer the question placement)" in result.out


def test_nothing_found(cpmines: Cpmines, tmp_path: Path) -> None:
    result = cpmines("fuzz", "validation", "--backend", "published", "--rounds", "5", "-o", tmp_path)
    assert (result.code, list(tmp_path.iterdir())) == (0, [])
    assert result.out.startswith("5 rounds in ")
    assert "  brute: 5 solved\n" in result.out
    assert result.out.endswith("nothing found\n")


def test_it_is_said_where_nothing_was_compared(cpmines: Cpmines, tmp_path: Path) -> None:
    slow = ("--backend", "program:sleep 9", "--time-limit", "0.05", "--rounds", "2")
    result = cpmines("fuzz", "validation", *slow, "-o", tmp_path)
    assert result.out.endswith("nothing found, and fewer than two backends answered\n")


def test_one_alone_is_set_beside_one_that_decides_such_boards(cpmines: Cpmines, tmp_path: Path) -> None:
    alone = ("fuzz", "validation", "--backend", "published", "--rounds", 3, "-o", tmp_path)
    board = tmp_path / "board.txt"
    board.write_text("2 2\n11\n1*\n")
    for words in (("--size", "medium"), (board,)):
        assert "  direct: " in cpmines(*alone, *words).out
    assert "  brute: " in cpmines("fuzz", "validation", "--backend", "direct", board, "-o", tmp_path).out


def test_lines_for_programs(cpmines: Cpmines, tmp_path: Path) -> None:
    result = cpmines(*PUBLISHED, "--finds", 2, "--format", "jsonl", "-o", tmp_path)
    *finds, summary = map(json.loads, result.out.splitlines())
    assert len(finds) == 2
    for find in finds:
        assert find["backends"] == ["direct", "published"]
        assert (find["schema"], find["question"]) == (2, "exists")
        assert Path(find["file"]).read_text() == find["text"]
        assert len(find["claims"]) == 2
    assert summary["rounds"] == finds[-1]["round"] + 1
    assert (summary["schema"], summary["question"]) == (2, "exists")
    assert len(summary["finds"]) == 2
    assert 0 < summary["pairs"] <= 2 * summary["rounds"]


def test_rounds_are_numbered(cpmines: Cpmines, tmp_path: Path) -> None:
    whole = cpmines(*PUBLISHED, "--keep-going", "--rounds", 20, "--format", "jsonl", "-o", tmp_path)
    rest = cpmines(
        *PUBLISHED, "--keep-going", "--start", 10, "--rounds", 10, "--format", "jsonl", "-o", tmp_path
    )
    finds = [json.loads(line) for line in whole.out.splitlines()[:-1]]
    later = {find["text"] for find in finds if find["round"] >= 10}
    assert later <= {json.loads(line)["text"] for line in rest.out.splitlines()[:-1]}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nothing",), "no problem named 'nothing'"),
        (("consistency", "--backend", "nobody"), "no backend of consistency named 'nobody'"),
        (("consistency", "--backend", "mine:BACKEND"), "; or package.module:OBJECT, with a dot, or program:"),
        (
            ("consistency", "--backend", "./mine"),
            "./mine is a file, expected package.module:OBJECT or program:",
        ),
        (("consistency", "--backend", "mine.py"), "mine.py is a file, expected package.module:OBJECT"),
        (("consistency", "--size", "huge"), "no size 'huge'; there are: tiny, small, medium"),
        (("consistency", "missing.txt"), "missing.txt: found no such file"),
        (("consistency", "--rounds", "0"), "0 is not in the range"),
        (("consistency", "--seconds", "nan"), "nan is not a number of seconds"),
    ],
)
def test_bad_usage(cpmines: Cpmines, words: tuple[str, ...], message: str) -> None:
    result = cpmines("fuzz", *words)
    assert result.code == 2
    assert message in result.err


def test_a_folder_that_is_a_file(cpmines: Cpmines, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = cpmines(*PUBLISHED, "-o", tmp_path / "file" / "more")
    assert result.code == 2
    assert "Not a directory" in result.err


def test_an_interrupt_says_how_to_go_on(tmp_path: Path) -> None:
    program = "from cpmines.__main__ import main; main()"
    words = ["fuzz", "consistency", "--backend", "published", "--seconds", "60", "--keep-going"]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words, "-o", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("FOUND in round ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "go on with: --start " in err
    assert re.search(r"^\d+ rounds? in ", out, re.MULTILINE)
    assert list(tmp_path.glob("*.txt"))


def test_any_number_of_workers_finds_the_same(cpmines: Cpmines, tmp_path: Path) -> None:
    words = (
        "fuzz",
        "consistency",
        "--backend",
        "direct",
        "--backend",
        "published",
        "--finds",
        3,
        "--format",
        "jsonl",
    )
    found = []
    for workers in (1, 2, 3):
        lines = cpmines(*words, "--workers", workers, "-o", tmp_path).out.splitlines()
        records = [json.loads(line) for line in lines]
        found.append([{name: value for name, value in one.items() if name != "seconds"} for one in records])
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 4


def test_a_find_on_a_related_instance_shows_and_saves_that(cpmines: Cpmines, tmp_path: Path) -> None:
    """A program that says YES to everything: what fails is the file to give to it."""
    words = ("fuzz", "consistency", "--backend", "program:echo YES", "--seed", "1", "--finds", "2")
    result = cpmines(*words, "-o", tmp_path)
    related = next(tmp_path.glob("*-contradiction.txt"))
    shown = "".join(f"    {line}\n" for line in related.read_text().splitlines())
    assert (
        f"  to (contradiction), which is made of it:\n{shown}  the other claim is what follows" in result.out
    )
    again = cpmines("compare", related, "--problem", "consistency", *words[2:4], "--backend", "brute")
    assert again.code == 1, "on that file it is wrong"
