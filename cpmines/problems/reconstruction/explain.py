"""Why a table has no board: short sums of entries first, then one that always exists.

**Along one axis** the sum of entries ``(a[k + 2] - a[k + 1]) + (a[k + 5] - a[k + 4]) + ...`` of m differences
is y[k + 3 m] - y[k], where cells outside are 0; a single entry is a sum of two or three cells. The product of
two such sums, one along each axis, is a sum of few entries and few cells. A wrong entry in a table of a
random board mostly shows in a product of 4 to 16 entries nearby.

**In general** the method of the package's docstring fails at some place, and each place gives weights of
cells, w, for which the sum of w X is determined by the table but out of reach. Entries with this sum have
coefficients c with T_N c T_M = w, which is the equation that the method solves; where a side is 2 (mod 3)
multiples of the kernel vector are added to make c sparse.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.problems.reconstruction.axis import kernel_vector, lone_lines, undo_sums
from cpmines.problems.reconstruction.cycle import Terms, cycle
from cpmines.problems.reconstruction.reason import Reason

__all__ = ["explain"]

Ints = NDArray[np.int8]
Longs = NDArray[np.int32]

MOST_LOCAL = 16
"""Entries of a product. As sums of up to 8 differences of entries they fit into a byte."""
MULTIPLES = (0, 1, -1, 2, -2, 3, -3)
BYTES_PER_CELL = 26


def explain(sums: Ints, limits: Limits) -> Reason:
    """A reason for a table that has no board.

    Linear time; memory: 26 bytes a cell if no short sum shows it.

    Raises
    ------
    LimitError
    """
    for down, across in products(sums.shape):
        limits.check()
        entries = local(sums, down, across, limits)
        if entries is not None:
            return Reason.of(sums, entries)
    limits.require(BYTES_PER_CELL * sums.size, "the reason why there is no board")
    return Reason.of(sums, general(sums, limits))


@lru_cache
def products(shape: tuple[int, ...]) -> list[tuple[int, int]]:
    """Numbers of differences along both axes, 0 for a single entry; few entries first."""
    rows, cols = shape
    pairs = [
        (down, across)
        for down in range(MOST_LOCAL // 2 + 1)
        for across in range(MOST_LOCAL // 2 + 1)
        if size(down) * size(across) <= MOST_LOCAL and 3 * down <= rows + 1 and 3 * across <= cols + 1
    ]
    return sorted(pairs, key=lambda pair: size(pair[0]) * size(pair[1]))


def size(differences: int) -> int:
    return 2 * differences or 1


def local(sums: Ints, down: int, across: int, limits: Limits) -> Longs | None:
    """The entries of a product that is out of reach, (row, column, coefficient); None if all are in reach."""
    place = out_of_reach(sums, down, across, 1, limits)
    if len(place) == 0:
        return None
    rows, row_sign = members(int(place[0, 0]), down)
    cols, col_sign = members(int(place[0, 1]), across)
    table = np.empty((len(rows), len(cols), 3), np.int32)
    table[..., 0], table[..., 1] = rows[:, None], cols
    table[..., 2] = np.multiply.outer(row_sign, col_sign)
    return table.reshape(-1, 3)


def out_of_reach(sums: Ints, down: int, across: int, most: int, limits: Limits) -> NDArray[np.int64]:
    """Rows, columns and excesses of products that cells can't reach, at most `most`; int64 (places, 3)."""
    from cpmines.kernels.pulse import Pulse
    from cpmines.problems.reconstruction.kernels import products

    found = np.empty((most, 3), np.int64)
    return found[: products.out_of_reach(sums, down, across, found, Pulse(limits.check))]


def members(line: int, differences: int) -> tuple[Longs, Longs]:
    """The entries of a sum along one axis, and their signs."""
    if differences == 0:
        return np.array([line], np.int32), np.ones(1, np.int32)
    first = line + 3 * np.arange(differences, dtype=np.int32)
    return np.stack([first, first + 1]).ravel(), np.repeat(np.array([-1, 1], np.int32), differences)


