"""Values as `repr` shows them."""

from __future__ import annotations

import pytest

from cpmines import solve


@pytest.mark.parametrize(
    ("problem", "text", "number"),
    [
        ("counting", f"130 130\n{('.' * 130 + chr(10)) * 130}", "count=2^16900"),
        ("mosaic", f"130 130\n{('.' * 130 + chr(10)) * 130}", "solutions=2^16900"),
    ],
)
def test_runs_with_long_numbers_can_be_shown(problem: str, text: str, number: str) -> None:
    assert number in repr(solve(problem, text))


def test_values_are_shown_as_dataclasses_are() -> None:
    assert "MaxMines(mines=0, board=array([[False]]), bound=0, repeat=None, " in repr(
        solve("maxmines", "1 1 1")
    )
