"""Propagation, reduction, elimination; counts and exact ratios from the circuit forwards and backwards."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import islice

import numpy as np

from cpmines.answer import Answer, Limits
from cpmines.board import UNKNOWN, Position
from cpmines.inference.cases import answers, placements, sampler
from cpmines.problem import Function
from cpmines.problems.counting.listing import Listing
from cpmines.problems.counting.values import Counts

__all__ = ["BACKEND", "count", "layouts", "sample", "solve"]


def solve(
    position: Position, limits: Limits, density: Fraction | None = None, fractions: bool | None = None
) -> Answer[Counts]:
    """Probabilities are exact ratios, rounded once, where that is not too much work, else floats."""
    found = answers(position, limits, density=density)
    if found is None:
        return Answer.infeasible()
    limits.require(position.cells.size * np.dtype(np.float64).itemsize, "the answer")
    probability = found.rounded if fractions or found.ratios_are_cheap else found.probability
    shown = np.where(position.cells == UNKNOWN, probability, np.nan)
    return Answer.solved(Counts(found.count, found.by_mines, shown, found.ratios if fractions else None))


def count(position: Position, limits: Limits) -> Answer[Counts]:
    found = answers(position, limits)
    return Answer.infeasible() if found is None else Answer.solved(Counts(found.count, found.by_mines))


def layouts(position: Position, limits: Limits, layouts: int) -> Answer[Counts]:
    found = answers(position, limits)
    if found is None:
        return Answer.infeasible()
    listed = Listing(lambda: islice(placements(found), min(layouts, sys.maxsize)))
    return Answer.solved(Counts(found.count, layouts=listed))


def sample(
    position: Position, limits: Limits, sample: int, density: Fraction | None = None
) -> Answer[Counts]:
    found = answers(position, limits, density=density)
    if found is None:
        return Answer.infeasible()
    drawn = sampler(found)
    return Answer.solved(Counts(found.count, samples=Listing(lambda: drawn(sample, limits.seed))))


BACKEND: Function[Counts] = Function(
    {"chances": solve, "count": count, "layouts": layouts, "sample": sample},
    "propagation, reduction, elimination by components",
    packages=("numpy",),
)
