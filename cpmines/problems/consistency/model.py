"""The position as a Model: a variable for each cell, a constraint for each clue, one for the total."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cpmines.board import MINE, UNKNOWN, Position
from cpmines.engine import Assignment
from cpmines.grid import neighbour_counts, neighbours
from cpmines.model import Model
from cpmines.problem import Modelling
from cpmines.problems.consistency.problem import Placement

__all__ = ["MODELLING", "plain"]


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


def decode(position: Position, assignments: Sequence[Assignment], complete: bool) -> Placement:
    mines = position.cells == MINE
    mines[position.cells == UNKNOWN] = assignments[0]
    return Placement(mines)


def literals(position: Position) -> int:
    unknown = position.cells == UNKNOWN
    return int(unknown.sum() + neighbour_counts(unknown)[position.cells >= 0].sum(dtype=np.int64))


MODELLING = Modelling({"plain": plain}, decode, literals)
