"""The definition: the first placement that satisfies every clue."""

from __future__ import annotations

from cpmines.answer import Answer, Limits
from cpmines.board import Position
from cpmines.positions.exhaustive import laid_out, placements
from cpmines.problem import Function
from cpmines.problems.consistency.problem import Placement

__all__ = ["BACKEND", "solve"]


def solve(position: Position, limits: Limits) -> Answer[Placement]:
    for mines in placements(position, limits):
        return Answer.solved(Placement(laid_out(position, mines)))
    return Answer.infeasible()


BACKEND = Function(
    {"placement": solve, "exists": solve}, "every way to place mines, one after the other", packages=()
)
