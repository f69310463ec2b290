"""Propagation, reduction, elimination; counts and exact ratios from the circuit forwards and backwards."""

from __future__ import annotations

import sys
from itertools import islice

import numpy as np

from cpmines.answer import Answer, Limits
from cpmines.board import UNKNOWN, Position
from cpmines.inference.cases import Answers, answers, placements, samples
from cpmines.problem import Function
from cpmines.problems.counting.listing import Listing
from cpmines.problems.counting.problem import Counts, Query

__all__ = ["BACKEND", "solve"]


def solve(position: Position, limits: Limits) -> Answer[Counts]:
    query = Query.of(position)
    found = answers(position, limits, density=query.density)
    return Answer.infeasible() if found is None else Answer.solved(value(query, found, limits))


def value(query: Query, found: Answers, limits: Limits) -> Counts:
    """Probabilities are exact ratios, rounded once, where that is not too much work, else floats."""
    size = query.cells.size * np.dtype(np.float64).itemsize
    limits.require(size, "the answer")
    exact = query.fractions or found.ratios_are_cheap
    probability = found.rounded if exact else found.probability
    return Counts(
        found.count,
        found.by_mines,
        np.where(query.cells == UNKNOWN, probability, np.nan),
        found.ratios if query.fractions else None,
        Listing(lambda: islice(placements(found), min(query.layouts, sys.maxsize))),
        Listing(lambda: samples(found, query.sample, limits.seed)) if query.sample else (),
    )


BACKEND = Function(solve, "propagation, reduction, elimination by components", packages=("numpy", "numba"))
