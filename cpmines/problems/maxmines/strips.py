"""Upper bounds on what a board can still get below a frontier: the sum over strips, each solved exactly.

The board is cut into strips of columns, of which neighbours overlap. Of a valid board, the part in one strip
satisfies the rules in which the other strips do not enter: an empty cell has at most M mines among its
neighbours in the strip, and a mine away from the cuts has an empty neighbour in it. A mine in two strips
counts half in each. So the most that the strips can get below their parts of the frontier bounds, in sum,
what the board gets there. What lies at a cut, of which a strip knows least, counts least in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.problems.maxmines.digits import DIGITS, NEWEST, numbers
from cpmines.problems.maxmines.steps import BITS

__all__ = ["MOST_LINES", "WHOLE", "WIDEST_STRIP", "Strip", "Strips", "strips"]

Table = NDArray[np.int16]

OVERLAP = 2
"""Columns that neighbouring strips share."""
WHOLE = 2
"""What a mine counts that is in one strip; in each of two strips it counts 1."""
NARROWEST_STRIP, WIDEST_STRIP = 4, 9
"""Narrower strips would overlap in threes; wider ones take more time than they spare."""
KEPT_WIDTH = 6
"""The tables of narrower strips are kept: less than a megabyte a line."""
MOST_LINES = 64
"""Farther from the end of the board nothing is bounded: so many tables are kept of each strip."""


@dataclass
class Strip:
    """The tables of one kind of strip, made as far as they are asked for; `kernels.strips` tells their axes.

    Attributes
    ----------
    left, right
        Is there a cut on this side, not the border?
    least
        No tables for fewer lines to come are kept.
    ends
        For each number of lines to come: the most in them, behind a whole line; int16 of shape (6^width,),
        very negative where there is no way to go on.
    within
        The same where the first `OVERLAP` cells of a line are placed, and so many lines come after that line;
        int16 of shape (7 * 6^width,). That is where the strip to the left ends, if there is one.
    """

    width: int
    around: int
    left: bool
    right: bool
    least: int = 0
    ends: dict[int, Table] = field(default_factory=dict)
    within: dict[int, Table] = field(default_factory=dict)

    def gain(self, place: int) -> int:
        """What a mine counts in a column."""
        return WHOLE - (self.left and place < OVERLAP) - (self.right and place >= self.width - OVERLAP)

    def extend(self, lines: int, limits: Limits) -> None:
        """Make the tables for up to so many lines to come."""
        from cpmines.problems.maxmines.kernels import strips as kernels

        if not self.ends:
            limits.check()
            self.ends[0] = np.empty(DIGITS**self.width, np.int16)
            kernels.last_line(self.ends[0], self.width, self.left, self.right)
        while (made := max(self.ends)) < lines:
            self._line(made, limits)

    def _line(self, made: int, limits: Limits) -> None:
        """Go back over one line from the table for `made` lines to come."""
        from cpmines.kernels.pulse import Pulse
        from cpmines.problems.maxmines.kernels import strips as kernels

        pulse = Pulse(limits.check)
        rules = self.width, self.left, self.right, self.around
        table = within = self.ends[made]
        for place in range(self.width - 1, -1, -1):
            limits.check()
            within = table if place == OVERLAP - 1 else within
            before = np.empty((DIGITS + 1 if place else 1) * DIGITS**self.width, np.int16)
            kernels.back(table, before, place, self.gain(place), *rules, pulse)
            table = before
        self.ends[made + 1] = table
        if self.left and made >= self.least:
            self.within[made] = within
        if made < self.least:
            del self.ends[made]

    def memory(self, lines: int) -> int:
        """Bytes for up to so many lines to come, with those that are needed to make them."""
        kept = (lines - self.least + 2) * (1 + (DIGITS + 1) * self.left)
        entries: int = DIGITS**self.width * (kept + 2 * (DIGITS + 1))
        return np.dtype(np.int16).itemsize * entries


@dataclass(frozen=True)
class Strips:
    """The strips of a board of one width, from left to right; where they begin; the bytes that they take."""

    width: int
    parts: tuple[Strip, ...]
    starts: tuple[int, ...]
    bytes: int

    @property
    def cuts(self) -> tuple[int, ...]:
        """The last place of each strip: behind it, the frontier can be bounded."""
        return tuple(start + part.width - 1 for start, part in zip(self.starts, self.parts, strict=True))

    def arguments(self, place: int, lines: int, limits: Limits) -> Iterator[tuple[Any, ...]]:
        """For each strip what `add_gains` takes if a line is placed up to `place`, and `lines` follow it."""
        for part, start, end in zip(self.parts, self.starts, self.cuts, strict=True):
            within = start <= place < end
            part.extend(lines if within or end <= place else lines + 1, limits)
            if within:
                table, cells = part.within[lines], (OVERLAP, part.width - OVERLAP + 1)
                shifts = (0, BITS * (place + self.width - end))
            else:
                table, cells = part.ends[lines + (end > place)], (part.width, 0)
                shifts = (BITS * (place - end + (self.width if end > place else 0)), 0)
            masks = [(1 << BITS * count) - 1 for count in cells]
            yield (
                *(table, numbers(), NEWEST[within]),
                *(np.array(shifts, np.uint64), np.array(masks, np.uint64), DIGITS ** cells[1]),
            )


_narrow = lru_cache(64)(Strip)
_wide = lru_cache(3)(Strip)


def strip(width: int, around: int, left: bool, right: bool, least: int) -> Strip:
    """The strip of a kind, with its tables if it was made before; of the wide ones only the last are kept."""
    return (_wide if width > KEPT_WIDTH else _narrow)(width, around, left, right, least)


def strips(
    width: int, around: int, lines: int, limits: Limits, least: int = 0, widest: int = WIDEST_STRIP
) -> Strips:
    """At least 2 strips, as few as leave a quarter of the memory, of widths as equal as possible.

    Parameters
    ----------
    lines, least
        The most and the fewest lines to come where something is to be bounded.
    widest
        The most columns of a strip.
    """
    count = 2
    while True:
        widths = [len(part) for part in np.array_split(np.arange(width + OVERLAP * (count - 1)), count)]
        kinds = [(wide, around, k > 0, k < count - 1, least) for k, wide in enumerate(widths)]
        needed = sum(Strip(*kind).memory(lines) for kind in set(kinds))
        fitting = widths[0] <= widest and 4 * needed <= 3 * limits.memory
        if fitting or width + OVERLAP * count < NARROWEST_STRIP * (count + 1):
            break
        count += 1
    limits.require(needed, f"bounds of strips of {widths[0]}")
    starts = (int(start) for start in np.cumsum([0, *widths[:-1]]) - OVERLAP * np.arange(count))
    return Strips(width, tuple(strip(*kind) for kind in kinds), tuple(starts), needed)
