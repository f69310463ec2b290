"""A board as a list of clues: each says how many of some unknown cells are mines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cpmines.board import MINE, UNKNOWN, Position
from cpmines.grid import box_sums, neighbours
from cpmines.problems.mosaic.problem import GAP
from cpmines.problems.mosaic.problem import Puzzle as Mosaic

__all__ = ["TOTAL", "Clue", "Puzzle", "ball", "clues_of", "holders", "matters", "unknown_cells"]

Puzzle = Position | Mosaic
TOTAL = -1
"""The place of the total number of mines, which stands beside the board."""
MOST_AROUND = 9


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


def unknown_cells(board: Puzzle) -> list[int]:
    """Flat indices of the cells to be found out, ascending."""
    if isinstance(board, Position):
        unknown: list[int] = np.flatnonzero(board.cells == UNKNOWN).tolist()
        return unknown
    return list(range(board.sums.size))


def clues_of(board: Puzzle) -> list[Clue]:
    """The clues in reading order, the total last; without those that are right and count nothing."""
    if isinstance(board, Position):
        numbers, known = board.cells, board.cells == MINE
        open_cells = board.cells == UNKNOWN
        shown = np.flatnonzero(numbers >= 0)
        around = neighbours(shown, *board.shape)
    else:
        numbers, known = board.sums, np.zeros(board.shape, np.bool_)
        open_cells = np.ones(board.shape, np.bool_)
        shown = np.flatnonzero(numbers != GAP)
        around = np.column_stack([shown, neighbours(shown, *board.shape)])
    left = (numbers.ravel() - box_sums(known).ravel())[shown].tolist()
    counted = np.where((around >= 0) & open_cells.ravel()[around], around, -1)
    counted.sort(axis=1)
    places, shows = shown.tolist(), numbers.ravel()[shown].tolist()
    clues = [
        Clue(place, number, tuple(cell for cell in row if cell >= 0), mines)
        for place, number, row, mines in zip(places, shows, counted.tolist(), left, strict=True)
    ]
    if isinstance(board, Position) and board.mines is not None:
        clues.append(Clue(TOTAL, board.mines, tuple(unknown_cells(board)), board.mines - int(known.sum())))
    return [clue for clue in clues if clue.cells or clue.mines]


def holders(clues: Sequence[Clue]) -> dict[int, list[int]]:
    """For each cell the indices of the clues that count it, the total left out."""
    found: dict[int, list[int]] = {}
    for index, clue in enumerate(clues):
        if not clue.is_total:
            for cell in clue.cells:
                found.setdefault(cell, []).append(index)
    return found


def ball(
    clues: Sequence[Clue], around: Mapping[int, list[int]], cells: Iterable[int], hops: int
) -> list[int]:
    """Indices of the clues that `cells` reach over at most `hops` clues, each sharing a cell with the next.

    A minimal set of that many clues that decides one of the cells lies within: it hangs together, as a part
    that shares no cell with the others, nor the cell that is decided, could be left out.

    Parameters
    ----------
    around
        From `holders`.
    """
    seen: dict[int, None] = {}
    edge = list(cells)
    for _ in range(hops):
        fresh = dict.fromkeys(index for cell in edge for index in around.get(cell, ()) if index not in seen)
        if not fresh:
            break
        seen |= fresh
        edge = [cell for index in fresh for cell in clues[index].cells]
    return sorted(seen)


def matters(total: Clue, size: int) -> bool:
    """Can the total belong to a minimal set of `size` clues?

    Not if the cells of the others, and the cell that is asked about, leave room for all other mines and for
    no more, however many they have.
    """
    touched = MOST_AROUND * (size - 1) + 1
    return total.mines < touched or len(total.cells) - total.mines < touched
