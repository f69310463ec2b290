"""Which single changes of an entry give the table of a board? All of them, in linear time.

Let M not be 2 (mod 3). Undoing the sums along the rows leaves ``A T_M^-1``, whose column j is the table,
along one axis, of column j of the board. An error e in the entry (p, q) becomes errors e g[j] in the entries
p of all columns, where T_M g = e_q. As g is made of zeros behind the ends and satisfies g[j - 1] + g[j] + g[j
+ 1] = 0 but for j = q, it is a multiple of the wave 1, -1, 0, 1, -1, 0, ... from the left end to q and one
from the right end to q, with factors -1, 0 or 1. For each column and p the errors that leave a column of
zeros and ones are found from both ends; what all columns to the left of q and all to the right of it allow is
intersected step by step.

If M is 2 (mod 3) and N is not, the same holds for the transposed table. If both are, only the sums that the
kernel vectors must not see are used here: an error shows in those of its row and of its column, unless they
stand alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.problems.reconstruction.axis import kernel_vector

__all__ = ["LARGEST", "possible_errors"]

Ints = NDArray[np.int8]
Changes = NDArray[np.uint32]

LARGEST = 9


def possible_errors(sums: Ints, limits: Limits) -> Changes:
    """For each entry the errors without which there may be a board: bit e + 9, uint32 of the table's shape.

    Exact unless both sides are 2 (mod 3); then no error that is possible is missing.
    """
    rows, cols = sums.shape
    if cols % 3 != 2:
        return by_columns(sums, limits)
    if rows % 3 != 2:
        return by_columns(sums.T, limits).T
    return by_kernel(sums)


def by_columns(sums: Ints, limits: Limits) -> Changes:
    from cpmines.kernels.pulse import Pulse
    from cpmines.problems.reconstruction.kernels import axis
    from cpmines.problems.reconstruction.kernels import repair as kernels

    undone = np.array(sums, np.int32, order="C")
    axis.undo_across(undone)
    lines = np.ascontiguousarray(undone.T)
    changes, common = np.empty(lines.shape, np.uint32), np.empty(sums.shape, np.uint32)
    for line, found in zip(lines, changes, strict=True):
        limits.check()
        kernels.line_changes(line, found)
    wave = np.resize(np.array([1, -1, 0], np.int8), len(lines))
    kernels.common_changes(changes, wave, *factors(wave), common, Pulse(limits.check))
    return common


def factors(wave: Ints) -> tuple[Ints, Ints]:
    """For each q the multiples of the waves from both ends that meet in q with a sum of 1; int8 (n,)."""
    padded = np.pad(wave, (1, 0))
    here, before = padded[1:], padded[:-1]
    other, after = here[::-1], before[::-1]
    left, right = np.zeros_like(wave), np.zeros_like(wave)
    for a in (-1, 0, 1):
        for b in (-1, 0, 1):
            fits = (a * here == b * other) & (a * (before + here) + b * after == 1)
            left[fits], right[fits] = a, b
    return left, right


def by_kernel(sums: Ints) -> Changes:
    """Errors with which all rows and columns sum to 0 with the kernel vectors."""
    down, across = (kernel_vector(n).astype(np.int64) for n in sums.shape)
    by_col, by_row = down @ sums, sums @ across
    common = np.zeros(sums.shape, np.uint32)
    single = (np.count_nonzero(by_col) <= 1) & (np.count_nonzero(by_row) <= 1)
    for error in range(-LARGEST, LARGEST + 1):
        fits = (by_col == error * down[:, None]) & (by_row[:, None] == error * across)
        others = (np.count_nonzero(by_col) == (by_col != 0)) & (
            np.count_nonzero(by_row) == (by_row != 0)[:, None]
        )
        common |= (fits & others & single).astype(np.uint32) << np.uint32(error + LARGEST)
    return common
