"""Boards as clues, for `cpmines.explain`: the room ``clues.py`` of a problem's folder offers ``CLUES``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import MINE, UNKNOWN
from cpmines.grid import box_sums, neighbours

__all__ = ["TOTAL", "Clue", "ClueBoard", "Clues"]

I = TypeVar("I")  # noqa: E741

CHUNK = 4096
"""Clues between two looks at the clock."""

TOTAL = -1
"""The place of the total number of mines, which stands beside the board."""


@dataclass(frozen=True)
class Clue:
    """A number, and the unknown cells that it counts.

    Attributes
    ----------
    place
        Flat index of its cell, `TOTAL` for the total number of mines.
    number
        As the board shows it.
    cells
        Flat indices, ascending: the cells that it counts and that are not known.
    mines
        How many of `cells` are mines; below 0 or above their number if the clue contradicts what is known.
    """

    place: int
    number: int
    cells: tuple[int, ...]
    mines: int

    @property
    def is_total(self) -> bool:
        return self.place == TOTAL

    @property
    def broken(self) -> bool:
        """Can it not be met, whatever the other clues say?"""
        return not 0 <= self.mines <= len(self.cells)

    def given(self, known: Mapping[int, bool]) -> Clue:
        """The clue once more cells are `known`: True for a mine."""
        if known.keys().isdisjoint(self.cells):
            return self
        left = tuple(cell for cell in self.cells if cell not in known)
        found = sum(known.get(cell, False) for cell in self.cells)
        return Clue(self.place, self.number, left, self.mines - found)


@dataclass(frozen=True, eq=False)
class ClueBoard:
    """What is shown of a board: numbers, each of which counts the mines in the block around it.

    Attributes
    ----------
    codes
        int8 of shape (rows, cols): a number, `MINE` for a known mine, or `UNKNOWN`.
    own
        Does a number count its own cell, too? Then all cells are to be found out, and no mine is known; else
        those without a number.
    total
        Number of mines on the board, None if it is not given.
    """

    codes: NDArray[np.int8]
    own: bool = False
    total: int | None = None

    @property
    def shape(self) -> tuple[int, int]:
        rows, cols = self.codes.shape
        return rows, cols

    @cached_property
    def unknown(self) -> list[int]:
        """Flat indices of the cells to be found out, ascending."""
        found: list[int] = np.flatnonzero((self.codes == UNKNOWN) | self.own).tolist()
        return found

    @cached_property
    def clues(self) -> tuple[Clue, ...]:
        """In reading order, the total last; without those that are right and count nothing."""
        return tuple(self._made(Limits()))

    def clues_within(self, limits: Limits) -> tuple[Clue, ...]:
        """`clues`, under a clock where they are not known yet: a large board has very many."""
        kept = vars(self)
        if "clues" not in kept:
            kept["clues"] = tuple(self._made(limits))
        return self.clues

    def _made(self, limits: Limits) -> Iterator[Clue]:
        known, open_cells = self.codes == MINE, (self.codes == UNKNOWN) | self.own
        left = self.codes.ravel() - box_sums(known).ravel()
        shown = np.flatnonzero(self.codes >= 0)
        for first in range(0, len(shown), CHUNK):
            limits.check()
            places = shown[first : first + CHUNK]
            around = neighbours(places, *self.shape)
            if self.own:
                around = np.column_stack([places, around])
            counted = np.where((around >= 0) & open_cells.ravel()[around], around, -1)
            counted.sort(axis=1)
            columns = (places, self.codes.ravel()[places], counted, (counted < 0).sum(axis=1), left[places])
            for place, number, cells, others, mines in zip(*map(np.ndarray.tolist, columns), strict=True):
                if mines or others < len(cells):
                    yield Clue(place, number, tuple(cells[others:]), mines)
        if self.total is not None and (self.unknown or self.total - int(known.sum())):
            yield Clue(TOTAL, self.total, tuple(self.unknown), self.total - int(known.sum()))


def _anywhere(instance: object, limits: Limits) -> list[int]:
    return []


@dataclass(frozen=True)
class Clues(Generic[I]):
    """How boards of a problem are explained. It also needs the problem's ``rules.py``, for the check.

    Attributes
    ----------
    kind
        The class of the instances.
    board
        What an instance shows.
    consistent
        Has it a placement?
    certain
        What is the same in all placements, int8 (rows, cols): 1 for a mine, 0 for none, -1 where they differ;
        None if there is no placement.
    trouble
        Flat indices of cells that can't all have values on a board without a placement, where they are found
        quickly; empty if they are not.

    The last three may raise `LimitError`.
    """

    kind: type[I]
    board: Callable[[I], ClueBoard]
    consistent: Callable[[I, Limits], bool]
    certain: Callable[[I, Limits], NDArray[np.int8] | None]
    trouble: Callable[[I, Limits], list[int]] = _anywhere
