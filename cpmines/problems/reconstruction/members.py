"""All boards of a table in a fixed order: which is the k-th?

A board is a number with three digits: the core's solution, then a bit for each column and each row that
stands alone and has two values. The solutions of the core go cut by cut. At a cut they are the sets S between
two bounds, as binary numbers over the rows that S may choose, without its bounds where these are special: the
empty set, the full set and each set H, which leave some columns two values of U and are listed once for each
choice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.numerals import plural, readable
from cpmines.problems.reconstruction.core import Chain, Columns, Core

__all__ = ["Choices", "bits", "numbers"]

Ints = NDArray[np.int8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Choices:
    """All boards of a table: ``start + down u' + v across'`` with the shifts that fit.

    Attributes
    ----------
    start, down, across
        The solution with zeros in its first row and column, and the kernel vectors, all int8.
    row_shift, col_shift
        v and u of the first board, int8.
    free_rows, free_cols
        Indices of the lone rows and columns that can be shifted by 0 and by 1.
    core
        The part that depends on both shifts, None if there is none.
    """

    start: Ints
    down: Ints
    across: Ints
    row_shift: Ints
    col_shift: Ints
    free_rows: NDArray[np.intp]
    free_cols: NDArray[np.intp]
    core: Core | None

    @property
    def count(self) -> int:
        return (1 if self.core is None else self.core.count) << len(self.free_rows) + len(self.free_cols)

    def board(self, number: int | None = None) -> Ints:
        """The board with this number, from 0, or one that is at hand; int8 (rows, cols), entries 0 and 1."""
        from cpmines.problems.reconstruction.kernels import axis

        row_shift, col_shift = self.row_shift, self.col_shift
        if number is not None:
            row_shift, col_shift = row_shift.copy(), col_shift.copy()
            for shift, free in ((row_shift, self.free_rows), (col_shift, self.free_cols)):
                shift[free] = bits(number, len(free))
                number >>= len(free)
            if self.core is not None:
                core_rows, core_cols = member(self.core, number)
                row_shift[self.down != 0] = core_rows * self.down[self.down != 0]
                col_shift[self.across != 0] = core_cols * self.across[self.across != 0]
        if not (self.down.any() or self.across.any()):
            return self.start
        cells = np.empty_like(self.start)
        axis.shifted(self.start, self.down, self.across, row_shift, col_shift, cells)
        return cells

    def forced(self, board: Ints) -> Ints:
        """The given board with -1 in the cells that are not the same in all boards."""
        if self.count == 1:
            return board
        forced = board.copy()
        forced[np.ix_(self.free_rows, self.across != 0)] = -1
        forced[np.ix_(self.down != 0, self.free_cols)] = -1
        if self.core is not None and self.core.count > 1:
            inner = np.ix_(self.down != 0, self.across != 0)
            forced[inner] = np.where(self.core.varies, np.int8(-1), forced[inner])
        return forced


def numbers(choices: Choices, sample: int, seed: int) -> Iterator[int]:
    """Numbers of boards, each drawn with the same probability."""
    generator = random.Random(seed)
    return (generator.randrange(choices.count) for _ in range(sample))


def bits(number: int, count: int) -> Ints:
    """The lowest `count` bits of a number of any size, the lowest first."""
    low = number & (1 << count) - 1
    data = np.frombuffer(low.to_bytes(count // 8 + 1, "little"), np.uint8)
    return np.unpackbits(data, count=count, bitorder="little").view(np.int8)


@dataclass(frozen=True)
class Segment:
    """Consecutive solutions of a core.

    Attributes
    ----------
    size
        How many.
    cut
        At this cut.
    first
        For a range of sets S, the first one as a binary number over the rows that may be chosen at the cut;
        for a special set, also the only one.
    two_valued
        For a special set, the columns whose U has two values; else None.
    """

    size: int
    cut: int
    first: int
    two_valued: Mask | None = None


def segments(core: Core) -> Iterator[Segment]:
    """The solutions of a core in order; their sizes sum to ``core.count``."""
    from cpmines.problems.reconstruction.kernels.core import covering

    columns, chain = core.columns, core.chain
    last = len(chain.equal) - 1
    flat = columns.spread == 0
    flat[0] = False
    free = covering(chain.may, chain.must, last + 1).tolist()
    for cut in chain.valid.tolist():
        first, end = 0, 1 << free[cut]
        if cut == 0 and (chain.must > 0).all():
            yield Segment(1 << int(flat.sum()), cut, 0, flat)
            first = 1
        elif cut > 0 and chain.equal[cut]:
            first = 1
        special = None
        if cut < last and chain.equal[cut + 1]:
            special = (columns.spread == 1) & (columns.level == cut + 1)
        elif cut == last and (chain.may <= last).all():
            special = flat
        end -= special is not None
        if end > first:
            yield Segment(end - first, cut, first)
        if special is not None:
            yield Segment(1 << int(special.sum()), cut, end, special)


def member(core: Core, number: int) -> tuple[Ints, Ints]:
    """V and U of the solution with this number, from 0; int8 (R,) and (C,)."""
    for segment in segments(core):
        if number < segment.size:
            break
        number -= segment.size
    else:
        raise IndexError(f"the core has {plural(core.count, 'solution', readable)}")
    if segment.two_valued is None:
        return shifts(core, chosen(core.chain, segment.cut, segment.first + number), None)
    upper = np.zeros(len(segment.two_valued), np.int8)
    upper[segment.two_valued] = bits(number, int(segment.two_valued.sum()))
    return shifts(core, chosen(core.chain, segment.cut, segment.first), upper)


def chosen(chain: Chain, cut: int, number: int) -> Ints:
    """The set S with this binary number at a cut, as zeros and ones."""
    inside = (chain.must <= cut).astype(np.int8)
    free = np.flatnonzero((chain.may <= cut) & (chain.must > cut))
    inside[free] = bits(number, len(free))
    return inside


def shifts(core: Core, inside: Ints, upper: Ints | None) -> tuple[Ints, Ints]:
    """V and U for a set S; `upper` says of columns with two values whether it is the greater one."""
    columns: Columns = core.columns
    rest = columns.gaps - inside[:, None]
    col_shift = rest.max(axis=0)
    if upper is not None:
        col_shift += upper
    col_shift[0] = 0
    # The gaps are differences to column 0, so U[0] = 0 and the cells of column 0 are x.
    return inside - core.first_column, col_shift
