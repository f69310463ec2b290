"""Undoing sums of three along one axis, and what shifts of lines would leave.

See `cpmines.problems.reconstruction` for the method, its ``derivation.md`` for the proofs.

Sums are modulo 256 with int8, exact with int32. Of several solutions the one whose first cell is 0 is taken.
"""

import cython
from cython.cimports.cpmines.kernels.arrays import (
    Bytes,
    BytesTable,
    ConstBytes,
    ConstBytesTable,
    int8,
    int32,
    int64,
    uint8,
)

__all__ = ["column_faults", "row_faults", "shifted", "undo_across", "undo_down", "within"]

Number = cython.fused_type(int8, int32)
NEITHER = cython.declare(cython.int, ~1)
"""Bits that a cell of 0 or 1 does not have."""


def undo_down(sums: cython.const[Number][:, ::1], cells: Number[:, ::1]) -> cython.bint:
    """Set `cells` to y with ``y[k - 1] + y[k] + y[k + 1] = sums[k]`` for each column; False if there is none.

    Row by row, each from three others. Additions wrap around in int8 and are right modulo 256.
    """
    rows: int64 = sums.shape[0]
    cols: int64 = sums.shape[1]
    found: cython.bint = True
    k: int64
    col: int64
    with cython.nogil:
        cells[0, :] = 0
        # With cells 1..n, the chain y[k + 3] = y[k] + a[k + 2] - a[k + 1] that ends at y[n + 1] = 0 begins at
        # y[1], at y[2] or, for n = 2 (mod 3), at y[0] = 0: then its differences must cancel, and y[1] is 0.
        for k in range((rows + 1) % 3, rows - 1, 3):
            for col in range(cols):
                cells[0, col] += sums[k, col] - sums[k + 1, col]
        if rows % 3 == 2:
            for col in range(cols):
                found &= cells[0, col] == 0
        if rows % 3 == 1:  # it was y[2], and y[1] + y[2] is the first sum
            for col in range(cols):
                cells[0, col] = sums[0, col] - cells[0, col]
        if rows > 1:
            for col in range(cols):
                cells[1, col] = sums[0, col] - cells[0, col]
        if rows > 2:
            for col in range(cols):
                cells[2, col] = sums[1, col] - sums[0, col]
        for k in range(3, rows):
            for col in range(cols):
                cells[k, col] = cells[k - 3, col] + sums[k - 1, col] - sums[k - 2, col]
    return found


def undo_across(cells: Number[:, ::1]) -> cython.bint:
    """Replace each row of sums by its cells, as `undo_down` does for columns; False if a row has none.

    In place: the last three cells, and the last sum, are kept in variables, for their places are written
    over. They are wider than a cell, but what is stored and compared wraps around as in `undo_down`.
    """
    rows: int64 = cells.shape[0]
    cols: int64 = cells.shape[1]
    rest: int64 = cols % 3
    found: cython.bint = True
    row: int64
    k: int64
    closing: int64
    total: int64
    after: int64
    third: int64
    second: int64
    last: int64
    before: int64
    here: int64
    with cython.nogil:
        for row in range(rows):
            closing = 0
            for k in range((cols + 1) % 3, cols - 1, 3):
                closing += cells[row, k] - cells[row, k + 1]
            total = cells[row, 0]
            after = cells[row, 1] if cols > 1 else 0
            cells[row, 0] = closing if rest != 1 else total - closing
            if rest == 2 and cells[row, 0] != 0:
                found = False
                break
            # The first three cells; `last` may lie behind a short line, and is then not stored.
            third = cells[row, 0]
            second, last = total - third, after - total
            if cols > 1:
                cells[row, 1] = second
            before = after
            for k in range(2, cols):
                here = cells[row, k]
                cells[row, k] = last
                third, second, last = second, last, third + here - before
                before = here
    return found


def within(cells: ConstBytesTable, least: int64, most: int64) -> cython.bint:
    """Are all cells from `least` to `most`?"""
    width: uint8 = most - least
    above: uint8  # how far a cell is above the least; below it, that is a large number
    beyond: uint8 = 0
    with cython.nogil:
        for row in range(cells.shape[0]):
            for col in range(cells.shape[1]):
                above = cells[row, col] - least
                beyond |= above > width
            if beyond:
                break
    return beyond == 0


def row_faults(
    cells: ConstBytesTable, across: ConstBytes, first: int64, step: int64, stays: Bytes, moves: Bytes
) -> None:
    """Of the rows `first`, `first + step`, ...: which are 0 and 1, which are with the vector `across` added?

    `stays` and `moves` are set to 0 for those, to other numbers for other rows.
    """
    stay: int8
    move: int8
    row: int64
    with cython.nogil:
        for k in range(len(stays)):
            row = first + k * step
            stay = move = 0
            for col in range(len(across)):
                stay |= cells[row, col] & NEITHER
                move |= (cells[row, col] + across[col]) & NEITHER
            stays[k], moves[k] = stay, move


def column_faults(cells: ConstBytesTable, down: ConstBytes, stays: Bytes, moves: Bytes) -> None:
    """The same for all columns and the vector `down`."""
    with cython.nogil:
        stays[:] = 0
        moves[:] = 0
        for row in range(cells.shape[0]):
            for col in range(cells.shape[1]):
                stays[col] |= cells[row, col] & NEITHER
                moves[col] |= (cells[row, col] + down[row]) & NEITHER


def shifted(
    cells: ConstBytesTable,
    down: ConstBytes,
    across: ConstBytes,
    row_shift: ConstBytes,
    col_shift: ConstBytes,
    out: BytesTable,
) -> None:
    """Set `out` to ``cells + down u' + v across'`` with u = `col_shift` and v = `row_shift`."""
    factor: int8
    shift: int8
    with cython.nogil:
        for row in range(cells.shape[0]):
            factor, shift = down[row], row_shift[row]
            for col in range(cells.shape[1]):
                out[row, col] = cells[row, col] + factor * col_shift[col] + shift * across[col]
