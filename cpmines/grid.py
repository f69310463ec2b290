"""3x3 arithmetic on arrays: box sums, neighbour counts, neighbour tables. Cells outside do not exist."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["box_sums", "neighbour_counts", "neighbour_table"]

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


def neighbour_table(rows: int, cols: int) -> NDArray[np.int64]:
    """Flat index of each cell's neighbours, shape (rows * cols, 8), -1 where there is none."""
    index = np.full((rows + 2, cols + 2), -1, np.int64)
    index[1:-1, 1:-1] = np.arange(rows * cols).reshape(rows, cols)
    shifted = [index[1 + dr : rows + 1 + dr, 1 + dc : cols + 1 + dc] for dr, dc in OFFSETS]
    return np.stack(shifted, axis=-1).reshape(-1, 8)
