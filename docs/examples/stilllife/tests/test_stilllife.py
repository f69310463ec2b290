"""The values of CSPLib prob032, and all backends beside every board."""

from __future__ import annotations

import pytest
from cpmines_stilllife.backends import brute, direct
from cpmines_stilllife.problem import PROBLEM, Size, StillLife

from cpmines import registry
from cpmines.answer import Limits, Status
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


def test_it_is_registered() -> None:
    assert "stilllife" in registry.problem_names()
    assert registry.versions("stilllife", "direct")["cpmines-stilllife"]
