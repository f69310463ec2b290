"""Propagation, reduction, elimination; then what values are possible, from the circuit backwards: exact.

Where tables grow too large, a search for placements that show every cell both ways: exact as well.
"""

from __future__ import annotations

from cpmines.answer import Answer, Limits, Stop
from cpmines.board import Position
from cpmines.errors import LimitError
from cpmines.inference.cover import certain
from cpmines.inference.exact import complete
from cpmines.inference.propagation import propagate
from cpmines.problem import Function
from cpmines.problems.deduction.problem import Deductions

__all__ = ["BACKEND", "solve"]


ATTEMPTS = 8
"""Orders of elimination, a few seconds of work, before the search is tried instead."""


def solve(position: Position, limits: Limits) -> Answer[Deductions]:
    known = propagate(position, limits)
    if reason := known.contradiction():
        return Answer.infeasible(reason)
    try:
        found = complete(known, limits, attempts=ATTEMPTS)
        state = None if found is None else found.state
    except LimitError as limit:
        if limit.stop == Stop.TIME_LIMIT:
            raise
        state = certain(known, limits)
    return Answer.infeasible() if state is None else Answer.solved(Deductions.of(position, state))


BACKEND = Function(
    solve, "propagation, reduction, elimination; else search with learning", packages=("numpy",)
)
