"""Sums of few entries that their cells can't reach: see `cpmines.problems.reconstruction.explain`."""

import cython
import numpy as np
from cython.cimports.cpmines.kernels.arrays import (
    Bytes,
    ConstBytesTable,
    FlagsTable,
    Ints,
    Longs,
    LongsTable,
    int64,
)
from cython.cimports.cpmines.kernels.pulse import Pulse, beat

__all__ = ["out_of_reach", "packed", "strongest_first"]

LARGEST = cython.declare(int64, 127)
"""What an excess can be: it is a byte."""


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def ends(n: int64, count: int64, line: int64) -> tuple[int64, int64]:
    """How many cells a sum of so many differences, from entry `line` on, counts with weight 1 and with -1."""
    if count == 0:
        return 3 - (line == 0) - (line == n - 1), 0
    return line < n - 3 * count + 1, line > 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_bounds(
    more: int64, less: int64, cols: int64, across: int64, least: Bytes, most: Bytes
) -> cython.void:
    """Set `least` and `most` to the bounds of the products of a row whose sums count so many cells."""
    for col in range(len(least)):
        right, left = ends(cols, across, col)
        least[col] = -more * left - less * right
        most[col] = more * right + less * left


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def row_sums(sums: ConstBytesTable, count: int64, row: int64, line: Bytes) -> cython.void:
    """Set `line` to the sums of so many differences down the columns that begin in a row."""
    k: int64
    if count == 0:
        for col in range(len(line)):
            line[col] = sums[row, col]
        return
    line[:] = 0
    for k in range(row, row + 3 * count, 3):
        for col in range(len(line)):
            line[col] += sums[k + 1, col] - sums[k, col]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def differences(line: Bytes, count: int64, total: Bytes) -> cython.void:
    """Set `total` to the sums of so many differences along a line."""
    k: int64
    if count == 0:
        for col in range(len(total)):
            total[col] = line[col]
        return
    total[:] = 0
    for k in range(0, 3 * count, 3):
        for col in range(len(total)):
            total[col] += line[k + 1 + col] - line[k + col]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exceeded(total: Bytes, least: Bytes, most: Bytes) -> cython.bint:
    """Is any product of a row out of reach?"""
    found: cython.char = 0
    for col in range(len(total)):
        found |= (total[col] > most[col]) | (total[col] < least[col])
    return found != 0


def out_of_reach(sums: ConstBytesTable, down: int64, across: int64, found: LongsTable, pulse: Pulse) -> int64:
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
    rows: int64 = sums.shape[0]
    cols: int64 = sums.shape[1]
    height: int64 = rows - max(3 * down - 2, 0)
    width: int64 = cols - max(3 * across - 2, 0)
    line: Bytes = np.empty(cols, np.int8)
    total: Bytes = np.empty(max(width, 0), np.int8)
    least: Bytes = np.empty_like(total)
    most: Bytes = np.empty_like(total)
    count: int64 = 0
    row: int64
    excess: int64
    with cython.nogil:
        for row in range(height):
            beat(pulse)
            if row <= 1 or row == height - 1:  # only at the ends a cell lies outside: rows between are alike
                more, less = ends(rows, down, row)
                set_bounds(more, less, cols, across, least, most)
            row_sums(sums, down, row, line)
            differences(line, across, total)
            if not exceeded(total, least, most):  # a loop without a branch, for the rows that show nothing
                continue
            for col in range(width):
                excess = max(total[col] - most[col], least[col] - total[col])
                if excess > 0 and count < len(found):
                    found[count, 0], found[count, 1], found[count, 2] = row, col, excess
                    count += 1
            if count == len(found):
                break
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def entry(line: int64, k: int64) -> int64:
    """The k-th entry along one axis of a sum that begins at `line`: pairs of neighbours, three apart."""
    return line + 3 * (k >> 1) + (k & 1)


def strongest_first(excess: Bytes, order: Ints, pulse: Pulse) -> None:
    """Set `order`, int32 of the same length, to the stable order of the excesses, the largest first."""
    starts: Longs = np.zeros(LARGEST + 2, np.int64)
    k: int64
    with cython.nogil:
        for k in range(len(excess)):
            beat(pulse)
            starts[LARGEST - excess[k] + 1] += 1
        for k in range(LARGEST):
            starts[k + 1] += starts[k]
        for k in range(len(excess)):
            beat(pulse)
            order[starts[LARGEST - excess[k]]] = k
            starts[LARGEST - excess[k]] += 1


def packed(
    order: Ints, kinds: Bytes, places: Ints, excess: Bytes, pairs: LongsTable, used: FlagsTable, pulse: Pulse
) -> int64:
    """The excess of the reasons, in an order, that have no entry in common with earlier ones.

    Parameters
    ----------
    order
        int32: indices of the reasons.
    kinds, places, excess
        int8, int32 and int8 (reasons,): index of the pair, first row and column in reading order, excess.
    pairs
        int64 (pairs, 2): differences down and across.
    used
        uint8 of the shape of the table, zeros: set to 1 at the entries of the reasons that are counted.
    """
    total: int64 = 0
    k: int64
    height: int64
    width: int64
    row: int64
    col: int64
    taken: cython.bint
    with cython.nogil:
        for at in range(len(order)):
            beat(pulse)
            k = order[at]
            height, width = max(2 * pairs[kinds[k], 0], 1), max(2 * pairs[kinds[k], 1], 1)
            row, col = places[k] // used.shape[1], places[k] % used.shape[1]
            taken = False
            for i in range(height):
                for j in range(width):
                    taken = taken or used[entry(row, i), entry(col, j)] != 0
            if taken:
                continue
            for i in range(height):
                for j in range(width):
                    used[entry(row, i), entry(col, j)] = 1
            total += excess[k]
    return total
