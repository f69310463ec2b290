"""The board as a Model: every clue is right, too low or too high, and the Model says which.

Its only solution names the wrong cells, so that an engine without an objective reports all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, Board
from cpmines.engine import Assignment
from cpmines.grid import neighbour_table, numbered
from cpmines.model import Model
from cpmines.problem import Modelling, Reading
from cpmines.problems.validation.problem import Validity

__all__ = ["MODELLING", "plain"]


def plain(board: Board) -> Model:
    """Variables: a mine in each cell; then for each clue: right, too high, too low."""
    model = Model()
    cells = board.cells.ravel()
    mine = model.variables(cells.size)
    model.fix(np.where(cells == MINE, mine, -mine))
    clues = np.flatnonzero(cells != MINE)
    shown = cells[clues].astype(np.int64)
    around = neighbour_table(*board.shape)[clues]
    neighbours = np.where(around >= 0, mine[around], 0)
    right, too_high, too_low = model.variables(3, len(clues))
    model.between_rows(np.stack([right, too_high, too_low], axis=1), 1, 1)
    model.between_rows(neighbours, shown, shown, only_if=right)
    model.between_rows(neighbours, 0, shown - 1, only_if=too_high)
    model.between_rows(neighbours, shown + 1, 8, only_if=too_low)
    return model


def decode(board: Board, assignments: Sequence[Assignment], complete: bool) -> Validity:
    assignment = assignments[0]
    cells = board.cells.ravel()
    mine = assignment[: cells.size]
    clues = np.flatnonzero(cells != MINE)
    wrong = clues[~assignment[cells.size : cells.size + len(clues)]]
    around = neighbour_table(*board.shape)[wrong]
    mines = np.sum((around >= 0) & mine[around], axis=1)
    rows, cols = np.divmod(wrong, board.shape[1])
    return Validity.of(np.stack([rows, cols, cells[wrong], mines], axis=1))


def literals(board: Board) -> int:
    return 28 * board.cells.size


def cells(board: Board) -> NDArray[np.int32]:
    """The variables of the cells, as they lie on the board."""
    return numbered(*board.shape)


MODELLING: Modelling[Board, Validity] = Modelling(
    {"plain": plain}, {"wrong": Reading(decode), "valid": Reading(decode)}, literals, cells=cells
)
