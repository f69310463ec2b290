"""The definition: every board, every cell, inside and just outside."""

from __future__ import annotations

import numpy as np

from cpmines.answer import Answer, Limits
from cpmines.grid import neighbour_table
from cpmines.problem import Function
from cpmines_stilllife.problem import Size, StillLife

__all__ = ["BACKEND", "solve"]

MOST_CELLS = 20
BATCH = 1 << 14


def solve(instance: Size, limits: Limits) -> Answer[StillLife]:
    """Boards are numbered by their cells as binary digits and looked at `BATCH` at a time."""
    rows, cols = instance.rows, instance.cols
    if rows * cols > MOST_CELLS:
        return Answer.declined(f"{rows * cols} cells, at most {MOST_CELLS}")
    inside = np.pad(np.ones((rows, cols), np.bool_), 1).ravel()
    touches = np.zeros((inside.size, inside.size), np.float32)
    for cell, around in enumerate(neighbour_table(rows + 2, cols + 2)):
        touches[cell, around[around >= 0]] = 1
    best = np.zeros((rows, cols), np.bool_)
    for first in range(0, 1 << rows * cols, BATCH):
        limits.check()
        numbers = np.arange(first, min(first + BATCH, 1 << rows * cols))
        boards = np.zeros((len(numbers), inside.size), np.bool_)
        boards[:, inside] = numbers[:, None] >> np.arange(rows * cols) & 1
        around = boards.astype(np.float32) @ touches
        stable = np.where(boards, (around == 2) | (around == 3), around != 3).all(axis=1)
        live = np.where(stable, boards.sum(axis=1), -1)
        if live.max() > best.sum():
            best = boards[live.argmax(), inside].reshape(rows, cols)
    return Answer.solved(StillLife.of(best))


BACKEND = Function(solve, f"every board of up to {MOST_CELLS} cells")
