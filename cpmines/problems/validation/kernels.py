"""Kernels of `direct`. `cells` is the int8 array of a Board, of shape (rows, cols)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel

__all__ = ["count_wrong", "list_wrong"]

Cells = NDArray[np.int8]


@kernel
def column_sums(cells: Cells, row: int, sums: Cells) -> None:
    """Set ``sums[1:-1]`` to the mines of the rows row - 1, row, row + 1 in each column; int8 (cols + 2,)."""
    rows, cols = cells.shape
    above, below = max(row - 1, 0), min(row + 1, rows - 1)
    for col in range(cols):
        sums[col + 1] = cells[row, col] < 0
    if above != row:
        for col in range(cols):
            sums[col + 1] += cells[above, col] < 0
    if below != row:
        for col in range(cols):
            sums[col + 1] += cells[below, col] < 0


@kernel
def count_wrong(cells: Cells) -> NDArray[np.int64]:
    """Number of wrong clues in each row, int64 (rows,)."""
    rows, cols = cells.shape
    sums = np.zeros(cols + 2, np.int8)
    wrong = np.zeros(rows, np.int64)
    for row in range(rows):
        column_sums(cells, row, sums)
        bad = 0
        for col in range(cols):
            mines = np.int8(sums[col] + sums[col + 1] + sums[col + 2])
            bad += (cells[row, col] >= 0) & (cells[row, col] != mines)
        wrong[row] = bad
    return wrong


@kernel
def list_wrong(cells: Cells, wrong_by_row: NDArray[np.int64], wrong: NDArray[np.int32]) -> None:
    """Fill `wrong`, int32 (wrong, 4), with row, column, clue, mines; only rows with a wrong clue are read."""
    rows, cols = cells.shape
    sums = np.zeros(cols + 2, np.int8)
    k = 0
    for row in range(rows):
        if wrong_by_row[row] == 0:
            continue
        column_sums(cells, row, sums)
        for col in range(cols):
            mines = sums[col] + sums[col + 1] + sums[col + 2]
            if cells[row, col] >= 0 and cells[row, col] != mines:
                wrong[k, 0], wrong[k, 1], wrong[k, 2], wrong[k, 3] = row, col, cells[row, col], mines
                k += 1
