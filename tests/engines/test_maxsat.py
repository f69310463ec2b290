"""The engine maxsat: against the objective of small Models, and its options."""

from __future__ import annotations

import numpy as np
import pytest

from cpmines.answer import Limits, Status
from cpmines.conformance.models import random_model
from cpmines.engines import maxsat
from cpmines.errors import UsageError
from cpmines.model import Model

LIMITS = Limits(seconds=120)


def best(model: Model) -> int | None:
    """The largest objective over all assignments, None if none holds."""
    count = model.variable_count
    assignments = (np.arange(1 << count)[:, None] >> np.arange(count) & 1).astype(np.bool_)
    return max((model.value(row) for row in assignments if model.holds(row)), default=None)


@pytest.mark.parametrize(
    "options", [[], ["stratified"], ["minisat22", "totalizer"], ["stratified", "cadical195"]]
)
def test_the_optimum_of_small_models(options: list[str]) -> None:
    engine = maxsat.ENGINE.configure(options)
    rng = np.random.default_rng(len(options))
    for _ in range(60):
        model = random_model(rng)
        chosen = rng.choice(model.variable_count, min(4, model.variable_count), replace=False) + 1
        model.maximise(chosen * rng.choice([-1, 1], len(chosen)), rng.integers(1, 5, len(chosen)))
        outcome = engine.prepare(model, LIMITS.begin())(1)
        expected = best(model)
        if expected is None:
            assert outcome.status is Status.INFEASIBLE
        else:
            assert outcome.status is Status.SOLVED
            assert model.holds(outcome.assignments[0])
            assert model.value(outcome.assignments[0]) == expected == outcome.bound


def test_a_model_without_an_objective_is_a_plain_instance() -> None:
    model = Model()
    a, b, c = model.variables(3)
    model.between([a, b, c], 1, 1)
    outcome = maxsat.ENGINE.prepare(model, LIMITS.begin())(5)
    assert outcome.complete
    assert len(outcome.assignments) == 3


def test_the_native_formula() -> None:
    model = Model()
    a, b = model.variables(2)
    model.clause(-a, -b)
    model.maximise([a, b, -b], [3, 2, 1])
    formula = maxsat.ENGINE.translate(model, Limits())
    assert formula.hard == [[-1, -2]]
    assert sorted(zip(formula.soft, formula.wght, strict=True)) == [([1], 3), ([2], 1)]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["rc2", "stratified"], ["one method", "rc2 and stratified"]),
        (["tighten"], ["'tighten'", "rc2, stratified"]),
        (["nonsense"], ["maxsat has no option 'nonsense'", "glucose4", "rc2, stratified"]),
        (["kissat404"], ["maxsat", "can't use kissat404"]),
    ],
)
def test_what_does_not_exist_is_said(options: list[str], named: list[str]) -> None:
    with pytest.raises(UsageError) as error:
        maxsat.ENGINE.configure(options)
    for words in named:
        assert words in str(error.value)
