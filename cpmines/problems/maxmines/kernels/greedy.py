"""A greedy board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel

__all__ = ["greedy"]


@kernel
def fits(board: NDArray[np.bool_], mines: NDArray[np.int8], row: int, col: int, most: int) -> bool:
    """May the empty cell become a mine? `mines` counts those around each cell."""
    rows, cols = board.shape
    empty = 0
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(col - 1, 0), min(col + 2, cols)):
            if r == row and c == col:
                continue
            around = (min(r + 2, rows) - max(r - 1, 0)) * (min(c + 2, cols) - max(c - 1, 0)) - 1
            if mines[r, c] + 1 > (around - 1 if board[r, c] else most):
                return False
            empty += not board[r, c]
    return empty > 0


@kernel
def greedy(board: NDArray[np.bool_], mines: NDArray[np.int8], start: int, stop: int, most: int) -> None:
    """Turn cells of the rows from `start` to `stop` into mines in reading order, where the rules allow."""
    rows, cols = board.shape
    for row in range(start, stop):
        for col in range(cols):
            if not board[row, col] and fits(board, mines, row, col, most):
                board[row, col] = True
                for r in range(max(row - 1, 0), min(row + 2, rows)):
                    for c in range(max(col - 1, 0), min(col + 2, cols)):
                        mines[r, c] += r != row or c != col
