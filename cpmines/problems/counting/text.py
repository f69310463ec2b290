"""Counts and probabilities for people."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.board import Position
from cpmines.numerals import approximate, decimal, plural
from cpmines.problems.counting.values import Counts, digits

__all__ = ["headline", "picture"]

SHORT = 10**9


def headline(value: Counts) -> str:
    if value.count is None:
        return "consistent"
    return plural(value.count, "placement", approximate)


def picture(position: Position, value: Counts) -> str:
    """The whole count, the counts by mines, the board with probabilities."""
    lines = []
    if value.count is not None and value.count >= SHORT:
        lines.append(f"{decimal(value.count)} placements, about {approximate(value.count)}")
    for mines, count in (value.by_mines or {}).items():
        lines.append(f"{plural(mines, 'mine')}: {approximate(count)}")
    if value.probability is not None:
        lines += _grid(position, value.probability, value.fractions)
    return "\n".join(lines)


def _grid(
    position: Position, chances: NDArray[np.float64], fractions: NDArray[np.object_] | None
) -> list[str]:
    shown = [list(row) for row in position.rows()]
    for row, probabilities in enumerate(chances.tolist()):
        for col, probability in enumerate(probabilities):
            if probability == probability:
                ratio = None if fractions is None else fractions[row, col]
                shown[row][col] = percent(probability) if ratio is None else digits(ratio)
    width = 1 + max(len(word) for row in shown for word in row)
    return ["".join(word.rjust(width) for word in row) for row in shown]


def percent(probability: float) -> str:
    """Whole per cents; 0% and 100% only for what is certain, ``<1%`` and ``>99%`` for what nearly is."""
    if probability in (0.0, 1.0):
        return f"{probability:.0%}"
    return "<1%" if probability < 0.01 else ">99%" if probability > 0.99 else f"{probability:.0%}"
