"""A table as a Model: every block that is shown has exactly as many mines as its entry says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.engine import Assignment, Tally
from cpmines.grid import neighbours, numbered
from cpmines.model import Model
from cpmines.problem import Modelling, Reading
from cpmines.question import Question
from cpmines.sums.boards import Boards
from cpmines.sums.table import GAP, Table

__all__ = ["SOLUTIONS", "decode", "literals", "nearest", "plain", "sums_modelling"]

SOLUTIONS = 200
"""Boards are enumerated up to this number; beyond it their number and the forced cells stay open."""
LARGEST = 9


def plain(table: Table) -> Model:
    """Variables: a mine in each cell, in reading order. One constraint for each entry."""
    model = Model()
    blocks, sums = blocks_of(table, model)
    model.between_rows(blocks, sums, sums)
    return model


def nearest(table: Table) -> Model:
    """Entries may be wrong, each unit at a price: mines too many are `over`, too few are `under`."""
    model = Model()
    blocks, sums = blocks_of(table, model)
    over, under = (model.variables(len(sums), LARGEST) for _ in range(2))
    model.between_rows(np.hstack([blocks, -over, under]), sums + LARGEST, sums + LARGEST)
    model.maximise(-np.concatenate([over.ravel(), under.ravel()]))
    return model


def blocks_of(table: Table, model: Model) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    """The variables of the cells of each block that is shown, int32 (entries, 9), and the entries."""
    mine = model.variables(table.sums.size)
    shown = np.flatnonzero(table.sums != GAP)
    around = neighbours(shown, *table.shape)
    return np.column_stack([mine[shown], np.where(around >= 0, mine[around], 0)]), table.sums.ravel()[shown]


def boards_of(table: Table, assignments: Sequence[Assignment]) -> NDArray[np.bool_]:
    return np.stack(assignments)[:, : table.sums.size].reshape(-1, *table.shape)


def decode(table: Table, assignments: Sequence[Assignment], complete: bool) -> Boards:
    return Boards.seen(boards_of(table, assignments), complete)


def decode_cover(table: Table, assignments: Sequence[Assignment], complete: bool) -> Boards:
    """These boards show all that differs, but they are not all boards."""
    return replace(decode(table, assignments, complete), solutions=None)


def decode_list(table: Table, assignments: Sequence[Assignment], complete: bool, limit: int) -> Boards:
    boards = boards_of(table, assignments)
    return replace(Boards.seen(boards, complete), boards=tuple(boards))


def decode_extreme(table: Table, assignments: Sequence[Assignment], complete: bool) -> Boards:
    mines = boards_of(table, assignments)[0]
    return Boards(mines, mine_count=int(mines.sum()))


def decode_nearest(table: Table, assignments: Sequence[Assignment], complete: bool) -> Boards:
    return Boards.near(table.sums, boards_of(table, assignments)[0])


def tallied(table: Table, tally: Tally) -> Boards:
    assert tally.witness is not None
    forced = tally.forced.reshape(table.shape)
    return Boards(tally.witness.reshape(table.shape), tally.count, forced, tally.count == 1)


def extreme(sign: int) -> Callable[[Table, Model], None]:
    """Demands as many mines as possible with 1, as few with -1."""
    return lambda table, model: model.maximise(sign * cells(table).ravel())


def literals(table: Table) -> int:
    return 9 * int((table.sums != GAP).sum()) + table.sums.size


def cells(table: Table) -> NDArray[np.int32]:
    """The variables of the cells, as they lie on the board."""
    return numbered(*table.shape)


READINGS: dict[str, Reading[Any, Boards]] = {
    "board": Reading(decode),
    "unique": Reading(decode, 2, tallied=tallied),
    "count": Reading(decode, SOLUTIONS, tallied=tallied),
    "facts": Reading(decode, SOLUTIONS, tallied=tallied),
    "forced": Reading(decode_cover, cover=True, tallied=tallied),
    "all": Reading(decode_list, lambda limit: limit),
    "fewest": Reading(decode_extreme, demand=extreme(-1)),
    "most": Reading(decode_extreme, demand=extreme(1)),
    "nearest": Reading(
        decode_nearest,
        formulations={"plain": nearest},
        literals=lambda table: literals(table) + 2 * LARGEST * int((table.sums != GAP).sum()),
    ),
}


def sums_modelling(questions: Iterable[Question]) -> Modelling[Any, Boards]:
    """The statement for those of the questions that a Model answers."""
    readings = {question.name: READINGS[question.name] for question in questions if question.name in READINGS}
    return Modelling({"plain": plain}, readings, literals, cells)
