"""Propagation, reduction, then elimination; where tables grow too large, search with learning: exact."""

from __future__ import annotations

from functools import partial

from cpmines.answer import Answer, Limits
from cpmines.board import Position
from cpmines.inference.existence import find_placement
from cpmines.inference.propagation import propagate
from cpmines.problem import Function
from cpmines.problems.consistency.problem import Placement

__all__ = ["BACKEND", "solve"]


def solve(position: Position, limits: Limits, shown: bool = True) -> Answer[Placement]:
    """Is there a placement? If `shown`, the answer has one; else it may be left out where it is more work."""
    known = propagate(position, limits)
    if reason := known.contradiction():
        return Answer.infeasible(reason)
    there_is_one, mines = find_placement(known, limits, shown)
    return Answer.solved(Placement(mines)) if there_is_one else Answer.infeasible()


BACKEND: Function[Placement] = Function(
    {"placement": solve, "exists": partial(solve, shown=False)},
    "propagation, reduction, elimination; else search with learning",
    packages=("numpy",),
)
