"""How much the tests try: with ``--slow`` all that they can, else a part that has every kind of case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

__all__ = ["set_effort", "some", "spread", "thorough"]

C = TypeVar("C")

_PARTS = {"quick": 3, "default": 1, "slow": 0}
_level = "default"


def set_effort(level: str) -> None:
    """``quick``, ``default`` or ``slow``, before the modules of tests are imported."""
    global _level
    _level = level


def some(most: int, usual: int) -> int:
    """So many cases are tried: `most` with ``--slow``, `usual` without, a third of that with ``--quick``."""
    part = _PARTS[_level]
    return max(1, usual // part) if part else most


def spread(cases: Sequence[C], usual: int) -> list[C]:
    """All the cases with ``--slow``; else so many of them, from the first to the last."""
    count = min(len(cases), some(len(cases), usual))
    return [cases[k * (len(cases) - 1) // max(1, count - 1)] for k in range(count)]


def thorough() -> bool:
    """With ``--slow``."""
    return _level == "slow"
