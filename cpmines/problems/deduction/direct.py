"""Propagation, reduction, elimination; then what values are possible, from the circuit backwards: exact."""

from __future__ import annotations

from cpmines.answer import Answer, Limits
from cpmines.board import Position
from cpmines.inference.exact import infer
from cpmines.problem import Function
from cpmines.problems.deduction.problem import Deductions

__all__ = ["BACKEND", "solve"]


def solve(position: Position, limits: Limits) -> Answer[Deductions]:
    found = infer(position, limits)
    if found is None:
        return Answer.infeasible()
    return Answer.solved(Deductions.of(position, found.state))


BACKEND = Function(solve, "propagation, reduction, elimination by components", packages=("numpy", "numba"))
