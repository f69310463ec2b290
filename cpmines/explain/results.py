"""What an explanation says. Cells and places are flat indices on the board, row by row from 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.clues import Clue, ClueBoard
from cpmines.explain.argument import Argument

__all__ = ["Certain", "Contradiction", "Open", "Step", "StepByStep"]


@dataclass(frozen=True, eq=False)
class Contradiction:
    """Clues that no placement meets together; without any one of them there is one.

    Attributes
    ----------
    clues
        In reading order, the total last.
    smallest
        Is it known that no fewer clues contradict each other?
    argument
        Why, in a form that can be told.
    """

    clues: tuple[Clue, ...]
    smallest: bool
    argument: Argument


@dataclass(frozen=True, eq=False)
class Certain:
    """Clues that force a cell; without any one of them it is open.

    Attributes
    ----------
    mine
        Is the cell a mine, or safe?
    smallest
        Is it known that no fewer clues force it?
    """

    cell: int
    mine: bool
    clues: tuple[Clue, ...]
    smallest: bool
    argument: Argument


@dataclass(frozen=True, eq=False)
class Open:
    """A cell that is a mine in one placement and safe in another; each bool of shape (rows, cols)."""

    cell: int
    with_mine: NDArray[np.bool_]
    without: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Step:
    """Clues that force cells, given the board and the steps before.

    Attributes
    ----------
    clues
        With the cells that are not known by then.
    safe, mines
        All cells that they force, ascending.
    smallest
        Is it known that no fewer clues force any cell at this point?
    """

    clues: tuple[Clue, ...]
    safe: tuple[int, ...]
    mines: tuple[int, ...]
    smallest: bool
    argument: Argument

    @property
    def known(self) -> dict[int, bool]:
        """The cells with what they are: True for a mine."""
        return dict.fromkeys(self.safe, False) | dict.fromkeys(self.mines, True)


@dataclass(frozen=True, eq=False)
class StepByStep:
    """Steps from the board to all that is certain on it.

    Attributes
    ----------
    open_cells
        The cells that are a mine in some placements and safe in others, ascending.
    """

    board: ClueBoard
    steps: tuple[Step, ...]
    open_cells: tuple[int, ...]
