"""Sums of few entries that their cells can't reach: see `cpmines.problems.reconstruction.explain`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel

__all__ = ["out_of_reach"]

Cells = NDArray[np.int8]
Places = NDArray[np.int64]


@kernel
def ends(n: int, count: int, line: int) -> tuple[int, int]:
    """How many cells a sum of so many differences, from entry `line` on, counts with weight 1 and with -1."""
    if count == 0:
        return 3 - (line == 0) - (line == n - 1), 0
    return int(line < n - 3 * count + 1), int(line > 0)


@kernel
def set_bounds(more: int, less: int, cols: int, across: int, least: Cells, most: Cells) -> None:
    """Set `least` and `most` to the bounds of the products of a row whose sums count so many cells."""
    for col in range(len(least)):
        right, left = ends(cols, across, col)
        least[col] = -more * left - less * right
        most[col] = more * right + less * left


@kernel
def row_sums(sums: Cells, count: int, row: int, line: Cells) -> None:
    """Set `line` to the sums of so many differences down the columns that begin in a row."""
    if count == 0:
        line[:] = sums[row]
        return
    line[:] = 0
    for k in range(row, row + 3 * count, 3):
        for col in range(len(line)):
            line[col] += sums[k + 1, col] - sums[k, col]


@kernel
def differences(line: Cells, count: int, total: Cells) -> None:
    """Set `total` to the sums of so many differences along a line."""
    width = len(total)
    if count == 0:
        total[:] = line
        return
    total[:] = 0
    for k in range(0, 3 * count, 3):
        here, after = line[k : k + width], line[k + 1 : k + 1 + width]
        for col in range(width):
            total[col] += after[col] - here[col]


@kernel
def exceeded(total: Cells, least: Cells, most: Cells) -> bool:
    """Is any product of a row out of reach?"""
    found = False
    for col in range(len(total)):
        found |= (total[col] > most[col]) | (total[col] < least[col])
    return found


@kernel
def out_of_reach(sums: Cells, down: int, across: int, found: Places) -> int:
    """Collect the products with so many differences along both axes that are out of reach of their cells.

    Along an axis, a single entry is a sum of up to three cells, and a sum of differences is one cell less
    another, either of which may lie outside. Bytes suffice: of 16 entries of at most 9, half are subtracted.

    Parameters
    ----------
    found
        int64 (places, 3): set to the first row and column of each, in reading order, and its excess.

    Returns
    -------
    int
        How many there are; no more are looked for if `found` is full.
    """
    rows, cols = sums.shape
    height, width = rows - max(3 * down - 2, 0), cols - max(3 * across - 2, 0)
    line, total = np.empty(cols, np.int8), np.empty(width, np.int8)
    least, most = np.empty(width, np.int8), np.empty(width, np.int8)
    count = 0
    for row in range(height):
        if row <= 1 or row == height - 1:  # only at the ends a cell lies outside: the rows between are alike
            more, less = ends(rows, down, row)
            set_bounds(more, less, cols, across, least, most)
        row_sums(sums, down, row, line)
        differences(line, across, total)
        if not exceeded(total, least, most):  # a loop without a branch, for the rows that show nothing: most
            continue
        for col in range(width):
            excess = max(total[col] - most[col], least[col] - total[col])
            if excess > 0:
                found[count, 0], found[count, 1], found[count, 2] = row, col, excess
                count += 1
                if count == len(found):
                    return count
    return count
