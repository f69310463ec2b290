"""The definition: the first placement that satisfies every clue."""

from __future__ import annotations

from cpmines.answer import Answer, Limits
from cpmines.board import Position, parse_mine_rows
from cpmines.inference.exhaustive import placements
from cpmines.problem import Function
from cpmines.problems.consistency.problem import Placement

__all__ = ["BACKEND", "solve"]


def solve(position: Position, limits: Limits) -> Answer[Placement]:
    rows, cols = position.shape
    for mines in placements(position, limits):
        drawn = ["".join(".*"[(row, col) in mines] for col in range(cols)) for row in range(rows)]
        return Answer.solved(Placement(parse_mine_rows(drawn)))
    return Answer.infeasible()


BACKEND = Function(solve, "every way to place mines, one after the other", packages=())
