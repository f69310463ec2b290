"""The answer from all placements, one by one, or from their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, UNKNOWN
from cpmines.engine import Tally
from cpmines.inference.chance import chance
from cpmines.problems.counting.problem import Counts, Query

__all__ = ["counted", "from_tally"]


def counted(query: Query, placements: Sequence[NDArray[np.bool_]]) -> Counts:
    """The answer to `query`, from all placements, at least one; bool (rows, cols) each.

    Samples are not drawn.
    """
    totals = [int(mines.sum()) for mines in placements]
    by_mines = dict(sorted(Counter(totals).items()))
    weights: list[Fraction | int] = [1] * len(totals)
    if query.density is not None:
        p, q, fewest, most = query.density, 1 - query.density, min(totals), max(totals)
        weights = [p ** (total - fewest) * q ** (most - total) for total in totals]
    everything = sum(weights)
    ratios = np.full(query.shape, None, np.object_)
    probability = np.full(query.shape, np.nan)
    for row, col in np.argwhere(query.cells == UNKNOWN).tolist():
        holding = sum(weight for weight, mines in zip(weights, placements, strict=True) if mines[row, col])
        ratios[row, col] = Fraction(holding) / Fraction(everything)
        probability[row, col] = chance(ratios[row, col])
    shown = ratios if query.fractions else None
    return Counts(len(placements), by_mines, probability, shown, layouts=tuple(placements[: query.layouts]))


def from_tally(query: Query, tally: Tally) -> Counts:
    """The answer from the number of placements, at least one, and of those with a mine in each cell."""
    ratios = np.full(query.shape, None, np.object_)
    probability = np.full(query.shape, np.nan)
    for (row, col), holding in zip(np.argwhere(query.cells == UNKNOWN).tolist(), tally.true, strict=True):
        ratios[row, col] = Fraction(holding, tally.count)
        probability[row, col] = chance(ratios[row, col])
    by_mines = {query.mines: tally.count} if query.mines is not None else None
    if tally.by_size is not None:
        known = int((query.cells == MINE).sum())
        by_mines = {known + size: count for size, count in enumerate(tally.by_size) if count}
    return Counts(tally.count, by_mines, probability, ratios if query.fractions else None)
