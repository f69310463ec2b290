"""3x3 arithmetic on arrays: box sums, neighbour counts, neighbour tables. Cells outside do not exist."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["box_sums", "neighbour_counts", "neighbour_table", "neighbours"]

OFFSETS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def box_sums(mask: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Number of true cells in the 3x3 block around each cell, itself included; int8, same shape.

    Separable: three shifted rows are added, then three shifted columns.
    """
    cells = mask.view(np.int8)
    across = cells.copy()
    across[:, 1:] += cells[:, :-1]
    across[:, :-1] += cells[:, 1:]
    sums = across.copy()
    sums[1:] += across[:-1]
    sums[:-1] += across[1:]
    return sums


def neighbour_counts(mask: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Number of true cells among the up to eight neighbours of each cell; int8, same shape."""
    return box_sums(mask) - mask.view(np.int8)


def neighbours(cells: NDArray[np.int64], rows: int, cols: int) -> NDArray[np.int64]:
    """Flat index of the neighbours of `cells` (flat indices), shape (cells, 8), -1 where there is none."""
    row, col = np.divmod(cells, cols)
    table = np.empty((len(cells), 8), np.int64)
    for k, (down, right) in enumerate(OFFSETS):
        near_row, near_col = row + down, col + right
        inside = (near_row >= 0) & (near_row < rows) & (near_col >= 0) & (near_col < cols)
        table[:, k] = np.where(inside, near_row * cols + near_col, -1)
    return table


def neighbour_table(rows: int, cols: int) -> NDArray[np.int64]:
    """`neighbours` of all cells in reading order."""
    return neighbours(np.arange(rows * cols), rows, cols)
