"""Propagation, then each component of what is left by conflict-driven search, then the total: exact."""

from __future__ import annotations

from cpmines.answer import Answer, Limits
from cpmines.board import Position
from cpmines.inference.propagation import propagate
from cpmines.inference.witness import witness
from cpmines.problem import Function
from cpmines.problems.consistency.problem import Placement

__all__ = ["BACKEND", "solve"]


def solve(position: Position, limits: Limits) -> Answer[Placement]:
    known = propagate(position, limits)
    if reason := known.contradiction():
        return Answer.infeasible(reason)
    if known.open_clues == 0:
        return Answer.solved(Placement(known.placement()))
    mines = witness(known, limits)
    return Answer.infeasible() if mines is None else Answer.solved(Placement(mines))


BACKEND = Function(solve, "propagation, then search with learning by components", packages=("numpy", "numba"))
