"""The definition: every board, every cell."""

from __future__ import annotations

import numpy as np

from cpmines.answer import Answer, Limits
from cpmines.grid import neighbour_table
from cpmines.problem import Function
from cpmines.problems.maxmines.problem import MaxMines, Rectangle

__all__ = ["BACKEND", "solve"]

MOST_CELLS = 20
BATCH = 1 << 14


def solve(instance: Rectangle, limits: Limits) -> Answer[MaxMines]:
    """Boards are numbered by their cells as binary digits and looked at `BATCH` at a time."""
    rows, cols = instance.rows, instance.cols
    cells = rows * cols
    if cells > MOST_CELLS:
        return Answer.declined(f"{cells} cells, at most {MOST_CELLS}")
    touches = np.zeros((cells, cells), np.float32)
    for cell, around in enumerate(neighbour_table(rows, cols)):
        touches[cell, around[around >= 0]] = 1
    degree = touches.sum(axis=1)
    best = np.zeros(cells, np.bool_)
    for first in range(0, 1 << cells, BATCH):
        limits.check()
        numbers = np.arange(first, min(first + BATCH, 1 << cells))
        boards = (numbers[:, None] >> np.arange(cells) & 1).astype(np.bool_)
        mines = boards.astype(np.float32) @ touches
        right = np.where(boards, mines < degree, mines <= instance.bound).all(axis=1)
        size = np.where(right, boards.sum(axis=1), -1)
        if size.max() > best.sum():
            best = boards[size.argmax()]
    return Answer.solved(MaxMines.of(best.reshape(rows, cols)))


BACKEND = Function(solve, f"every board of up to {MOST_CELLS} cells")
