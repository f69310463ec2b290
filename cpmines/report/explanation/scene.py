"""The part of a board that an explanation is about, ready to be drawn in text or as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cpmines.board import MINE
from cpmines.clues import Clue, ClueBoard

__all__ = ["Mark", "Scene", "Tile"]

MARGIN = 1
"""Rows and columns around what is marked."""


class Mark(StrEnum):
    """What a cell is."""

    CLUE = "clue"
    GIVEN = "given mine"
    UNKNOWN = "unknown"
    SAFE = "safe"
    MINE = "mine"


@dataclass(frozen=True)
class Tile:
    """One cell.

    Attributes
    ----------
    number
        What the board shows there, None for nothing.
    named
        Is the number one of those that the explanation is about?
    counted
        Is it an unknown cell that they count?
    fresh
        Does the explanation settle it?
    """

    mark: Mark
    number: int | None
    named: bool
    counted: bool
    fresh: bool


@dataclass(frozen=True)
class Scene:
    """A rectangle of a board: rows from `top` to before `bottom`, columns from `left` to before `right`.

    Attributes
    ----------
    total
        The total, if the explanation uses it.
    """

    board: ClueBoard
    top: int
    bottom: int
    left: int
    right: int
    tiles: Mapping[int, Tile]
    total: int | None

    @classmethod
    def of(
        cls,
        board: ClueBoard,
        clues: Sequence[Clue],
        known: Mapping[int, bool],
        fresh: Mapping[int, bool],
        whole: bool = False,
    ) -> Scene:
        """The rectangle around `clues` and the cells that they count and settle.

        Parameters
        ----------
        known, fresh
            Cells that are settled before, and by this: True for a mine.
        whole
            Show the whole board.
        """
        rows, cols = board.shape
        local = [clue for clue in clues if not clue.is_total]
        counted = {cell for clue in local for cell in clue.cells}
        places = {clue.place for clue in local}
        shown = places | counted | fresh.keys()
        if whole or not shown or len(local) < len(clues):
            top, bottom, left, right = 0, rows, 0, cols
        else:
            top, bottom = span((cell // cols for cell in shown), rows)
            left, right = span((cell % cols for cell in shown), cols)
        total = next((clue.number for clue in clues if clue.is_total), None)
        tiles = {
            cell: tile(board, cell, places, counted, known, fresh)
            for row in range(top, bottom)
            for cell in range(row * cols + left, row * cols + right)
        }
        return cls(board, top, bottom, left, right, tiles, total)

    def rows(self) -> list[list[Tile]]:
        cols = self.board.shape[1]
        return [
            [self.tiles[row * cols + col] for col in range(self.left, self.right)]
            for row in range(self.top, self.bottom)
        ]


def span(indices: Iterable[int], size: int) -> tuple[int, int]:
    found = list(indices)
    return max(0, min(found) - MARGIN), min(size, max(found) + 1 + MARGIN)


def tile(
    board: ClueBoard,
    cell: int,
    places: set[int],
    counted: set[int],
    known: Mapping[int, bool],
    fresh: Mapping[int, bool],
) -> Tile:
    code = int(board.codes.flat[cell])
    number = code if code >= 0 else None
    if not board.own and (number is not None or code == MINE):
        mark = Mark.CLUE if number is not None else Mark.GIVEN
    else:
        mine = fresh.get(cell, known.get(cell))
        mark = Mark.UNKNOWN if mine is None else Mark.MINE if mine else Mark.SAFE
    return Tile(mark, number, cell in places, cell in counted, cell in fresh)
