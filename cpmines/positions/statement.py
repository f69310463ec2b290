"""A position as a Model: a variable for each unknown cell, a constraint for each clue, one for the total."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, UNKNOWN, Position
from cpmines.engine import Assignment
from cpmines.grid import neighbour_counts, neighbours
from cpmines.model import Model

__all__ = ["cells", "literals", "placement", "plain"]


def plain(position: Position) -> Model:
    """Variables: a mine in each unknown cell, in reading order. Known mines are taken off the sums.

    Clues that are right and have no unknown neighbour say nothing more and are left out.
    """
    model = Model()
    cells = position.cells.ravel()
    unknown = np.flatnonzero(cells == UNKNOWN)
    mine = np.zeros(cells.size + 1, np.int32)
    mine[unknown] = model.variables(len(unknown))
    known = position.cells == MINE
    need = np.where(cells >= 0, cells - neighbour_counts(known).ravel(), 0)
    open_cells = neighbour_counts(position.cells == UNKNOWN).ravel()
    clues = np.flatnonzero((cells >= 0) & ((open_cells > 0) | (need != 0)))
    model.between_rows(mine[neighbours(clues, *position.shape)], need[clues], need[clues])
    if position.mines is not None:
        left = position.mines - int(known.sum())
        model.between(mine[unknown], left, left)
    return model


def cells(position: Position) -> NDArray[np.int32]:
    """The variables of `plain` where they lie on the board, 0 where a cell is known; int32 (rows, cols)."""
    unknown = position.cells == UNKNOWN
    return np.where(unknown, np.cumsum(unknown).reshape(unknown.shape), 0).astype(np.int32)


def placement(position: Position, assignment: Assignment) -> NDArray[np.bool_]:
    """The mines of an assignment of `plain`, the known ones included; bool (rows, cols)."""
    mines: NDArray[np.bool_] = position.cells == MINE
    mines[position.cells == UNKNOWN] = assignment
    return mines


def literals(position: Position) -> int:
    """Number of literals of `plain`."""
    unknown = position.cells == UNKNOWN
    return int(unknown.sum() + neighbour_counts(unknown)[position.cells >= 0].sum(dtype=np.int64))
