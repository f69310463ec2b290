"""The values of CSPLib prob032, and all backends beside every board."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from cpmines_stilllife.backends import brute, direct
from cpmines_stilllife.problem import PROBLEM, Size, StillLife

from cpmines import registry
from cpmines.answer import Answer, Limits, Status
from cpmines.certificate import write
from cpmines.check import check
from cpmines.errors import WrongAnswerError
from cpmines.run import run

SQUARES = (0, 4, 6, 8, 16, 18, 28, 36, 43, 54)


@pytest.mark.parametrize("side", range(1, 9))
def test_squares(side: int) -> None:
    answer = direct.solve(Size(side, side), Limits())
    assert answer.value is not None
    assert answer.value.live == SQUARES[side - 1]
    assert not PROBLEM.judge(Size(side, side), PROBLEM.ask(), answer.value)


@pytest.mark.slow
@pytest.mark.parametrize("side", [9, 10])
def test_large_squares(side: int) -> None:
    test_squares(side)


@pytest.mark.parametrize("backend", ["direct", "cpsat", "cpsat:plain", "sat", "maxsat"])
def test_every_small_board(backend: str) -> None:
    for rows in range(1, 4):
        for cols in range(1, 5):
            right = brute.solve(Size(rows, cols), Limits()).value
            found = run("stilllife", Size(rows, cols), backend, Limits(60))
            assert found.trusted, found
            assert found.status is Status.SOLVED
            assert found.value.live == right.live, (rows, cols)


def test_a_birth_outside_is_a_fault() -> None:
    line = StillLife.of([[True, True, True]])
    assert any(
        "dead cell in row 0, column 2" in fault for fault in PROBLEM.judge(Size(1, 3), PROBLEM.ask(), line)
    )


@pytest.mark.parametrize(("backend", "evidence"), [("direct", "refutation"), ("exact", "cutting")])
@pytest.mark.parametrize("size", [Size(1, 1), Size(2, 3), Size(3, 3), Size(4, 5), Size(5, 5)], ids=str)
def test_certificates(size: Size, backend: str, evidence: str, tmp_path: Path) -> None:
    if backend not in registry.backend_names("stilllife"):
        pytest.skip(f"{backend} is not installed")
    found = run("stilllife", size, backend, Limits(60))
    written = write("stilllife", size, found, tmp_path / "proof", Limits(60))
    assert written.folder is not None, written.note
    verdict = check(written.folder)
    assert verdict.accepted, verdict.fault
    answer = tmp_path / "proof" / "answer.json"
    said = json.loads(answer.read_text())
    assert said["evidence"] == evidence
    if said["value"]["live"]:
        answer.write_text(json.dumps({**said, "value": {"live": 0, "board": ["." * size.cols] * size.rows}}))
        assert not check(written.folder).accepted


def test_a_claim_of_too_few_is_found(tmp_path: Path) -> None:
    found = run("stilllife", Size(3, 3), "direct", Limits())
    empty = replace(found, answer=Answer.solved(StillLife.of([[False] * 3] * 3)))
    with pytest.raises(WrongAnswerError):
        write("stilllife", Size(3, 3), empty, tmp_path / "proof")


def test_it_is_registered() -> None:
    assert "stilllife" in registry.problem_names()
    assert registry.versions("stilllife", "direct")["cpmines-stilllife"]
