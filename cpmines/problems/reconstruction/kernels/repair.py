"""Kernels of the repair.

*One wrong entry.* `line_changes` and `common_changes` find all of them in tables whose columns can be undone
uniquely: see `cpmines.problems.reconstruction.changes`.

*The best three rows* of a board while all others stay, by dynamic programming: `sums` is the table, int8
(rows, cols); `board` the mines as zeros and ones, int8 of the same shape. The costs are differences to the
table, added over the entries of the rows ``top - 1`` to ``end - 1``.
"""

import cython
import numpy as np
from cython.cimports.cpmines.kernels.arrays import (
    Bytes,
    BytesTable,
    ConstBytes,
    ConstBytesTable,
    ConstInts,
    IntsTable,
    Words,
    int8,
    int32,
    int64,
    magnitude,
    uint32,
)
from cython.cimports.cpmines.kernels.pulse import Pulse, beat

__all__ = ["common_changes", "improve", "line_changes"]

WordsTable = cython.typedef(uint32[:, ::1])
"""Sets of numbers from -9 to 9: number c is bit c + 9."""


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def column_costs(
    sums: ConstBytesTable, board: BytesTable, top: int64, end: int64, col: int64, costs: Costs
) -> cython.void:
    """Set ``costs[a, b, c]`` to the cost of column `col` if it counts a, b, c mines in the chosen rows.

    The cost is that of the column's entries in the rows ``top - 1`` to ``end - 1``; a, b and c are counted
    over three columns each. A chosen row below the board counts for nothing.
    """
    rows: int64 = sums.shape[0]
    cols: int64 = sums.shape[1]
    rest: cython.int
    found: cython.int
    row: int64
    near: int64
    beside: int64
    a: int64
    b: int64
    c: int64
    costs[:, :, :] = 0
    for row in range(max(top - 1, 0), min(end, rows)):
        rest = sums[row, col]  # what the entry leaves for the chosen rows
        for near in range(max(row - 1, 0), min(row + 2, rows)):
            if top <= near < top + HEIGHT:
                continue
            for beside in range(max(col - 1, 0), min(col + 2, cols)):
                rest -= board[near, beside]
        for a in range(4):
            for b in range(4):
                for c in range(4):
                    found = 0
                    if -1 <= row - top <= 1:
                        found += a
                    if 0 <= row - top <= 2 and top + 1 < rows:
                        found += b
                    if 1 <= row - top <= 3 and top + 2 < rows:
                        found += c
                    costs[a, b, c] += magnitude(rest - found)


