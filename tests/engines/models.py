"""Small random Models, the obvious way to solve them, and a hard one."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from cpmines.model import Model


def random_model(rng: np.random.Generator, *, objective: bool = False) -> Model:
    """Up to 6 variables; rows with any bounds, repeated or opposite literals, enforced or not, or empty."""
    model = Model()
    variables = int(rng.integers(1, 7))
    model.variables(variables)

    def literals(count: int) -> NDArray[np.int32]:
        signs = rng.choice([-1, 1], count)
        if rng.random() < 0.6 and count <= variables:
            return (signs * (rng.permutation(variables)[:count] + 1)).astype(np.int32)
        return (signs * rng.integers(1, variables + 1, count)).astype(np.int32)

    for _ in range(int(rng.integers(0, 5))):
        length = int(rng.choice([0, 1, 2, 3, 4, 5, 6, 7], p=[0.04, 0.08, 0.14, 0.2, 0.2, 0.16, 0.1, 0.08]))
        lo = int(rng.integers(-1, length + 1)) if rng.random() < 0.95 else length + 1
        hi = lo if rng.random() < 0.4 else lo + int(rng.integers(-1 if rng.random() < 0.1 else 0, length + 2))
        only_if = int(literals(1)[0]) if rng.random() < 0.35 else 0
        model.between(literals(length), lo, hi, only_if=only_if)
    if objective:
        terms = int(rng.integers(0, 8))
        model.maximise(
            literals(terms), rng.integers(1, rng.choice([2, 5, 40]), terms) * int(rng.choice([1, 3]))
        )
    return model


def all_assignments(model: Model) -> set[tuple[bool, ...]]:
    """Every assignment that holds, by trying them all."""
    candidates = product([False, True], repeat=model.variable_count)
    return {values for values in candidates if model.holds(np.array(values, np.bool_))}


def optimum(model: Model) -> int | None:
    values = [model.value(np.array(values, np.bool_)) for values in all_assignments(model)]
    return max(values, default=None)


def pigeons(holes: int) -> Model:
    """One pigeon more than holes: infeasible, and exponentially hard for resolution (Haken 1985)."""
    model = Model()
    at = model.variables(holes + 1, holes)
    model.between_rows(at, 1, holes)
    model.between_rows(at.T, 0, 1)
    return model
