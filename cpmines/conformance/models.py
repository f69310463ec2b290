"""Small random Models, the obvious way to solve them, hard ones, and simpler ones to shrink to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cpmines.model import Model

__all__ = [
    "all_assignments",
    "degenerate_models",
    "described",
    "first_fault",
    "optimum",
    "pigeons",
    "random_clauses",
    "random_model",
    "random_models",
    "smallest_model",
]


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


def degenerate_models(*, objective: bool = False) -> list[Model]:
    """Without variables, without rows, with rows that are false, alone or behind a literal."""
    empty, contradiction, free, switched = (Model() for _ in range(4))
    contradiction.between([], 1, 1)
    free.variables(3)
    a, b = switched.variables(2)
    switched.between([], 1, 1, only_if=a)
    switched.between([a, b], 5, 9, only_if=-b)
    models = [empty, contradiction, free, switched]
    if objective:
        for model in models:
            model.maximise([])
    return models


def random_models(count: int, seed: int, *, objective: bool = False) -> list[Model]:
    """The degenerate ones first."""
    rng = np.random.default_rng(seed)
    drawn = [random_model(rng, objective=objective) for _ in range(count)]
    return [*degenerate_models(objective=objective), *drawn]


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


def random_clauses(variables: int, seed: int = 7) -> Model:
    """Random clauses of three literals at the threshold of 4.26 a variable (Mitchell et al. 1992)."""
    model = Model()
    rng = np.random.default_rng(seed)
    cells = model.variables(variables)
    for _ in range(round(4.26 * variables)):
        model.clause(*(rng.choice(cells, 3, replace=False) * rng.choice([-1, 1], 3)).tolist())
    return model


def described(model: Model) -> str:
    """The Model as text: a row a line, variables x1, x2, ..., ``~`` for a negation."""
    rows = model.constraints()
    lines = [f"{model.variable_count} variable{'s' * (model.variable_count != 1)}"]
    for k, (lo, hi, guard) in enumerate(zip(rows.lo, rows.hi, rows.only_if, strict=True)):
        total = " + ".join(map(_name, rows.row(k).tolist())) or "0"
        lines.append(f"{lo} <= {total} <= {hi}" + (f"  if {_name(guard)}" if guard else ""))
    if model.objective is not None:
        terms = zip(*(part.tolist() for part in model.objective), strict=True)
        lines.append("maximise " + (" + ".join(f"{w} {_name(literal)}" for literal, w in terms) or "0"))
    return "\n".join(lines)


def _name(literal: int) -> str:
    return f"x{literal}" if literal > 0 else f"~x{-literal}"


def smallest_model(model: Model, fails: Callable[[Model], bool]) -> Model:
    """Take simpler Models as long as one of them still fails."""
    for simpler in _simpler(model):
        if fails(simpler):
            return smallest_model(simpler, fails)
    return model


def _simpler(model: Model) -> Iterator[Model]:
    """Without one row, without one literal of a row, without an enforcing literal, without a term."""
    rows = model.constraints()
    parts = [
        (rows.row(k).tolist(), int(rows.lo[k]), int(rows.hi[k]), int(rows.only_if[k]))
        for k in range(len(rows))
    ]
    terms = [] if model.objective is None else list(zip(*(p.tolist() for p in model.objective), strict=True))
    for k, (literals, lo, hi, guard) in enumerate(parts):
        yield _rebuilt(model, [*parts[:k], *parts[k + 1 :]], terms)
        if guard:
            yield _rebuilt(model, [*parts[:k], (literals, lo, hi, 0), *parts[k + 1 :]], terms)
        for place in range(len(literals)):
            shorter = [*literals[:place], *literals[place + 1 :]]
            yield _rebuilt(model, [*parts[:k], (shorter, lo, hi, guard), *parts[k + 1 :]], terms)
    for k in range(len(terms)):
        yield _rebuilt(model, parts, [*terms[:k], *terms[k + 1 :]])
    used = {abs(x) for literals, *_, guard in parts for x in (*literals, guard)} | {abs(x) for x, _ in terms}
    if model.variable_count > max(used, default=0):
        yield _rebuilt(model, parts, terms, model.variable_count - 1)


def _rebuilt(
    model: Model,
    parts: list[tuple[list[int], int, int, int]],
    terms: list[tuple[int, int]],
    variables: int | None = None,
) -> Model:
    made = Model()
    made.variables(model.variable_count if variables is None else variables)
    for literals, lo, hi, guard in parts:
        made.between(literals, lo, hi, only_if=guard)
    if model.objective is not None:
        made.maximise([literal for literal, _ in terms], [weight for _, weight in terms])
    return made


def first_fault(models: Iterable[Model], fault: Callable[[Model], str]) -> str:
    """What is wrong with the first Model on which something is, after making that as small as possible."""

    def guarded(model: Model) -> str:
        given = deepcopy(model)
        try:
            said = fault(given)
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        return said or ("the Model was modified" if described(given) != described(model) else "")

    for model in models:
        if guarded(model):
            minimal = smallest_model(model, lambda simpler: bool(guarded(simpler)))
            return f"{guarded(minimal)}\n{described(minimal)}"
    return ""