def general(sums: Ints, limits: Limits) -> Longs:
    """Entries of a sum that is out of reach, (row, column, coefficient), for any table without a board."""
    rows, cols = sums.shape
    down, across = kernel_vector(rows), kernel_vector(cols)
    for table, kernel, turned in ((sums, down, False), (sums.T, across, True)):
        missed = np.flatnonzero(kernel.astype(np.int32) @ table)
        if len(missed):
            line, place = np.flatnonzero(kernel), np.full(np.count_nonzero(kernel), missed[0])
            pair = (place, line) if turned else (line, place)
            return np.stack([*pair, kernel[line]], axis=1).astype(np.int32)
    limits.check()
    start = undo_sums(sums.astype(np.int32))
    assert start is not None
    limits.check()
    row, col, weight = violation(start, down, across)
    wanted = np.zeros(sums.shape, np.int32)
    np.add.at(wanted, (row, col), weight)
    limits.check()
    found = coefficients(wanted, down, across)
    row, col = np.nonzero(found)
    return np.stack([row, col, found[row, col]], axis=1).astype(np.int32)


def coefficients(wanted: Longs, down: Ints, across: Ints) -> Longs:
    """Entries whose sum counts the cells with the weights `wanted`, few of them."""
    found = undo_sums(wanted)
    assert found is not None
    for kernel, lines in ((down, found), (across, found.T), (down, found)):
        inner = kernel != 0
        if inner.any():
            signed = lines[inner] * kernel[inner, None]
            zeros = np.stack([(signed == -multiple).sum(axis=0) for multiple in MULTIPLES])
            best = np.array(MULTIPLES, np.int32)[zeros.argmax(axis=0)]
            lines += np.multiply.outer(kernel.astype(np.int32), best)
    return found


def violation(start: Longs, down: Ints, across: Ints) -> Terms:
    """Cells and weights whose sum no board reaches, given the solution with first row and column 0."""
    rows, cols = start.shape
    alone = start[lone_lines(rows), lone_lines(cols)]
    bad = np.argwhere((alone < 0) | (alone > 1))
    row_at, col_at = np.arange(rows)[lone_lines(rows)], np.arange(cols)[lone_lines(cols)]
    if len(bad):
        cost = effort(rows)[row_at[bad[:, 0]]] * effort(cols)[col_at[bad[:, 1]]]
        row, col = bad[cost.argmin()]
        return row_at[[row]], col_at[[col]], np.ones(1, np.int32)
    found = spread_line(start[lone_lines(rows)], across)
    if found is not None:
        line, ends, weights = found
        return row_at[line], ends, weights
    found = spread_line(start[:, lone_lines(cols)].T, down)
    if found is not None:
        line, ends, weights = found
        return ends, col_at[line], weights
    inside, beside = np.flatnonzero(down), np.flatnonzero(across)
    sign = np.multiply.outer(down[inside], across[beside])
    row, col, weight = cycle((start[np.ix_(inside, beside)] - (sign < 0)) * sign)
    return inside[row], beside[col], weight * sign[row, col]


def spread_line(lines: Longs, kernel: Ints) -> Terms | None:
    """A row that no multiple of the kernel vector makes 0 and 1: twice, two cells, their weights."""
    inner = np.flatnonzero(kernel)
    if len(inner) == 0 or len(lines) == 0:
        return None
    pattern = (lines[:, inner] - (kernel[inner] < 0)) * kernel[inner]
    line = int(np.ptp(pattern, axis=1).argmax())
    ends = inner[[pattern[line].argmax(), pattern[line].argmin()]]
    if pattern[line].max() - pattern[line].min() < 2:
        return None
    return np.array([line, line]), ends, np.array([1, -1], np.int32) * kernel[ends]


def effort(n: int) -> NDArray[np.int64]:
    """About how many entries of an axis the cells take, if n is not 2 (mod 3)."""
    k = np.arange(n)
    left, right = (k + 1) // 3, (n - k) // 3
    return np.select([k % 3 == 2, (n - k) % 3 == 0], [2 * left, 2 * right], 1 + 2 * (left + right))
