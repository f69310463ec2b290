"""Undoing sums of three along one axis, and what shifts of lines would leave.

See `cpmines.problems.reconstruction` for the method, its ``derivation.md`` for the proofs.

Sums are modulo 256 with int8, exact with int32. Of several solutions the one whose first cell is 0 is taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel

__all__ = ["column_faults", "row_faults", "shifted", "undo_across", "undo_down", "within"]

Ints = NDArray[np.signedinteger]
Cells = NDArray[np.int8]

NEITHER = ~1
"""Bits that a cell of 0 or 1 does not have."""


@kernel
def undo_down(sums: Ints, cells: Ints) -> bool:
    """Set `cells` to y with ``y[k - 1] + y[k] + y[k + 1] = sums[k]`` for each column; False if there is none.

    Row by row, each from three others. Additions wrap around in int8 and are right modulo 256.
    """
    rows, cols = sums.shape
    first = cells[0]
    first[:] = 0
    # With cells 1..n, the chain y[k + 3] = y[k] + a[k + 2] - a[k + 1] that ends at y[n + 1] = 0 begins at
    # y[1], at y[2] or, for n = 2 (mod 3), at y[0] = 0: then its differences must cancel, and y[1] is 0.
    for k in range((rows + 1) % 3, rows - 1, 3):
        for col in range(cols):
            first[col] += sums[k, col] - sums[k + 1, col]
    if rows % 3 == 2:
        for col in range(cols):
            if first[col] != 0:
                return False
    if rows % 3 == 1:  # it was y[2], and y[1] + y[2] is the first sum
        for col in range(cols):
            first[col] = sums[0, col] - first[col]
    if rows > 1:
        for col in range(cols):
            cells[1, col] = sums[0, col] - first[col]
    if rows > 2:
        for col in range(cols):
            cells[2, col] = sums[1, col] - sums[0, col]
    for k in range(3, rows):
        for col in range(cols):
            cells[k, col] = cells[k - 3, col] + sums[k - 1, col] - sums[k - 2, col]
    return True


@kernel
def undo_across(cells: Ints) -> bool:
    """Replace each row of sums by its cells, as `undo_down` does for columns; False if a row has none.

    In place: the last three cells, and the last sum, are kept in variables, for their places are written
    over. They are wider than a cell, but what is stored and compared wraps around as in `undo_down`.
    """
    rows, cols = cells.shape
    for row in range(rows):
        line = cells[row]
        closing = 0
        for k in range((cols + 1) % 3, cols - 1, 3):
            closing += line[k] - line[k + 1]
        total, after = int(line[0]), int(line[1]) if cols > 1 else 0
        line[0] = closing
        if cols % 3 == 2 and line[0] != 0:
            return False
        if cols % 3 == 1:
            line[0] = total - closing
        # The first three cells; `last` may lie behind a short line, and is then not stored.
        third, second, last = int(line[0]), total - int(line[0]), after - total
        if cols > 1:
            line[1] = second
        before = after
        for k in range(2, cols):
            here = int(line[k])
            line[k] = last
            third, second, last = second, last, third + here - before
            before = here
    return True


@kernel
def within(cells: Cells, least: int, most: int) -> bool:
    """Are all cells from `least` to `most`?"""
    for row in range(len(cells)):
        low, high = cells[row, 0], cells[row, 0]
        for cell in cells[row]:
            low, high = min(low, cell), max(high, cell)
        if low < least or high > most:
            return False
    return True


@kernel
def row_faults(cells: Cells, across: Cells, first: int, step: int, stays: Cells, moves: Cells) -> None:
    """Of the rows `first`, `first + step`, ...: which are 0 and 1, which are with the vector `across` added?

    `stays` and `moves` are set to 0 for those, to other numbers for other rows.
    """
    for k in range(len(stays)):
        line = cells[first + k * step]
        stay, move = 0, 0
        for col in range(len(across)):
            stay |= line[col] & NEITHER
            move |= (line[col] + across[col]) & NEITHER
        stays[k], moves[k] = stay, move


@kernel
def column_faults(cells: Cells, down: Cells, stays: Cells, moves: Cells) -> None:
    """The same for all columns and the vector `down`."""
    stays[:] = 0
    moves[:] = 0
    for row in range(len(cells)):
        for col in range(cells.shape[1]):
            stays[col] |= cells[row, col] & NEITHER
            moves[col] |= (cells[row, col] + down[row]) & NEITHER


@kernel
def shifted(cells: Cells, down: Cells, across: Cells, row_shift: Cells, col_shift: Cells, out: Cells) -> None:
    """Set `out` to ``cells + down u' + v across'`` with u = `col_shift` and v = `row_shift`."""
    rows, cols = cells.shape
    for row in range(rows):
        factor, shift = down[row], row_shift[row]
        for col in range(cols):
            out[row, col] = cells[row, col] + factor * col_shift[col] + shift * across[col]
