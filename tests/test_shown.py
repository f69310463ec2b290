"""Values as `repr` shows them."""

from __future__ import annotations

import pytest

from cpmines import solve


@pytest.mark.parametrize(
    ("problem", "number"), [("counting", "count=2^16900"), ("mosaic", "solutions=2^16900")]
)
def test_runs_with_long_numbers_can_be_shown(problem: str, number: str) -> None:
    text = f"130 130\n{('.' * 130 + chr(10)) * 130}"
    assert number in repr(solve(problem, text, ask="count"))


def test_values_are_shown_as_dataclasses_are() -> None:
    assert "MaxMines(mines=0, board=array([[False]]), bound=0, repeat=None, " in repr(
        solve("maxmines", "1 1 1")
    )
