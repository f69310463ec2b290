"""The core of a table with N = M = 2 (mod 3): 0-1 matrices up to shifts of rows and columns, counted.

Given an integer matrix Y (R x C), which integers V[i] and U[j] make all Y[i, j] + U[j] + V[i] 0 or 1? As
V + c and U - c do the same, let U[0] = 0. Then V[i] = x[i] - Y[i, 0] with x[i] in {0, 1}, and with the
differences d[i, j] = Y[i, 0] - Y[i, j] column j demands that U[j] + x[i] - d[i, j] is 0 or 1 for all i. What
that means for the set S = {i: x[i] = 1} depends on the spread of its differences, max d - min d:

- above 2: it can't be met;
- 2: the rows at the maximum are in S, those at the minimum are not;
- 1: let H be the rows at the maximum: S contains H or is contained in it;
- 0: nothing.

U[j] is then determined, but for the columns where d[i, j] - x[i] is the same for all rows, which leave two
values: those of spread 1 if S = H, those of spread 0 if S is empty or full.

**Counting.** Sort the sets H by size into levels 1..L. An S that fits contains the sets of the levels up to
some cut and is contained in all others: sets of the same size are equal or not comparable. So at each cut,
0..L, S lies between the union of the sets before it (and the rows that are in S) and the intersection of
those after it (without the rows that are not): a power of two. Only an S that equals some H is met twice, at
the cuts on both sides of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Chain", "Columns", "Core", "solve_core"]

Ints = NDArray[np.int8]
Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Core:
    """One solution, the number of solutions, and what tells them all.

    Attributes
    ----------
    row_shift, col_shift
        V and U, int8 of shape (R,) and (C,).
    first_column
        int8 of shape (R,): the first column of Y.
    columns, chain
        What they come from, and the other solutions: see `members`.
    """

    count: int
    row_shift: Ints
    col_shift: Ints
    first_column: Ints
    columns: Columns
    chain: Chain

    @property
    def varies(self) -> Mask:
        """bool of shape (R, C): the cells Y + U + V that are not the same in all solutions."""
        return varying(self.columns, self.chain)


@dataclass(frozen=True)
class Columns:
    """What each column demands of S.

    Attributes
    ----------
    gaps, top, spread
        The differences d, int8 of shape (R, C); their maximum and spread by column, int8 of shape (C,).
    level
        int64 of shape (C,): the level of H, from 1, where the spread is 1; 0 elsewhere.
    sizes
        int64 of shape (levels,): the size of the sets of each level, ascending.
    """

    gaps: Ints
    top: Ints
    spread: Ints
    level: Counts
    sizes: Counts

    @classmethod
    def of(cls, pattern: Ints) -> Columns:
        from cpmines.problems.reconstruction.kernels import core

        gaps, (top, spread) = np.empty_like(pattern, order="C"), np.empty((2, pattern.shape[1]), np.int8)
        core.compare_columns(pattern, gaps, top, spread)
        level = np.empty(len(top), np.int64)
        return cls(gaps, top, spread, level, core.find_levels(gaps, top, spread, level))


@dataclass(frozen=True)
class Chain:
    """Which sets S fit, cut by cut.

    Attributes
    ----------
    must, may
        int64 of shape (R,): the first cut from which on a row must be in S, from which on it may be;
        levels + 1 for none.
    valid
        The cuts at which an S fits, ascending.
    equal
        bool of shape (levels + 1,): S may equal the sets of that level; entry 0 stands for the empty or the
        full set.
    count
        The number of fitting S, each as often as it leaves choices of U.
    """

    must: Counts
    may: Counts
    valid: Counts
    equal: Mask
    count: int


def solve_core(pattern: Ints) -> Core | None:
    """All solutions for Y = `pattern`, int8 of shape (R, C) with entries in -3..4; None if there are none."""
    columns = Columns.of(pattern)
    chain = chain_of(columns) if columns.spread.max() <= 2 else None
    if chain is None:
        return None
    cut = chain.valid[0]
    chosen = (chain.must <= cut).view(np.int8)
    lowered = (columns.spread == 2) | ((columns.spread == 1) & (columns.level <= cut))
    shifts = chosen - pattern[:, 0], columns.top - lowered
    return Core(chain.count, *shifts, pattern[:, 0], columns, chain)


def chain_of(columns: Columns) -> Chain | None:
    """The sets S that fit all columns; None if there are none."""
    from cpmines.problems.reconstruction.kernels import core

    end = len(columns.sizes) + 1
    must, may = np.empty((2, len(columns.gaps)), np.int64)
    core.row_bounds(columns.gaps, columns.top, columns.spread, columns.level, end, must, may)
    fits = core.covering(must, may, end) == 0
    if not fits.any():
        return None
    empty, full = bool((must > 0).all()), bool((may < end).all())
    union = np.cumsum(np.bincount(must, minlength=end + 1))[:end]
    equal = fits & (union == np.concatenate([[0], columns.sizes]))
    equal[0] = empty or full
    count = sum(1 << free for free in core.covering(may, must, end)[fits].tolist())
    alike = np.bincount(columns.level, minlength=end)
    count += sum((1 << choices) - 2 for choices in alike[1:][equal[1:]].tolist())
    flat = int((columns.spread == 0).sum()) - 1
    count += (empty + full) * ((1 << flat) - 1)
    return Chain(must, may, np.flatnonzero(fits), equal, count)


def varying(columns: Columns, chain: Chain) -> Mask:
    """The cells Y + U + V that are 0 in one solution and 1 in another, bool of shape (R, C).

    Where the spread is 1, the cells are x in H and 1 elsewhere if S is smaller than H, 0 in H and x elsewhere
    if S is larger; S = H counts as both.
    """
    from cpmines.problems.reconstruction.kernels import core

    end = len(chain.equal)
    at = np.searchsorted(chain.valid, columns.level)
    before, after = np.append(-1, chain.valid)[at], np.append(chain.valid, end)[at]
    cuts = np.array([chain.valid[0], chain.valid[-1], end])
    varies = np.empty(columns.gaps.shape, np.bool_)
    told = columns.gaps, columns.top, columns.spread
    core.varying(
        *told, before, after, chain.must, chain.may, cuts, bool(chain.equal[0]), varies.view(np.uint8)
    )
    return varies
