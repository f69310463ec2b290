"""The core of a table, row by row: what columns demand of S, and which cells vary.

See `cpmines.problems.reconstruction.core` for the terms.
"""

import cython
import numpy as np
from cython.cimports.cpmines.kernels.arrays import (
    Bytes,
    BytesTable,
    ConstBytes,
    ConstBytesTable,
    ConstLongs,
    FlagsTable,
    Longs,
    int8,
    int64,
)

__all__ = ["compare_columns", "covering", "find_levels", "inner_pattern", "row_bounds", "varying"]


def inner_pattern(cells: ConstBytesTable, down: ConstBytes, across: ConstBytes, pattern: BytesTable) -> None:
    """Set `pattern` to the cells that depend on both shifts, those where these are subtracted as 1 - cell."""
    inner_cols: Longs = np.flatnonzero(across).astype(np.int64)
    at: int64 = 0
    cell: int8
    with cython.nogil:
        for row in range(len(down)):
            if down[row] == 0:
                continue
            for k in range(len(inner_cols)):
                cell = cells[row, inner_cols[k]]
                pattern[at, k] = cell if down[row] == across[inner_cols[k]] else 1 - cell
            at += 1


def compare_columns(pattern: ConstBytesTable, gaps: BytesTable, top: Bytes, spread: Bytes) -> None:
    """Set `gaps` to the differences of column 0 and each column, and their maximum and spread by column."""
    low: Bytes = np.full(len(top), 127, np.int8)
    first: int8
    gap: int8
    with cython.nogil:
        top[:] = -128
        for row in range(pattern.shape[0]):
            first = pattern[row, 0]
            for col in range(len(top)):
                gap = first - pattern[row, col]
                gaps[row, col] = gap
                top[col] = max(top[col], gap)
                low[col] = min(low[col], gap)
        for col in range(len(top)):
            spread[col] = top[col] - low[col]


def find_levels(gaps: ConstBytesTable, top: ConstBytes, spread: ConstBytes, level: Longs) -> object:
    """Set `level`: where the spread is 1, the rank of the number of rows at the maximum, from 1; elsewhere 0.

    Returns those numbers, int64 (levels,), ascending.
    """
    rank: Longs = np.zeros(gaps.shape[0] + 1, np.int64)
    with cython.nogil:
        level[:] = 0
        for row in range(gaps.shape[0]):
            for col in range(gaps.shape[1]):
                level[col] += gaps[row, col] == top[col]
        for col in range(gaps.shape[1]):
            if spread[col] == 1:
                rank[level[col]] = 1
    sizes = np.flatnonzero(rank).astype(np.int64)
    np.asarray(rank)[sizes] = np.arange(1, len(sizes) + 1)
    with cython.nogil:
        for col in range(gaps.shape[1]):
            level[col] = rank[level[col]] if spread[col] == 1 else 0
    return sizes


def covering(begin: ConstLongs, end: ConstLongs, cuts: int64) -> object:
    """For each cut 0, 1, ..., cuts - 1: how many of the intervals from `begin` to before `end` it is in."""
    steps: Longs = np.zeros(cuts + 1, np.int64)
    with cython.nogil:
        for k in range(len(begin)):
            if begin[k] < end[k]:
                steps[begin[k]] += 1
                steps[end[k]] -= 1
    return np.cumsum(steps)[:cuts]


def row_bounds(
    gaps: ConstBytesTable,
    top: ConstBytes,
    spread: ConstBytes,
    level: ConstLongs,
    end: int64,
    must: Longs,
    may: Longs,
) -> None:
    """Set `must` and `may` to the first cut from which on each row must and may be in S, `end` for none."""
    first: int64
    last: int64
    at_top: cython.bint
    with cython.nogil:
        for row in range(len(gaps)):
            first, last = end, 0
            for col in range(len(top)):
                at_top = gaps[row, col] == top[col]
                # Spread 1: an S beyond H holds all rows of H, which are those at the maximum, and only then
                # any other. Spread 2: the rows at the maximum are always in S, those at the minimum never.
                if spread[col] == 1:
                    if at_top:
                        first = min(first, level[col])
                    else:
                        last = max(last, level[col])
                elif spread[col] == 2:
                    if at_top:
                        first = 0
                    elif gaps[row, col] == top[col] - 2:
                        last = end
            must[row], may[row] = first, last


def varying(
    gaps: ConstBytesTable,
    top: ConstBytes,
    spread: ConstBytes,
    before: ConstLongs,
    after: ConstLongs,
    must: ConstLongs,
    may: ConstLongs,
    cuts: ConstLongs,
    flat_varies: cython.bint,
    varies: FlagsTable,
) -> None:
    """Set `varies` to the cells that are 0 in one solution and 1 in another.

    A row i may be in S at the cuts from ``may[i]`` on, and must be from ``must[i]`` on; both can only change
    in favour of S from one cut to the next, so the first and the last cut that fit tell whether it varies.

    Parameters
    ----------
    before, after
        int64 (columns,): where the spread is 1, the last cut with a set S smaller than H or equal to it, -1
        for none, and the first cut with a larger or equal one, `end` for none.
    cuts
        The first and the last cut with a set S, and `end`.
    flat_varies
        Columns of spread 0 have two values in some solution.
    """
    first: int64 = cuts[0]
    last: int64 = cuts[1]
    end: int64 = cuts[2]
    depth: int64
    may_be_in: cython.bint
    may_be_out: cython.bint
    free: cython.bint
    found: cython.bint
    with cython.nogil:
        for row in range(len(gaps)):
            may_be_in, may_be_out = may[row] <= last, must[row] > first
            free = may_be_in and may_be_out
            for col in range(len(top)):
                depth = top[col] - gaps[row, col]
                # Spread 0: the cell is x; if S is empty or full, U has a second value, but not in column 0.
                # Spread 2: x is fixed at the maximum and the minimum, and the cell is x between them.
                # Spread 1: a cell of H is x while S is within H, 0 once S contains H; beside H: 1, then x.
                if spread[col] == 0:
                    found = free or (flat_varies and col > 0)
                elif spread[col] == 2:
                    found = free and depth == 1
                elif depth == 0:
                    found = may[row] <= before[col] and (after[col] < end or may_be_out)
                else:
                    found = after[col] < must[row] and (before[col] >= 0 or may_be_in)
                varies[row, col] = found
