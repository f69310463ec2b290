"""The table as a Model: every block has exactly as many mines as its entry says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Stop
from cpmines.engine import Assignment, Tally
from cpmines.errors import LimitError
from cpmines.grid import neighbour_table, numbered
from cpmines.model import Model
from cpmines.problem import Modelling
from cpmines.problems.reconstruction.problem import Boards, Table

__all__ = ["MODELLING", "SOLUTIONS", "plain"]

LARGEST = 9
SOLUTIONS = 200
"""Boards are enumerated up to this number; beyond it their number and the forced cells stay open."""


def plain(table: Table) -> Model:
    """Variables: a mine in each cell, in reading order. One constraint for each entry.

    Raises
    ------
    LimitError
        What is asked is not the question of a Model: numbered, sampled or listed boards.
    """
    asked = table.asked
    if asked.sample or asked.index or asked.every:
        raise LimitError(Stop.DECLINED, f"exact engines are not asked for {asked}")
    model = Model()
    mine = model.variables(table.sums.size)
    around = neighbour_table(*table.shape)
    block = np.column_stack([mine, np.where(around >= 0, mine[around], 0)])
    if asked.nearest:
        nearest(model, block, table.sums.ravel())
        return model
    sums = table.sums.ravel()
    model.between_rows(block, sums, sums)
    if asked.extreme:
        model.maximise(asked.extreme * mine)
    return model


def nearest(model: Model, block: NDArray[np.int32], sums: NDArray[np.int8]) -> None:
    """Entries may be wrong, each unit at a price: mines too many are `over`, too few are `under`."""
    over, under = (model.variables(len(sums), LARGEST) for _ in range(2))
    model.between_rows(np.hstack([block, -over, under]), sums + LARGEST, sums + LARGEST)
    model.maximise(-np.concatenate([over.ravel(), under.ravel()]))


def decode(table: Table, assignments: Sequence[Assignment], complete: bool) -> Boards:
    asked = table.asked
    boards = np.stack(assignments)[:, : table.sums.size].reshape(-1, *table.shape)
    if asked.nearest:
        return Boards.near(table.sums, boards[0])
    if asked.extreme:
        return Boards(boards[0], mine_count=int(boards[0].sum()))
    if not complete:
        return Boards(boards[0])
    forced = np.where(boards.all(axis=0), 1, np.where(boards.any(axis=0), -1, 0))
    return Boards(boards[0], len(boards), forced)


def tallied(table: Table, tally: Tally) -> Boards:
    assert tally.witness is not None
    return Boards(tally.witness.reshape(table.shape), tally.count, tally.forced.reshape(table.shape))


def literals(table: Table) -> int:
    return (9 + 2 * LARGEST * table.asked.nearest) * table.sums.size


def cells(table: Table) -> NDArray[np.int32]:
    """The variables of the cells, as they lie on the board."""
    return numbered(*table.shape)


MODELLING = Modelling({"plain": plain}, decode, literals, SOLUTIONS, cells=cells, tallied=tallied)
