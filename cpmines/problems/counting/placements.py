"""Answers from all placements, one by one, or from their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, UNKNOWN, Position
from cpmines.engine import Tally
from cpmines.inference.chance import chance
from cpmines.problems.counting.values import Counts

__all__ = ["chances", "chances_of_tally", "count_of_tally", "numbers"]


def numbers(mines: Iterable[int]) -> Counts:
    """Count and counts by mines, from the number of mines of each placement."""
    by_mines = dict(sorted(Counter(mines).items()))
    return Counts(sum(by_mines.values()), by_mines)


def chances(
    position: Position,
    placements: Sequence[NDArray[np.bool_]],
    density: Fraction | None = None,
    fractions: bool | None = None,
) -> Counts:
    """Numbers and probabilities, from all placements, at least one; bool (rows, cols) each."""
    totals = [int(mines.sum()) for mines in placements]
    weights: list[Fraction | int] = [1] * len(totals)
    if density is not None:
        fewest, most = min(totals), max(totals)
        weights = [density ** (total - fewest) * (1 - density) ** (most - total) for total in totals]
    ratios = []
    for row, col in np.argwhere(position.cells == UNKNOWN).tolist():
        holding = sum(weight for weight, mines in zip(weights, placements, strict=True) if mines[row, col])
        ratios.append(Fraction(holding) / Fraction(sum(weights)))
    return _with_ratios(position, numbers(totals), ratios, fractions)


def count_of_tally(position: Position, tally: Tally) -> Counts:
    """Numbers, from that of the placements, which is not 0."""
    by_mines = None if position.mines is None else {position.mines: tally.count}
    if tally.by_size is not None:
        known = int((position.cells == MINE).sum())
        by_mines = {known + size: count for size, count in enumerate(tally.by_size) if count}
    return Counts(tally.count, by_mines)


def chances_of_tally(position: Position, tally: Tally, fractions: bool | None = None) -> Counts:
    """Numbers and probabilities, from how many placements have a mine in each cell."""
    ratios = [Fraction(holding, tally.count) for holding in tally.true]
    return _with_ratios(position, count_of_tally(position, tally), ratios, fractions)


def _with_ratios(position: Position, found: Counts, ratios: list[Fraction], fractions: bool | None) -> Counts:
    """The same with a probability for each unknown cell, in reading order."""
    unknown = position.cells == UNKNOWN
    probability, exact = np.full(position.shape, np.nan), np.full(position.shape, None, np.object_)
    probability[unknown] = [chance(ratio) for ratio in ratios]
    exact[unknown] = ratios
    return replace(found, probability=probability, fractions=exact if fractions else None)
