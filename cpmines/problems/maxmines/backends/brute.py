"""The definition: every board, every cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

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
    for cell, near in enumerate(neighbour_table(rows, cols)):
        touches[cell, near[near >= 0]] = 1
    degree = touches.sum(axis=1)
    best, most = np.zeros((0, cells), np.bool_), 0
    for first in range(0, 1 << cells, BATCH):
        limits.check()
        numbers = np.arange(first, min(first + BATCH, 1 << cells))
        boards = (numbers[:, None] >> np.arange(cells) & 1).astype(np.bool_)
        mines = boards.astype(np.float32) @ touches
        right = np.where(boards, mines < degree, mines <= instance.around).all(axis=1)
        size = np.where(right, boards.sum(axis=1), -1)
        if size.max() > most:
            best, most = best[:0], size.max()
        best = np.concatenate([best, boards[size == most]])
    return Answer.solved(_value(instance, best))


def _value(instance: Rectangle, best: NDArray[np.bool_]) -> MaxMines:
    """What is asked of all best boards, which have shape (boards, cells)."""
    boards = best.reshape(-1, instance.rows, instance.cols)
    value = MaxMines.of(boards[0])
    if not (instance.count or instance.every):
        return value
    different = len({min(_images(board)) for board in boards})
    value = replace(value, optimal_boards=len(boards), distinct_boards=different)
    return replace(value, boards=boards) if instance.every else value


def _images(board: NDArray[np.bool_]) -> Iterator[bytes]:
    """The board under every symmetry of its rectangle."""
    rows, cols = board.shape
    for turned in [board, board.T] if rows == cols else [board]:
        for down in (1, -1):
            for across in (1, -1):
                yield turned[::down, ::across].tobytes()


BACKEND = Function(solve, f"every board of up to {MOST_CELLS} cells")
