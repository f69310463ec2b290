"""Kernels of the repair.

*One wrong entry.* `line_changes` and `common_changes` find all of them in tables whose columns can be undone
uniquely: see `cpmines.problems.reconstruction.changes`.

*The best three rows* of a board while all others stay, by dynamic programming: `sums` is the table, int8
(rows, cols); `board` the mines as zeros and ones, int8 of the same shape. The costs are differences to the
table, added over the entries of the rows ``top - 1`` to ``end - 1``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel

__all__ = ["HEIGHT", "LARGEST", "best_rows", "common_changes", "improve", "line_changes"]

Cells = NDArray[np.int8]
Costs = NDArray[np.int32]
Changes = NDArray[np.uint32]
"""Sets of numbers from -9 to 9: number c is bit c + 9."""

LARGEST = 9
EVERY = (1 << 2 * LARGEST + 1) - 1
NO_CELL = 2

HEIGHT = 3
"""Rows that are chosen together; a column of them is a number of so many bits."""
STATES = 1 << HEIGHT


@kernel
def column_costs(sums: Cells, board: Cells, top: int, end: int, col: int, costs: Costs) -> None:
    """Set ``costs[a, b, c]`` to the cost of column `col` if it counts a, b, c mines in the chosen rows.

    The cost is that of the column's entries in the rows ``top - 1`` to ``end - 1``; a, b and c are counted
    over three columns each. A chosen row below the board counts for nothing.
    """
    rows, cols = sums.shape
    costs[:] = 0
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
                    if abs(row - top) <= 1:
                        found += a
                    if abs(row - top - 1) <= 1 and top + 1 < rows:
                        found += b
                    if abs(row - top - 2) <= 1 and top + 2 < rows:
                        found += c
                    costs[a, b, c] += abs(rest - found)


@kernel
def best_rows(sums: Cells, board: Cells, top: int, end: int, chosen: Cells) -> int:
    """Set `chosen`, int8 (cols,), to the columns of the best rows from `top` on; returns their cost.

    A state is a column and the one before it: with the next one they say what the entries of the middle one
    cost. A column is a number, bit k its cell in row ``top + k``; rows below the board have no bit.
    """
    cols = sums.shape[1]
    bit = np.empty((STATES, HEIGHT), np.int8)
    for state in range(STATES):
        for k in range(HEIGHT):
            bit[state, k] = state >> k & 1
    allowed = 1 << min(HEIGHT, len(sums) - top)
    costs = np.empty((4, 4, 4), np.int32)
    origin = np.zeros((cols, STATES, STATES), np.int8)
    never = np.int32(1 << 30)
    best, following = np.full((STATES, STATES), never), np.empty((STATES, STATES), np.int32)
    for here in range(allowed):
        best[0, here] = 0
    for col in range(cols):
        column_costs(sums, board, top, end, col, costs)
        following[:] = never
        for before in range(allowed):
            for here in range(allowed):
                if best[before, here] == never:
                    continue
                for after in range(allowed if col + 1 < cols else 1):  # beside the board all is empty
                    a = bit[before, 0] + bit[here, 0] + bit[after, 0]
                    b = bit[before, 1] + bit[here, 1] + bit[after, 1]
                    c = bit[before, 2] + bit[here, 2] + bit[after, 2]
                    cost = best[before, here] + costs[a, b, c]
                    if cost < following[here, after]:
                        following[here, after] = cost
                        origin[col, here, after] = before
        best, following = following, best
    # Behind the last column is column 0, empty. Back along the origins: each is the column before `here`.
    here, after, lowest = 0, 0, never
    for state in range(allowed):
        if best[state, 0] < lowest:
            here, lowest = state, best[state, 0]
    for col in range(cols - 1, -1, -1):
        chosen[col] = here
        here, after = origin[col, here, after], here
    return int(lowest)


@kernel
def cost_of_rows(sums: Cells, board: Cells, first: int, end: int) -> int:
    """Differences between the table and the board in the rows from `first` to before `end`."""
    rows, cols = sums.shape
    total = 0
    for row in range(max(first, 0), min(end, rows)):
        for col in range(cols):
            rest = sums[row, col]
            for near in range(max(row - 1, 0), min(row + 2, rows)):
                for beside in range(max(col - 1, 0), min(col + 2, cols)):
                    rest -= board[near, beside]
            total += abs(rest)
    return total


@kernel
def improve(sums: Cells, board: Cells, first: int, last: int, begin: bool) -> int:
    """Choose the rows from `first` to before `last` three at a time, where that is better, in `board`.

    If `begin`, the rows below are not known yet: their entries do not count, and the choice is always taken.
    Returns by how much the cost went down, which has no meaning if `begin`.
    """
    rows, cols = sums.shape
    chosen = np.empty(cols, np.int8)
    gained = 0
    for top in range(first, last):
        # Entries of the last chosen row and of the one below count the row that is not known yet.
        end = top + HEIGHT - 1 if begin and top + HEIGHT < rows else top + HEIGHT + 1
        now = cost_of_rows(sums, board, top - 1, end)
        if now == 0 and not begin:
            continue
        found = best_rows(sums, board, top, end, chosen)
        if found < now or begin:
            gained += now - found
            for k in range(min(HEIGHT, rows - top)):
                for col in range(cols):
                    board[top + k, col] = chosen[col] >> k & 1
    return gained


@kernel
def line_changes(line: NDArray[np.int32], changes: Changes) -> None:
    """For each entry p of sums along one axis, the s for which ``line - s * e_p`` has 0-1 cells.

    Cells to p follow from the first cell, cells from p on from the last one: four pairs to try. Both must
    give the same cell p; the equation of entry p, which neither has used, says what s is.
    """
    n = len(line)
    left, right = np.full((2, n + 2), NO_CELL, np.int32), np.full((2, n + 2), NO_CELL, np.int32)
    for first in range(2):
        left[first, 0] = right[first, n + 1] = 0
        left[first, 1] = right[first, n] = first
        for k in range(1, n):
            cell = line[k - 1] - left[first, k] - left[first, k - 1]
            if cell < 0 or cell > 1:  # the error is in this entry or before it: beyond, all stays `NO_CELL`
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
                    found |= 1 << s + LARGEST
        changes[k - 1] = found


@kernel
def times(factor: int, changes: int) -> int:
    """The d for which ``factor * d`` is in the set; the factor is -1, 0 or 1."""
    if factor == 1 or changes == 0:
        return changes
    if factor == 0:
        return EVERY if changes >> LARGEST & 1 else 0
    turned = 0
    for k in range(2 * LARGEST + 1):
        turned |= (changes >> k & 1) << 2 * LARGEST - k
    return turned


@kernel
def common_changes(
    changes: Changes, wave: Cells, left_factor: Cells, right_factor: Cells, common: Changes
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
    cols, rows = changes.shape
    for p in range(rows):
        for first, step, factors in ((0, 1, left_factor), (cols - 1, -1, right_factor)):
            alike, still = EVERY, EVERY
            for k in range(cols):
                q = first + step * k
                here = int(changes[q, p])
                alike &= times(int(wave[k]), here)
                still &= times(0, here)
                reached = still if factors[q] == 0 else times(int(factors[q]), alike)
                common[p, q] = reached if step == 1 else common[p, q] & reached
