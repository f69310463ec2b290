"""The definition: every way to put mines into the unknown cells, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.errors import LimitError

__all__ = ["MOST_UNKNOWN", "laid_out", "placements"]

Cell = tuple[int, int]

MOST_UNKNOWN = 20
BATCH = 1 << 12


def placements(position: Position, limits: Limits) -> Iterator[set[Cell]]:
    """The mines of each placement, as sets of (row, column).

    Ways are numbered by the unknown cells as binary digits, the first cell the highest, and looked at `BATCH`
    at a time.

    Raises
    ------
    LimitError
        There are more than `MOST_UNKNOWN` unknown cells, or time is up.
    """
    unknown = position.cells == UNKNOWN
    if (count := int(unknown.sum())) > MOST_UNKNOWN:
        note = f"{count} unknown cells, brute force takes up to {MOST_UNKNOWN}"
        raise LimitError(Stop.DECLINED, note)
    cells = [(int(row), int(col)) for row, col in np.argwhere(unknown)]
    known = {(int(row), int(col)) for row, col in np.argwhere(position.cells == MINE)}
    digits = np.arange(len(cells))[::-1, None]
    sums = list(required(position, cells, known))
    for first in range(0, 1 << len(cells), BATCH):
        limits.check()
        numbers = np.arange(first, min(first + BATCH, 1 << len(cells)))
        ways = (numbers >> digits & 1).astype(np.bool_)
        for places, mines in sums:
            ways = ways[:, ways[places].sum(axis=0) == mines]
        for way in ways.T.tolist():
            yield known | {cell for cell, mine in zip(cells, way, strict=True) if mine}


def required(position: Position, cells: list[Cell], known: set[Cell]) -> Iterator[tuple[list[int], int]]:
    """Which of the unknown cells must have how many mines together: the total, and one sum for each clue."""
    if position.mines is not None:
        yield list(range(len(cells))), position.mines - len(known)
    for row, col in np.argwhere(position.cells >= 0).tolist():
        near = [k for k, cell in enumerate(cells) if touch(cell, (row, col))]
        yield near, int(position.cells[row, col]) - sum(touch(cell, (row, col)) for cell in known)


def touch(one: Cell, other: Cell) -> bool:
    """Are two different cells at most one row and one column apart?"""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def laid_out(position: Position, mines: set[Cell]) -> NDArray[np.bool_]:
    """The mines as they lie on the board, bool (rows, cols)."""
    found = np.zeros(position.shape, np.bool_)
    for cell in mines:
        found[cell] = True
    return found
