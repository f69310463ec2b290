"""The table as a Model: every block has exactly as many mines as its entry says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cpmines.engine import Assignment
from cpmines.grid import neighbour_table
from cpmines.model import Model
from cpmines.problem import Modelling
from cpmines.problems.reconstruction.problem import Boards, Table

__all__ = ["MODELLING", "SOLUTIONS", "plain"]

SOLUTIONS = 200
"""Boards are enumerated up to this number; beyond it their number and the forced cells stay open."""


def plain(table: Table) -> Model:
    """Variables: a mine in each cell, in reading order. One constraint for each entry."""
    model = Model()
    mine = model.variables(table.sums.size)
    around = neighbour_table(*table.shape)
    block = np.column_stack([mine, np.where(around >= 0, mine[around], 0)])
    sums = table.sums.ravel()
    model.between_rows(block, sums, sums)
    return model


def decode(table: Table, assignments: Sequence[Assignment], complete: bool) -> Boards:
    boards = np.stack(assignments).reshape(-1, *table.shape)
    if not complete:
        return Boards(boards[0])
    forced = np.where(boards.all(axis=0), 1, np.where(boards.any(axis=0), -1, 0))
    return Boards(boards[0], len(boards), forced)


def literals(table: Table) -> int:
    return 9 * table.sums.size


MODELLING = Modelling({"plain": plain}, decode, literals, SOLUTIONS)
