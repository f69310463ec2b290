"""A game: a hidden board, and what a player has opened of it."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, UNKNOWN
from cpmines.errors import UsageError
from cpmines.grid import neighbour_counts, require_cell

__all__ = ["BEGINNER", "EXPERT", "INTERMEDIATE", "First", "Game"]

BEGINNER, INTERMEDIATE, EXPERT = (9, 9, 10), (16, 16, 40), (16, 30, 99)
"""Rows, columns and mines of the usual levels."""


class First(StrEnum):
    """What the first cell that is opened can't be."""

    SAFE = "safe"
    """A mine: the classic rule."""
    BLANK = "blank"
    """A mine, or beside one: it shows 0 and opens more."""


class Game:
    """One game. The mines are laid when the first cell is opened, uniformly among the cells the rule allows.

    Parameters
    ----------
    seed
        The same seed and the same first cell give the same mines.

    Attributes
    ----------
    shown
        int8 (rows, cols): what the player sees, with codes as in `Position.cells`.
    lost
        A mine was opened.

    Raises
    ------
    UsageError
        The mines do not fit.
    """

    def __init__(self, rows: int, cols: int, mines: int, seed: int, first: First = First.SAFE) -> None:
        spared = 1 if first is First.SAFE else 9
        if not (rows >= 1 and cols >= 1 and 0 <= mines <= rows * cols - spared):
            raise UsageError(
                f"{mines} mines on a {rows} x {cols} board, expected 0 to {rows * cols - spared}"
            )
        self.mines, self.seed, self.first = mines, seed, first
        self.shown = np.full((rows, cols), UNKNOWN, np.int8)
        self.lost = False
        self._safe_left = rows * cols - mines
        self._clues: NDArray[np.int8] | None = None

    @property
    def won(self) -> bool:
        """Every safe cell is open, and no mine."""
        return self._safe_left == 0 and not self.lost

    @property
    def over(self) -> bool:
        return self.lost or self._safe_left == 0

    def open(self, row: int, col: int) -> bool:
        """Open a cell, and with a 0 all around it; false if it is a mine, which loses the game.

        Opening an open cell changes nothing.

        Raises
        ------
        UsageError
            No such cell.
        """
        from cpmines.analysis.kernels.game import open_cell

        require_cell(row, col, self.shown.shape)
        if self._clues is None:
            self._clues = self._lay(row, col)
        if self._clues[row, col] == MINE:
            self.shown[row, col] = MINE
            self.lost = True
            return False
        self._safe_left -= open_cell(self._clues, self.shown, row, col)
        return True

    def _lay(self, row: int, col: int) -> NDArray[np.int8]:
        """Lay the mines; clues and `MINE` of the whole board."""
        rows, cols = self.shown.shape
        reach = 0 if self.first is First.SAFE else 1
        allowed = np.ones((rows, cols), np.bool_)
        allowed[max(row - reach, 0) : row + reach + 1, max(col - reach, 0) : col + reach + 1] = False
        mines = np.zeros((rows, cols), np.bool_)
        rng = np.random.default_rng(self.seed)
        mines.flat[rng.choice(np.flatnonzero(allowed), self.mines, replace=False)] = True
        return np.where(mines, np.int8(MINE), neighbour_counts(mines))
