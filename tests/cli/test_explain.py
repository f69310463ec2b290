"""``cpmines explain``: every format, bad input, exit codes, interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cpmines import files, registry
from tests.cli.conftest import Cpmines
from tests.patience import PATIENCE

STUCK = b"2 3\n.1.\n.2.\n"
BOARD = b"3 5 3\n.....\n12221\n00000\n"


def test_a_conflict(cpmines: Cpmines) -> None:
    result = cpmines("explain", stdin=STUCK)
    assert result.code == 0
    assert result.out.splitlines()[0] == "-: 2 x 3: infeasible: clues contradict each other"
    assert result.out.endswith("      1  2  3\n   1  o [1] o\n   2  o [2] o\n")
    for option in ("--smallest", "--all"):
        record = json.loads(cpmines("explain", option, "--format", "json", stdin=STUCK).out)
        assert (record["schema"], record["problem"], record["status"]) == (1, "explanation", "infeasible")
        assert [(clue["row"], clue["col"]) for clue in record["value"]["clues"]] == [(0, 1), (1, 1)]
        assert record["value"]["smallest"]


def test_all_conflicts_and_a_limit(cpmines: Cpmines) -> None:
    stdin = b"2 8 9\n.1..1.1.\n.2......\n"
    result = cpmines("explain", "--all", stdin=stdin)
    assert result.code == 0
    assert "these are all" in result.err
    sets = result.out.count("conflict ")
    assert sets > 1
    result = cpmines("explain", "--all", "--limit", 1, "--format", "json", stdin=stdin)
    assert len(result.out.splitlines()) == 1
    assert "1 minimal set of clues; there may be more" in result.err
    page = cpmines("explain", "--all", "--format", "html", stdin=stdin).out
    assert page.count("<figure>") == sets


def test_a_consistent_board(cpmines: Cpmines) -> None:
    for option in ("--smallest", "--all"):
        result = cpmines("explain", option, stdin=BOARD)
        assert (result.code, result.err) == (0, "")
        assert "no clues contradict each other" in result.out
    record = json.loads(cpmines("explain", "--format", "json", stdin=BOARD).out)
    assert record["status"] == "solved"
    assert [step["mines"] for step in record["value"]["steps"]] == [[{"row": 0, "col": 2}]]


def test_a_cell(cpmines: Cpmines) -> None:
    assert "row 1, column 3 is a mine" in cpmines("explain", "--cell", "1,3", stdin=BOARD).out
    value = json.loads(cpmines("explain", "--cell", "1,1", "--format", "json", stdin=BOARD).out)["value"]
    assert (value["state"], value["cell"]) == ("open", {"row": 0, "col": 0})
    assert (value["with_mine"][0][0], value["without"][0][0]) == ("*", ".")


def test_mosaic(cpmines: Cpmines, tmp_path: Path) -> None:
    result = cpmines("explain", "--problem", "mosaic", stdin=b"1 2\n2.\n")
    assert "1 step settles 2 cells, nothing stays open" in result.out
    folder = tmp_path / "mosaic"
    folder.mkdir()
    (folder / "a.txt").write_text("1 2\n22\n")
    assert cpmines("explain", folder / "a.txt").code == 0
    assert "infeasible" in cpmines("explain", "--problem", "mosaic", stdin=b"1 2\n21\n").out


def test_output(cpmines: Cpmines, tmp_path: Path) -> None:
    path = tmp_path / "new" / "page.html"
    assert cpmines("explain", "--format", "html", "-o", path, stdin=BOARD).out == ""
    assert path.read_text().startswith("<!doctype html>")
    assert cpmines("explain", "-o", path, stdin=STUCK).code == 0
    assert path.read_text() == cpmines("explain", stdin=STUCK).out


@pytest.mark.parametrize(
    ("words", "stdin", "message"),
    [
        ([], b"2 3\n.x.\n...\n", "-:2:2: found 'x', expected a clue 0-8"),
        ([], b"", "-:1: found the end of the input"),
        (["missing.txt"], b"", "missing.txt: found no such file"),
        (["--cell", "0,1"], BOARD, "row 0, column 1 is not on the board of 3 x 5"),
        (["--cell", "2,1"], BOARD, "row 2, column 1 is the clue 1, expected an unknown cell"),
        (["--cell", "3"], BOARD, "'3' is not a row and a column"),
        (["--cell", "1" * 5000 + ",1"], BOARD, "1 is not a row and a column"[1:]),
        (["--cell", "1,1"], STUCK, "the board has no placement"),
        (["--cell", "1,1", "--all"], BOARD, "expected at most one"),
        (["--limit", 3], BOARD, "--limit without --all"),
        (["--limit", 0], BOARD, "'--limit'"),
        (["--format", "pdf"], BOARD, "'--format'"),
        (["--time-limit", "nan"], BOARD, "'--time-limit'"),
        (["--problem", "maxmines"], b"1 1 1\n", "boards of maxmines are not explained, it has no clues.py"),
        (["--problem", "chess"], BOARD, "no problem named 'chess'"),
        (["-o", "/dev/null/x"], BOARD, "/dev/null/x"),
        (["--format", "html"], b"400 400\n" + 400 * (400 * b"." + b"\n"), "at most 100000 cells are drawn"),
    ],
)
def test_bad_input(cpmines: Cpmines, words: list[object], stdin: bytes, message: str) -> None:
    result = cpmines("explain", *words, stdin=stdin)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_what_is_taken_without_a_name_does_not_change(
    cpmines: Cpmines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by an added problem with clues of its own, whose name comes first."""
    monkeypatch.setattr(registry, "sound_problems", lambda: {"mosaic": None, "consistency": None})
    assert cpmines("explain", stdin=BOARD).code == 0


def test_one_board_of_several(cpmines: Cpmines, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes(BOARD)
    assert "holds 2 boards, expected one" in cpmines("explain", tmp_path).err
    assert cpmines("explain", f"{tmp_path / 'a.txt'}#1").code == 0
    assert "one with the number 2" in cpmines("explain", f"{tmp_path / 'a.txt'}#2").err


def test_time_limits(cpmines: Cpmines) -> None:
    large = files.shipped() / "consistency/large/random_100_70_total_low.txt"
    result = cpmines("explain", large, "--time-limit", 0.5)
    assert (result.code, result.out) == (3, "")
    hard = files.shipped() / "consistency/game/expert_60_total_off_by_25_low.txt"
    result = cpmines("explain", hard, "--smallest", "--time-limit", 1, "--format", "json")
    if result.out:
        assert json.loads(result.out)["value"]["smallest"] is False
    assert result.code == 3


def test_interrupted_it_keeps_what_it_has(tmp_path: Path) -> None:
    board, path = files.shipped() / "consistency/game/expert_60_changed_1.txt", tmp_path / "sets.jsonl"
    program = "import sys; from cpmines.__main__ import main; sys.argv[0] = 'cpmines'; main()"
    words = ["explain", str(board), "--all", "--format", "json", "-o", str(path)]
    process = subprocess.Popen([sys.executable, "-c", program, *words], stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if path.exists() and path.read_text().count("\n") >= 3:
            break
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)
    error = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 130
    assert "there may be more" in error
    assert "Traceback" not in error
    assert all(json.loads(line)["status"] == "infeasible" for line in path.read_text().splitlines())


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; sys.argv = ['cpmines', 'explain', '--help']\n"
        "from cpmines.__main__ import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "heavy = {'ortools', 'pysat', 'scipy', 'pandas'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Example:" in done.stdout
