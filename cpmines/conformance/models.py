"""Small random Models, the obvious way to solve them, hard ones, and simpler ones to shrink to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cpmines.conformance.verdict import Inspection
from cpmines.model import Model
from cpmines.numerals import plural
from cpmines.quoting import printable

__all__ = [
    "all_assignments",
    "degenerate_models",
    "described",
    "first_fault",
    "hard_optimum",
    "holding",
    "optimum",
    "pigeons",
    "random_clauses",
    "random_model",
    "random_models",
    "smallest_model",
    "trading_model",
    "wide_model",
]

FEW = 20
"""Assignments that a wide Model has at most: an engine is asked for all of them."""


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


def wide_model(rng: np.random.Generator) -> Model:
    """Rows of eight or nine literals, as around a cell, with few enough assignments to be listed."""
    model = Model()
    variables = 9
    model.variables(variables)
    for _ in range(int(rng.integers(1, 3))):
        length = int(rng.integers(8, 10))
        signs = rng.choice([-1, 1], length) if rng.random() < 0.5 else 1
        lo = int(rng.integers(0, length))
        hi = min(length, lo + int(rng.integers(0, 3)))
        lo, hi = [(lo, hi), (0, hi), (lo, length)][int(rng.integers(0, 3))]
        guard = int(rng.integers(1, variables + 1)) if rng.random() < 0.2 else 0
        model.between(signs * (rng.permutation(variables)[:length] + 1), lo, hi, only_if=guard)
    found = holding(model)
    one = found[rng.integers(len(found))] if len(found) else None
    for place in rng.permutation(variables):
        if one is None or len(found) <= FEW:
            break
        model.fix([place + 1 if one[place] else -(place + 1)])
        found = found[found[:, place] == one[place]]
    return model


def trading_model(rng: np.random.Generator) -> Model:
    """Literals that keep each other out, with nearly even weights: a wrong one gives a wrong optimum."""
    model = Model()
    count = int(rng.integers(6, 9))
    model.variables(count)
    literals = (rng.choice([-1, 1], count) * (rng.permutation(count) + 1)).astype(np.int32)
    if rng.random() < 0.5:
        # A knapsack: as often as a literal stands in the row, so much it takes of the room.
        sizes = rng.choice([1, 1, 2, 3, 4], count)
        weights = sizes + rng.integers(0, 2, count)
        model.between(np.repeat(literals, sizes), 0, int(sizes.sum() * rng.uniform(0.3, 0.7)))
    else:
        # Two dear literals, each against several cheap ones that together weigh about as much.
        weights = rng.integers(1, 4, count)
        for dear in (0, 1):
            cheap = rng.choice(np.arange(2, count), int(rng.integers(2, count - 1)), replace=False)
            weights[dear] = max(1, weights[cheap].sum() + int(rng.integers(-2, 3)))
            row = np.concatenate([np.repeat(literals[dear], len(cheap)), literals[cheap]])
            model.between(row, 0, len(cheap))
    model.maximise(literals, weights)
    return model


def random_models(count: int, seed: int, *, objective: bool = False) -> list[Model]:
    """The degenerate ones, then `count` others: each third is wide, or with an objective a trade."""
    rng = np.random.default_rng(seed)
    special = trading_model if objective else wide_model
    drawn = [random_model(rng, objective=objective) if k % 3 else special(rng) for k in range(count)]
    return [*degenerate_models(objective=objective), *drawn]


@cache
def _table(variables: int) -> NDArray[np.bool_]:
    """All assignments, a row each."""
    return np.array(list(product([False, True], repeat=variables)), np.bool_).reshape(
        1 << variables, variables
    )


def holding(model: Model) -> NDArray[np.bool_]:
    """Every assignment that holds, a row each, by trying them all."""
    table, rows = _table(model.variable_count), model.constraints()
    holds = np.ones(len(table), np.bool_)
    for k, (lo, hi, guard) in enumerate(zip(rows.lo, rows.hi, rows.only_if, strict=True)):
        sums = _true(table, rows.row(k)).sum(axis=1)
        broken = (sums < lo) | (sums > hi)
        holds &= ~(broken & _true(table, rows.only_if[k : k + 1])[:, 0]) if guard else ~broken
    found: NDArray[np.bool_] = table[holds]
    return found


def _true(assignments: NDArray[np.bool_], literals: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Of shape (assignments, literals)."""
    found: NDArray[np.bool_] = assignments[:, np.abs(literals) - 1] == (literals > 0)
    return found


def all_assignments(model: Model) -> set[tuple[bool, ...]]:
    """Every assignment that holds."""
    return set(map(tuple, holding(model).tolist()))


def optimum(model: Model) -> int | None:
    """The largest value of the objective, None if no assignment holds."""
    assert model.objective is not None
    literals, weights = model.objective
    values = _true(holding(model), literals) @ weights
    return int(values.max()) if len(values) else None


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


def hard_optimum(variables: int = 60, clauses: int = 600) -> Model:
    """As many of random clauses as possible: easy to satisfy in part, and hard to prove optimal."""
    model = Model()
    rng = np.random.default_rng(7)
    cells, met = model.variables(variables), model.variables(clauses)
    rows = np.array([rng.choice(cells, 3, replace=False) for _ in met]) * rng.choice([-1, 1], (clauses, 3))
    model.between_rows(rows, 1, 3, only_if=met)
    model.maximise(met, rng.integers(1, 10, clauses))
    return model


def described(model: Model) -> str:
    """The Model as text: a row a line, variables x1, x2, ..., ``~`` for a negation."""
    rows = model.constraints()
    lines = [plural(model.variable_count, "variable")]
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


def first_fault(models: Iterable[Model], fault: Callable[[Model], str]) -> Inspection:
    """What is wrong with the first Model on which something is, after making that as small as possible."""

    def guarded(model: Model) -> str:
        given = deepcopy(model)
        try:
            said = fault(given)
        except Exception as error:
            said = printable(f"{type(error).__name__}: {error}")
        return said or ("the Model was modified" if described(given) != described(model) else "")

    cases = 0
    for model in models:
        cases += 1
        if guarded(model):
            minimal = smallest_model(model, lambda simpler: bool(guarded(simpler)))
            return Inspection(cases, f"{guarded(minimal)}\n{described(minimal)}")
    return Inspection(cases)
