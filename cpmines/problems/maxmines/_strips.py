"""Upper bounds on what a board can still get below a frontier: the sum over strips, each solved exactly.

The board is cut into strips of columns. Of a valid board, the part in one strip satisfies the rules in which
the other strips do not enter: an empty cell has at most M mines among its neighbours in the strip, and a mine
away from the cuts has an empty neighbour in it. So the most mines that a strip can get below its part of the
frontier bounds what the board gets there, and the sum over the strips bounds the rest of the board.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.problems.maxmines._steps import BITS

__all__ = ["MOST_LINES", "Strip", "Strips", "strips"]

Table = NDArray[np.int16]

WIDEST_STRIP = 8
"""A strip of w columns takes tables of 8^w entries a line, and twice 8^(w + 1) to make them."""
KEPT_WIDTH = 6
"""The tables of narrower strips are kept: half a megabyte a line."""
MOST_LINES = 64
"""Farther from the end of the board nothing is bounded: so many tables are kept of each strip."""


@dataclass
class Strip:
    """The tables of one kind of strip, made as far as they are asked for.

    Attributes
    ----------
    left, right
        Is there a cut on this side, not the border?
    tables
        Entry m: for each code of the strip's last line, the most mines in m lines to come; int16 of shape
        (8^width,), very negative where there is no way to go on.
    """

    width: int
    bound: int
    left: bool
    right: bool
    tables: list[Table] = field(default_factory=list)

    def table(self, lines: int, limits: Limits) -> Table:
        """The table for `lines` lines to come."""
        from cpmines.problems.maxmines.kernels import strips as kernels

        entries = 1 << BITS * (self.width + 1)
        limits.require(memory(self.width, lines), f"bounds of strips of {self.width}")
        if not self.tables:
            last = np.empty(entries >> BITS, np.int16)
            kernels.last_line(last, self.width, self.left, self.right)
            self.tables.append(last)
        while len(self.tables) <= lines:
            table = np.tile(self.tables[-1], 1 << BITS)
            for place in range(self.width - 1, -1, -1):
                limits.check()
                before = np.empty(entries, np.int16)
                kernels.back(table, before, self.width, place, self.left, self.right, self.bound)
                table = before
            self.tables.append(_with_newest(table[: entries >> BITS]))
        return self.tables[lines]


@dataclass(frozen=True)
class Strips:
    """The strips of a board of one width, from left to right."""

    width: int
    parts: tuple[Strip, ...]

    @property
    def cuts(self) -> tuple[int, ...]:
        """The last place of each strip: behind it, the frontier can be bounded."""
        return tuple(int(end) - 1 for end in np.cumsum([part.width for part in self.parts]))

    def arguments(
        self, place: int, lines: int, limits: Limits
    ) -> tuple[Table, NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint64]]:
        """What `ceilings` takes when a line is placed up to `place`, and `lines` follow after it."""
        tables, shifts = [], []
        for part, end in zip(self.parts, self.cuts, strict=True):
            placed = end <= place
            tables.append(part.table(lines if placed else lines + 1, limits))
            shifts.append(BITS * (place - end if placed else place + self.width - end))
        offsets = np.cumsum([0, *map(len, tables[:-1])])
        masks = [(1 << BITS * part.width) - 1 for part in self.parts]
        return np.concatenate(tables), offsets, np.array(shifts, np.uint64), np.array(masks, np.uint64)


def _with_newest(table: Table) -> Table:
    """A table with values for a last cell that may still get 4 mines, where 3 neighbours are to come."""
    entries = table.reshape(-1, 1 << BITS).copy()
    entries[:, 4] = entries[:, 3]
    return entries.ravel()


def strip(width: int, bound: int, left: bool, right: bool) -> Strip:
    """The strip of a kind, with its tables if it was made before; of the wide ones only the last are kept."""
    return (_wide if width > KEPT_WIDTH else _narrow)(width, bound, left, right)


_narrow = cache(Strip)
_wide = lru_cache(4)(Strip)


def memory(width: int, lines: int) -> int:
    """Bytes that the tables of a strip take, for up to so many lines."""
    entries = 1 << BITS * (width + 1)
    return 2 * np.dtype(np.int16).itemsize * entries + (lines + 1) * (entries >> BITS - 1)


def strips(width: int, bound: int, lines: int, limits: Limits) -> Strips:
    """At least 2 strips, as few as the memory allows, of widths as equal as possible."""
    fitting = [wide for wide in range(1, WIDEST_STRIP + 1) if 2 * memory(wide, lines) <= limits.memory]
    count = max(2, -(-width // max([1, *fitting])))
    widths = [len(part) for part in np.array_split(np.arange(width), count)]
    parts = [strip(wide, bound, k > 0, k < count - 1) for k, wide in enumerate(widths)]
    return Strips(width, tuple(parts))
