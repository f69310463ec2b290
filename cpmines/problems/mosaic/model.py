"""The puzzle as a Model: every shown block has exactly as many mines as its sum says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cpmines.engine import Assignment, Tally
from cpmines.grid import neighbours, numbered
from cpmines.model import Model
from cpmines.problem import Modelling
from cpmines.problems.mosaic.problem import Puzzle, Solution

__all__ = ["MODELLING", "SOLUTIONS", "plain"]

SOLUTIONS = 200
"""Boards are enumerated up to this number; beyond it their number and the forced cells stay open."""


def plain(puzzle: Puzzle) -> Model:
    """Variables: a mine in each cell, in reading order. One constraint for each sum."""
    model = Model()
    mine = model.variables(puzzle.sums.size)
    shown = np.flatnonzero(puzzle.sums >= 0)
    around = neighbours(shown, *puzzle.shape)
    sums = puzzle.sums.ravel()[shown]
    model.between_rows(np.column_stack([mine[shown], np.where(around >= 0, mine[around], 0)]), sums, sums)
    return model


def decode(puzzle: Puzzle, assignments: Sequence[Assignment], complete: bool) -> Solution:
    boards = np.stack(assignments).reshape(-1, *puzzle.shape)
    if not complete:
        return Solution(boards[0])
    always, ever = boards.all(axis=0), boards.any(axis=0)
    return Solution(boards[0], len(boards), np.where(always == ever, ever, -1))


def literals(puzzle: Puzzle) -> int:
    return 9 * int((puzzle.sums >= 0).sum()) + puzzle.sums.size


def cells(puzzle: Puzzle) -> NDArray[np.int32]:
    """The variables of the cells, as they lie on the board."""
    return numbered(*puzzle.shape)


def tallied(puzzle: Puzzle, tally: Tally) -> Solution:
    assert tally.witness is not None
    forced = tally.forced.reshape(puzzle.shape)
    return Solution(tally.witness.reshape(puzzle.shape), tally.count, forced)


MODELLING = Modelling({"plain": plain}, decode, literals, SOLUTIONS, cells=cells, tallied=tallied)
