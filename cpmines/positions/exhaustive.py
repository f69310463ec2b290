"""The definition: every way to put mines into the unknown cells, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.errors import LimitError

__all__ = ["MOST_UNKNOWN", "laid_out", "placements"]

Cell = tuple[int, int]

MOST_UNKNOWN = 20
CHECK_EVERY = 256


def placements(position: Position, limits: Limits) -> Iterator[set[Cell]]:
    """The mines of each placement, as sets of (row, column).

    Raises
    ------
    LimitError
        There are more than `MOST_UNKNOWN` unknown cells, or time is up.
    """
    rows, cols = position.shape
    cells = position.cells.tolist()
    places = [(row, col) for row in range(rows) for col in range(cols)]
    unknown = [(row, col) for row, col in places if cells[row][col] == UNKNOWN]
    if len(unknown) > MOST_UNKNOWN:
        note = f"{len(unknown)} unknown cells, brute force takes up to {MOST_UNKNOWN}"
        raise LimitError(Stop.DECLINED, note)
    known = {(row, col) for row, col in places if cells[row][col] == MINE}
    clues = [(row, col) for row, col in places if cells[row][col] >= 0]
    for k, choice in enumerate(product((False, True), repeat=len(unknown))):
        if k % CHECK_EVERY == 0:
            limits.check()
        mines = known | {cell for cell, mine in zip(unknown, choice, strict=True) if mine}
        if position.mines not in (None, len(mines)):
            continue
        if all(cells[row][col] == mines_around(row, col, mines) for row, col in clues):
            yield mines


def mines_around(row: int, col: int, mines: set[Cell]) -> int:
    block = {(r, c) for r in range(row - 1, row + 2) for c in range(col - 1, col + 2)}
    return len((block - {(row, col)}) & mines)


def laid_out(position: Position, mines: set[Cell]) -> NDArray[np.bool_]:
    """The mines as they lie on the board, bool (rows, cols)."""
    rows, cols = position.shape
    return np.array([[(row, col) in mines for col in range(cols)] for row in range(rows)], np.bool_)
