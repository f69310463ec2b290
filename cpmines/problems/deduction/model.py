"""The position as a Model; assignments are asked for that show every value that a cell can have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cpmines.board import MINE, UNKNOWN, Position
from cpmines.engine import Assignment, Tally
from cpmines.positions.statement import cells, literals, placement, plain
from cpmines.problem import Modelling, Reading
from cpmines.problems.deduction.problem import Deductions

__all__ = ["MODELLING"]


def decode(position: Position, assignments: Sequence[Assignment], complete: bool) -> Deductions:
    mines = np.stack([placement(position, assignment) for assignment in assignments])
    some, every = mines.any(axis=0), mines.all(axis=0)
    return Deductions.of(position, np.where(some & ~every, -1, every).astype(np.int8))


def tallied(position: Position, tally: Tally) -> Deductions:
    state = (position.cells == MINE).astype(np.int8)
    state[position.cells == UNKNOWN] = tally.forced
    return Deductions.of(position, state)


MODELLING: Modelling[Position, Deductions] = Modelling(
    {"plain": plain}, {"certain": Reading(decode, cover=True, tallied=tallied)}, literals, cells=cells
)