@cython.cclass
class RowChoice:
    """Scratch of `best_rows`, for tables of `cols` columns.

    Attributes
    ----------
    chosen
        int8 (cols,): the columns of the best rows.
    costs
        See `column_costs`.
    origin
        int8 (cols, states, states): the column before each state.
    best, following
        int32 (states, states): the least cost up to this column, and up to the next.
    """

    chosen: Bytes
    costs: Costs
    origin: int8[:, :, ::1]
    best: IntsTable
    following: IntsTable

    def __init__(self, cols: int64) -> None:
        self.chosen = np.empty(cols, np.int8)
        self.costs = np.empty((4, 4, 4), np.int32)
        self.origin = np.zeros((cols, STATES, STATES), np.int8)
        self.best = np.empty((STATES, STATES), np.int32)
        self.following = np.empty((STATES, STATES), np.int32)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mines(before: int64, here: int64, after: int64, k: int64) -> int64:
    return (before >> k & 1) + (here >> k & 1) + (after >> k & 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def best_rows(
    sums: ConstBytesTable, board: BytesTable, top: int64, end: int64, choice: RowChoice, pulse: Pulse
) -> int64:
    """Set `chosen` of `choice` to the columns of the best rows from `top` on; returns their cost.

    A state is a column and the one before it: with the next one they say what the entries of the middle one
    cost. A column is a number, bit k its cell in row ``top + k``; rows below the board have no bit.
    """
    cols: int64 = sums.shape[1]
    allowed: int64 = 1 << min(HEIGHT, sums.shape[0] - top)
    costs = choice.costs
    origin = choice.origin
    best = choice.best
    following = choice.following
    cost: int32
    col: int64
    before: int64
    here: int64
    after: int64
    ends: int64
    best[:, :] = NEVER
    for here in range(allowed):
        best[0, here] = 0
    for col in range(cols):
        beat(pulse)
        column_costs(sums, board, top, end, col, costs)
        following[:, :] = NEVER
        ends = allowed if col + 1 < cols else 1  # beside the board all is empty
        for before in range(allowed):
            for here in range(allowed):
                if best[before, here] == NEVER:
                    continue
                for after in range(ends):
                    cost = (
                        best[before, here]
                        + costs[
                            mines(before, here, after, 0),
                            mines(before, here, after, 1),
                            mines(before, here, after, 2),
                        ]
                    )
                    if cost < following[here, after]:
                        following[here, after] = cost
                        origin[col, here, after] = before
        best, following = following, best
    # Behind the last column is column 0, empty. Back along the origins: each is the column before `here`.
    lowest: int32 = NEVER
    here = after = 0
    for before in range(allowed):
        if best[before, 0] < lowest:
            here, lowest = before, best[before, 0]
    for col in range(cols - 1, -1, -1):
        choice.chosen[col] = here
        here, after = origin[col, here, after], here
    return lowest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cost_of_rows(sums: ConstBytesTable, board: BytesTable, first: int64, end: int64) -> int64:
    """Differences between the table and the board in the rows from `first` to before `end`."""
    rows: int64 = sums.shape[0]
    cols: int64 = sums.shape[1]
    total: int64 = 0
    rest: cython.int
    row: int64
    col: int64
    near: int64
    beside: int64
    for row in range(max(first, 0), min(end, rows)):
        for col in range(cols):
            rest = sums[row, col]
            for near in range(max(row - 1, 0), min(row + 2, rows)):
                for beside in range(max(col - 1, 0), min(col + 2, cols)):
                    rest -= board[near, beside]
            total += magnitude(rest)
    return total


def improve(
    sums: ConstBytesTable, board: BytesTable, first: int64, last: int64, begin: cython.bint, pulse: Pulse
) -> int64:
    """Choose the rows from `first` to before `last` three at a time, where that is better, in `board`.

    If `begin`, the rows below are not known yet: their entries do not count, and the choice is always taken.
    Returns by how much the cost went down, which has no meaning if `begin`.
    """
    rows: int64 = sums.shape[0]
    cols: int64 = sums.shape[1]
    choice = RowChoice(cols)
    gained: int64 = 0
    end: int64
    now: int64
    found: int64
    top: int64
    k: int64
    col: int64
    with cython.nogil:
        for top in range(first, last):
            # Entries of the last chosen row and of the one below count the row that is not known yet.
            end = top + HEIGHT - 1 if begin and top + HEIGHT < rows else top + HEIGHT + 1
            now = cost_of_rows(sums, board, top - 1, end)
            if now == 0 and not begin:
                continue
            found = best_rows(sums, board, top, end, choice, pulse)
            if found < now or begin:
                gained += now - found
                for k in range(min(HEIGHT, rows - top)):
                    for col in range(cols):
                        board[top + k, col] = choice.chosen[col] >> k & 1
    return gained


def line_changes(line: ConstInts, changes: Words) -> None:
    """For each entry p of sums along one axis, the s for which ``line - s * e_p`` has 0-1 cells.

    Cells to p follow from the first cell, cells from p on from the last one: four pairs to try. Both must
    give the same cell p; the equation of entry p, which neither has used, says what s is.
    """
    n: int64 = len(line)
    left: IntsTable = np.full((2, n + 2), NO_CELL, np.int32)
    right: IntsTable = np.full((2, n + 2), NO_CELL, np.int32)
    first: int64
    k: int64
    a: int64
    b: int64
    cell: int32
    s: int32
    found: uint32
    with cython.nogil:
        for first in range(2):
            left[first, 0] = right[first, n + 1] = 0
            left[first, 1] = right[first, n] = first
            for k in range(1, n):
                cell = line[k - 1] - left[first, k] - left[first, k - 1]
                if (
                    cell < 0 or cell > 1
                ):  # the error is in this entry or before it: beyond, all stays `NO_CELL`
                    break
                left[first, k + 1] = cell
            for k in range(n, 1, -1):
                cell = line[k - 1] - right[first, k] - right[first, k + 1]
                if cell < 0 or cell > 1:
                    break
                right[first, k - 1] = cell
        for k in range(1, n + 1):
            found = 0
            for a in range(2):
                for b in range(2):
                    if left[a, k] == NO_CELL or left[a, k] != right[b, k]:
                        continue
                    s = line[k - 1] - left[a, k - 1] - left[a, k] - right[b, k + 1]
                    if -LARGEST <= s <= LARGEST:
                        found |= cython.cast(uint32, 1) << s + LARGEST
            changes[k - 1] = found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def times(factor: int64, changes: uint32) -> uint32:
    """The d for which ``factor * d`` is in the set; the factor is -1, 0 or 1."""
    if factor == 1 or changes == 0:
        return changes
    if factor == 0:
        return EVERY if changes >> LARGEST & 1 else 0
    turned: uint32 = 0
    for k in range(2 * LARGEST + 1):
        turned |= (changes >> k & 1) << 2 * LARGEST - k
    return turned


def common_changes(
    changes: WordsTable,
    wave: ConstBytes,
    left_factor: ConstBytes,
    right_factor: ConstBytes,
    common: WordsTable,
    pulse: Pulse,
) -> None:
    """Intersect over all columns what `line_changes` says of each.

    An error e in entry q changes column j by e times a factor of -1, 0 or 1, so it must be among the e for
    which that multiple is in the column's set. The factor is one number for all columns on a side of q, times
    a wave that does not depend on q: the sets can be intersected once along each side, with the wave, and
    turned by the number in the end. `still` is what a factor of 0 asks: that no column needs a change.

    Parameters
    ----------
    changes
        uint32 (cols, rows).
    wave
        1, -1, 0, 1, -1, 0, ...: int8 (cols,).
    left_factor, right_factor
        int8 (cols,): the error of entry q reaches column j <= q ``left_factor[q] * wave[j]`` times, and
        column j >= q ``right_factor[q] * wave[cols - 1 - j]`` times.
    common
        uint32 (rows, cols): set to the possible errors of each entry.
    """
    cols: int64 = changes.shape[0]
    p: int64
    q: int64
    k: int64
    with cython.nogil:
        for p in range(changes.shape[1]):
            alike = still = cython.cast(uint32, EVERY)
            for q in range(cols):
                beat(pulse)
                alike &= times(wave[q], changes[q, p])
                still &= times(0, changes[q, p])
                common[p, q] = still if left_factor[q] == 0 else times(left_factor[q], alike)
            alike = still = cython.cast(uint32, EVERY)
            for k in range(cols):
                q = cols - 1 - k
                alike &= times(wave[k], changes[q, p])
                still &= times(0, changes[q, p])
                common[p, q] &= still if right_factor[q] == 0 else times(right_factor[q], alike)
