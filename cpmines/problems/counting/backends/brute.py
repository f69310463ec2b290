"""The definition: all placements, counted."""

from __future__ import annotations

import numpy as np

from cpmines.answer import Answer, Limits
from cpmines.board import Position
from cpmines.inference.exhaustive import placements
from cpmines.problem import Function
from cpmines.problems.counting.placements import counted
from cpmines.problems.counting.problem import Counts, Query

__all__ = ["BACKEND", "solve"]


def solve(position: Position, limits: Limits) -> Answer[Counts]:
    query = Query.of(position)
    if query.sample:
        return Answer.declined("samples are drawn by direct only")
    found = []
    for mines in placements(position, limits):
        board = np.zeros(position.shape, np.bool_)
        for cell in mines:
            board[cell] = True
        found.append(board)
    return Answer.solved(counted(query, found)) if found else Answer.infeasible()


BACKEND = Function(solve, "every way to place mines, one after the other", packages=("numpy",))
