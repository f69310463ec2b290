"""A check that reaches a limit has no verdict: it neither accepts nor rejects."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from cpmines.answer import Limits
from cpmines.board import Position
from cpmines.certificate import write
from cpmines.check import apart, check
from cpmines.check.deciding import decide
from cpmines.errors import EngineError
from cpmines.run import solve
from tests.certificate.test_false_claims import forge, refuted
from tests.cli.conftest import Cpmines
from tests.patience import PATIENCE, exists, within

HUGE = 10**18
FILES = {
    "formula.cnf": "p cnf 1 1\n0\n",
    "map.json": json.dumps(
        {
            "cells": f"variables 1 to {HUGE} are the cells in reading order, c1 first; true is a mine",
            "sums": {},
            "counts": {},
        }
    ),
    "proof.drat": "0\n",
}


def long_count(folder: Path, digits: int) -> None:
    """A claim of a number of placements that has so many digits."""
    count = "7" * digits
    value = {"count": count, "by_mines": {"1": count}, "probability": [[0.5, None, 0.5]]}
    forge(folder, "counting", "recount", "1 3\n.1.\n", {}, value)


@pytest.mark.parametrize("value", [None, {"mines": HUGE - 1, "board": ["*"]}])
@pytest.mark.parametrize("evidence", ["refutation", "cutting"])
def test_a_few_words_demand_a_huge_board(evidence: str, value: Any, cpmines: Cpmines, tmp_path: Path) -> None:
    """These took 7.7 GB, and the memory of a machine."""
    forge(tmp_path / "a", "maxmines", evidence, f"1\n1 {HUGE} 8\n", FILES, value)
    done = cpmines("check", tmp_path / "a")
    if value is None:
        assert done.code == 3
        assert "no verdict: checking a board of 1.00e18 cells needs" in done.out
    else:
        assert done.code == 1
    assert "accepted" not in done.out


def test_a_limit_of_time(cpmines: Cpmines, tmp_path: Path) -> None:
    long_count(tmp_path / "a", 3_000_000)
    start = time.monotonic()
    done = cpmines("check", tmp_path / "a", "--time-limit", "0.5")
    assert time.monotonic() - start < PATIENCE
    assert (done.code, done.out.count("no verdict: time limit")) == (3, 1)
    assert "accepted" not in done.out


def test_a_limit_of_memory(cpmines: Cpmines, tmp_path: Path) -> None:
    long_count(tmp_path / "a", 100_000)
    done = cpmines("check", tmp_path / "a", "--memory-limit", "50", "--format", "json")
    assert done.code == 3
    record = json.loads(done.out)
    assert (record["accepted"], record["fault"], record["stopped"]) == (False, "", "memory limit")


def test_a_long_count_is_rejected_in_time(tmp_path: Path) -> None:
    """It was read in quadratic time."""
    long_count(tmp_path / "a", 200_000)
    assert "the judge rejects the value" in check(tmp_path / "a").fault


def test_others_are_checked_after_one_without_a_verdict(cpmines: Cpmines, tmp_path: Path) -> None:
    forge(tmp_path / "a", "maxmines", "refutation", f"1\n1 {HUGE} 8\n", FILES)
    cpmines("solve", "consistency", "--certificate", tmp_path / "b", stdin=b"2 3\n.1.\n.2.\n")
    done = cpmines("check", tmp_path)
    assert done.code == 3
    assert done.out.endswith("  accepted\n")
    assert refuted(tmp_path / "c", "1 2\n1.\n", 2, ["2 0", "-2 0"], "0\n").fault
    assert cpmines("check", tmp_path).code == 1


def test_drat_trim_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, number = tmp_path / "drat-trim", tmp_path / "number"
    program.write_text(f"#!/bin/sh\necho $$ > {number}\nexec sleep 1000\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr("cpmines.check.refutation.LARGE_PROOF", 1)
    position = Position.parse("2 3\n.1.\n.2.\n")
    write("consistency", position, solve("consistency", position), tmp_path / "a")
    verdict = decide(tmp_path / "a", Limits(1.0).begin())
    assert verdict.stopped == "time limit", verdict
    assert within(PATIENCE, lambda: not exists(int(number.read_text())))


def test_a_check_that_breaks_has_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*request: Any) -> Any:
        raise EngineError("the solver's process ended with SIGSEGV: it said nothing")

    forge(tmp_path / "a", "validation", "judge", "1 2\n1*\n", {}, {"valid": True, "wrong": []})
    assert check(tmp_path / "a").accepted
    monkeypatch.setattr(apart, "converse", broken)
    verdict = check(tmp_path / "a")
    assert not verdict.accepted
    assert "SIGSEGV" in verdict.stopped
