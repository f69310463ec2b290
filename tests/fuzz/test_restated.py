"""A Model in other words has the same solutions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Limits, Status
from cpmines.engine import Covering, Outcome
from cpmines.fuzz.restated import SCALE, Restatement, restated
from cpmines.model import Model

LIMITS = Limits(seconds=60)


def random_model(rng: np.random.Generator, objective: bool) -> Model:
    """Rows with any bounds, with repeated and opposite literals, enforced or not; sometimes no variable."""
    model = Model()
    count = int(rng.integers(0, 6))
    model.variables(count)

    def literals(length: int) -> np.ndarray:
        return (rng.choice([-1, 1], length) * rng.integers(1, count + 1, length)).astype(np.int32)

    for _ in range(int(rng.integers(0, 5))):
        length = int(rng.integers(0, 6)) if count else 0
        lo = int(rng.integers(-1, length + 2))
        guard = int(literals(1)[0]) if count and rng.random() < 0.4 else 0
        model.between(literals(length), lo, lo + int(rng.integers(-1, length + 1)), only_if=guard)
    if objective and count:
        terms = int(rng.integers(0, 6))
        model.maximise(literals(terms), rng.integers(1, 5, terms))
    return model


def assignments(model: Model) -> list[np.ndarray]:
    return [np.array(values, np.bool_) for values in product((False, True), repeat=model.variable_count)]


@pytest.mark.parametrize("objective", [False, True])
def test_all_solutions_and_their_values_stay(objective: bool) -> None:
    for seed in range(300):
        rng = np.random.default_rng(seed)
        model = random_model(rng, objective)
        other = Restatement.of(model, rng)
        there = [values for values in assignments(other.model) if other.model.holds(values)]
        back = other.back(Outcome(Status.SOLVED, assignments=tuple(there))).assignments
        right = {values.tobytes() for values in assignments(model) if model.holds(values)}
        assert {values.tobytes() for values in back} == right
        assert len(back) == len(right)
        for values, same in zip(there, back, strict=True):
            assert other.model.value(values) == SCALE * model.value(same) + other.shift


def test_the_words_are_other_ones() -> None:
    model = Model()
    mines = model.variables(6)
    model.between(mines, 2, 3)
    model.maximise(mines[:3])
    said = set()
    for seed in range(20):
        other = Restatement.of(model, np.random.default_rng(seed)).model
        rows = other.constraints()
        said.add((rows.literals.tobytes(), rows.lo.tobytes(), rows.hi.tobytes()))
        assert other.objective is not None
        assert len(other.objective[0]) == 8
    assert len(said) == 20


@pytest.mark.parametrize("name", ["cpsat", "sat", "maxsat"])
def test_engines_say_the_same(name: str) -> None:
    engine = registry.engine(name)
    for seed in range(15):
        model = random_model(np.random.default_rng(seed), objective=True)
        plain = engine.prepare(model, LIMITS)(1)
        other = restated(engine, seed).prepare(model, LIMITS)(1)
        assert other.status is plain.status
        assert other.bound == plain.bound
        for found in other.assignments:
            assert model.holds(found)
            assert model.value(found) == model.value(plain.assignments[0])


def test_a_cover_shows_the_same_values() -> None:
    engine = restated(registry.engine("sat"), 3)
    assert isinstance(engine, Covering)
    for seed in range(10):
        model = random_model(np.random.default_rng(seed), objective=False)
        right = [values for values in assignments(model) if model.holds(values)]
        found = engine.cover(model, LIMITS)().assignments
        assert bool(right) == bool(found)
        if right:
            assert (np.stack(right).all(axis=0) == np.stack(found).all(axis=0)).all()
            assert (np.stack(right).any(axis=0) == np.stack(found).any(axis=0)).all()
