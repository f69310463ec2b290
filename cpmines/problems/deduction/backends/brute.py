"""The definition: what all placements agree on."""

from __future__ import annotations

import numpy as np

from cpmines.answer import Answer, Limits
from cpmines.board import Position
from cpmines.positions.exhaustive import placements
from cpmines.problem import Function
from cpmines.problems.deduction.problem import Deductions

__all__ = ["BACKEND", "solve"]


def solve(position: Position, limits: Limits) -> Answer[Deductions]:
    everything = list(placements(position, limits))
    if not everything:
        return Answer.infeasible()
    rows, cols = position.shape
    state = np.full((rows, cols), -1, np.int8)
    for row in range(rows):
        for col in range(cols):
            mines = sum((row, col) in mines for mines in everything)
            if mines in (0, len(everything)):
                state[row, col] = mines > 0
    return Answer.solved(Deductions.of(position, state))


BACKEND = Function(solve, "every way to place mines, one after the other", packages=("numpy",))
