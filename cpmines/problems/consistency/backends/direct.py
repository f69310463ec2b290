"""Propagation, reduction, then elimination; where tables grow too large, search with learning: exact."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from cpmines.answer import Answer, Limits, Stop
from cpmines.board import Position
from cpmines.errors import LimitError
from cpmines.inference.exact import complete
from cpmines.inference.layouts import first_placement
from cpmines.inference.propagation import propagate
from cpmines.inference.witness import witness
from cpmines.problem import Function
from cpmines.problems.consistency.problem import Placement

__all__ = ["BACKEND", "solve"]

ELIMINATION_MEMORY = 1 << 29
ATTEMPTS = 5
"""Bytes and orders of elimination, a few seconds in all, before the search is tried instead."""


def solve(position: Position, limits: Limits, shown: bool = True) -> Answer[Placement]:
    """Is there a placement? If `shown`, the answer has one; else it may be left out where it is more work."""
    known = propagate(position, limits)
    if reason := known.contradiction():
        return Answer.infeasible(reason)
    if known.open_clues == 0:
        return Answer.solved(Placement(known.placement() if shown else None))
    try:
        few = replace(limits, memory=min(limits.memory, ELIMINATION_MEMORY))
        found = complete(known, few, attempts=ATTEMPTS)
        if found is None:
            return Answer.infeasible()
        return Answer.solved(Placement(first_placement(found) if shown else None))
    except LimitError as limit:
        if limit.stop == Stop.TIME_LIMIT:
            raise
    mines = witness(known, limits)
    return Answer.infeasible() if mines is None else Answer.solved(Placement(mines))


BACKEND: Function[Placement] = Function(
    {"placement": solve, "exists": partial(solve, shown=False)},
    "propagation, reduction, elimination; else search with learning",
    packages=("numpy", "numba"),
)
