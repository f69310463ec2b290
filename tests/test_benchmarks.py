"""``python -m benchmarks``: rivals give the same answer, two versions are compared, a start is timed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.paired import Work
from benchmarks.paired.digest import digest
from benchmarks.paired.race import race
from benchmarks.paired.sides import SideError
from benchmarks.soak import Turn, plan_of, turns
from benchmarks.soak.command import joined, lines_of
from cpmines import registry
from cpmines.answer import Answer
from cpmines.problem import Function, Trust
from cpmines.registry import backends

from .conftest import REPOSITORY

LOAD = backends._load


def benchmarks(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)


def test_rivals_agree() -> None:
    done = benchmarks("validation", "bot", "analysis", "--scale", "0.0005")
    assert done.returncode == 0, done.stderr
    assert "scipy convolve" in done.stdout
    assert "DIFFERS" not in done.stdout
    assert re.search(r"won \d+\.\d+% \(\d", done.stdout)


def test_an_unknown_name() -> None:
    done = benchmarks("nope")
    assert done.returncode == 2
    assert "no benchmark named 'nope'" in done.stderr


def test_help_names_the_tools() -> None:
    done = benchmarks("--help")
    assert done.returncode == 0, done.stderr
    assert all(name in done.stdout for name in ("rivals", "faults", "interrupts", "paired", "soak", "start"))


def paired(*words: str) -> subprocess.CompletedProcess[str]:
    return benchmarks("paired", "--scale", "0.0005", "--repeat", "1", *words)


def test_a_version_against_itself() -> None:
    done = paired("--baseline", sys.executable, "--only", "validation", "--only", "greedy")
    assert done.returncode == 0, done.stderr
    assert re.search(r"validation: from text +\d+ x \d+ +[\d.]+ .s +[\d.]+ .s +\d\.\d{3}", done.stdout)
    assert "0 with another answer or none" in done.stdout
    assert done.stdout.count(" against ") == 1


def test_every_room_has_works() -> None:
    done = paired("--baseline", "python", "--list", "--instances", str(REPOSITORY / "instances"))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(set(lines)) == len(lines) > 50
    for room in ("inference", "analysis", "maxmines", "reconstruction", "mosaic", "validation", "instances"):
        assert any(room in line for line in lines)


def test_no_cpmines_to_compare_with() -> None:
    done = paired("--baseline", "no-such-python", "--only", "validation")
    assert done.returncode == 2
    assert "no cpmines to compare with: no-such-python" in done.stderr
    done = paired("--baseline", sys.executable, "--only", "nope")
    assert done.returncode == 2
    assert "no work has 'nope' in its line" in done.stderr


class Scripted:
    """A side whose work takes so many seconds, and has an answer of this digest."""

    def __init__(self, seconds: float, answer: str = "same") -> None:
        self.seconds, self.answer, self.asked = seconds, answer, 0

    def ask(self, **request: Any) -> dict[str, Any]:
        self.asked += 1
        if self.answer == "none":
            raise SideError("ended with exit code -9")
        return {"seconds": self.seconds, "digest": self.answer}


WORK = Work("room: work", "3 x 3", lambda: lambda: None)


def against(baseline: Scripted, here: Scripted) -> Any:
    return race(WORK, baseline, here, 2)  # type: ignore[arg-type]


def test_a_slower_version_is_measured_more_often() -> None:
    sides = Scripted(1.0), Scripted(1.04)
    assert not against(*sides).slower
    assert [side.asked for side in sides] == [3, 3]
    sides = Scripted(1.0), Scripted(1.06)
    assert against(*sides).slower
    assert [side.asked for side in sides] == [7, 7]


def test_another_answer_or_none() -> None:
    assert against(Scripted(1.0), Scripted(1.0)).trouble == ""
    assert against(Scripted(1.0), Scripted(1.0, "other")).trouble == "ANOTHER ANSWER"
    assert against(Scripted(1.0), Scripted(1.0, "none")).trouble == "here: ended with exit code -9"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([1, 2], [12]),
        ([[1], 2], [[1, 2]]),
        (np.zeros((2, 3), np.int8), np.zeros((3, 2), np.int8)),
        (np.array([0.5, 0.25]), np.array([0.5, 0.2501])),
        (None, []),
        ({"a": 1}, {"a": 2}),
    ],
)
def test_different_answers_have_different_digests(first: Any, second: Any) -> None:
    assert digest(first) != digest(second)


def test_equal_answers_have_equal_digests() -> None:
    chances = np.array([0.0, 1.0, 0.5, 0.0078125, 1 / 3, 1e-9])
    assert digest(chances) == digest(chances * (1 + 1e-13)) == digest(chances * (1 - 1e-13))
    assert digest(np.array([1, 2], np.int8)) == digest(np.array([1, 2]))
    assert digest({"a": 1, "b": (2, None)}) == digest({"b": [2, None], "a": 1})
    assert digest(10**5000) == digest(10**5000) != digest(10**5000 + 1)


def test_a_start_is_timed() -> None:
    done = benchmarks("start", "--python", sys.executable, "--repeat", "1", "--problem", "validation")
    lines = [line.split() for line in done.stdout.splitlines()]
    for what in ("import numpy", "import cpmines", "--help", "solve validation", "first solve validation"):
        words = what.split()
        assert any(line[: len(words)] == words for line in lines), done.stderr
    assert "pip install" not in done.stdout
    assert done.returncode == ("missed" in done.stdout)


def test_a_start_without_cpmines() -> None:
    done = benchmarks("start", "--python", __file__, "--problem", "validation")
    assert done.returncode == 1
    assert "Error: " in done.stderr


def soak(log: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return benchmarks(
        "soak", "--seconds", "100", "--turns", "2", "--workers", "2", "--problem", "validation",
        "--log", str(log), "-o", str(log.parent), *words,
    )  # fmt: skip


def test_a_soak_goes_on_where_it_ended(tmp_path: Path) -> None:
    log = tmp_path / "soak.jsonl"
    for reached in (2, 4):
        done = soak(log)
        assert done.returncode == 0, done.stderr
        assert f"go on with: --seed 0 --start {reached}" in done.stdout
    first, second = (json.loads(line) for line in log.read_text().splitlines())
    assert (first["problem"], first["start"], second["start"], second["next"]) == ("validation", 0, 2, 4)
    assert 0 < first["rounds"] < first["pairs"]
    assert f"{first['rounds'] + second['rounds']:,}" in done.stdout
    assert {"cpmines", "numpy"} <= set(first["versions"])


def test_turns_are_drawn_by_their_number() -> None:
    names = tuple(registry.problem_names())
    plans = [plan_of(Turn(1, number, names, 1.0)) for number in range(60)]
    assert plans == [plan_of(Turn(1, number, names, 1.0)) for number in range(60)]
    assert {plan.problem for plan in plans} == set(names)
    assert {plan.size for plan in plans} == {"tiny", "small", "medium"}
    assert len({plan.start for plan in plans}) == 60
    assert len({plan.asked for plan in plans}) > len(names)
    for plan in plans:
        assert len(plan.backends) > 1
        for name in plan.backends:
            assert registry.backend(plan.problem, name).trust is Trust.EXACT


def test_a_soak_says_what_it_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(Turn(0, 0, ("validation",), 1.0))
    wrong = Function(lambda board, limits: Answer.infeasible(), "", packages=())
    monkeypatch.setattr(backends, "_load", lambda name, base: wrong if base == "direct" else LOAD(name, base))
    plan = replace(plan, backends=("brute", "direct"), asked=registry.problem("validation").ask("wrong"))
    monkeypatch.setattr(turns, "plan_of", lambda turn: plan)
    report = turns.one_turn(Turn(0, 0, ("validation",), 1.0), tmp_path, time.time() + 100)
    assert "direct is wrong" in report.finds[0]
    assert len(list((tmp_path / "validation").glob("*.txt"))) == len(report.finds) == 1


def test_the_table_of_the_documentation_is_that_of_its_log() -> None:
    page = (REPOSITORY / "docs" / "soak.md").read_text(encoding="utf-8")
    records = list(joined(lines_of(REPOSITORY / "docs" / "soak.jsonl")))
    assert [record.problem for record in records] == registry.problem_names()
    for record in records:
        assert f"| {record.problem} | {record.rounds:,} | {record.pairs:,} | {record.finds} |" in page
