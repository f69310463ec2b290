"""Boards as clues, for `cpmines.explain`: the room ``clues.py`` of a problem's folder offers ``CLUES``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
        known, open_cells = self.codes == MINE, (self.codes == UNKNOWN) | self.own
        shown = np.flatnonzero(self.codes >= 0)
        around = neighbours(shown, *self.shape)
        if self.own:
            around = np.column_stack([shown, around])
        left = (self.codes.ravel() - box_sums(known).ravel())[shown].tolist()
        counted = np.where((around >= 0) & open_cells.ravel()[around], around, -1)
        counted.sort(axis=1)
        places, shows = shown.tolist(), self.codes.ravel()[shown].tolist()
        clues = [
            Clue(place, number, tuple(cell for cell in row if cell >= 0), mines)
            for place, number, row, mines in zip(places, shows, counted.tolist(), left, strict=True)
        ]
        if self.total is not None:
            clues.append(Clue(TOTAL, self.total, tuple(self.unknown), self.total - int(known.sum())))
        return tuple(clue for clue in clues if clue.cells or clue.mines)


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
