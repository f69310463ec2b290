"""Model: its evaluation against the obvious loop, its groups, its errors."""

from __future__ import annotations

import numpy as np
import pytest

from cpmines.conformance.models import random_model
from cpmines.model import Model


def true(literal: int, assignment: list[bool]) -> bool:
    return assignment[abs(literal) - 1] == (literal > 0)


def violated_slowly(model: Model, assignment: list[bool]) -> list[int]:
    """Row by row, literal by literal."""
    rows = model.constraints()
    broken = []
    for k in range(len(rows)):
        total = sum(true(literal, assignment) for literal in rows.row(k).tolist())
        active = rows.only_if[k] == 0 or true(int(rows.only_if[k]), assignment)
        if active and not rows.lo[k] <= total <= rows.hi[k]:
            broken.append(k)
    return broken


@pytest.mark.parametrize("seed", range(5))
def test_evaluation_is_that_of_the_obvious_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(200):
        model = random_model(rng, objective=True)
        assignment = rng.random(model.variable_count) < 0.5
        values = assignment.tolist()
        assert model.violated(assignment).tolist() == violated_slowly(model, values)
        assert model.holds(assignment) == (not violated_slowly(model, values))
        assert model.objective is not None
        literals, weights = (part.tolist() for part in model.objective)
        expected = sum(
            weight for literal, weight in zip(literals, weights, strict=True) if true(literal, values)
        )
        assert model.value(assignment) == expected


@pytest.mark.parametrize("seed", range(5))
def test_groups_hold_every_row_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(100):
        rows = random_model(rng).constraints()
        grouped = []
        for (length, lo, hi, enforced), literals, only_if in rows.groups():
            assert literals.shape == (len(only_if), length)
            assert ((only_if != 0) == enforced).all()
            grouped += [
                (row, lo, hi, guard) for row, guard in zip(literals.tolist(), only_if.tolist(), strict=True)
            ]
        flat = zip(rows.lo.tolist(), rows.hi.tolist(), rows.only_if.tolist(), strict=True)
        assert sorted(grouped) == sorted((rows.row(k).tolist(), *rest) for k, rest in enumerate(flat))


def test_an_empty_model() -> None:
    model = Model()
    assert len(model.constraints()) == 0
    assert list(model.constraints().groups()) == []
    assert model.holds(np.zeros(0, np.bool_))
    assert model.value(np.zeros(0, np.bool_)) == 0
    assert str(model.size()) == "0 variables, 0 constraints, 0 literals"


def test_size_counts_the_literals_that_are_kept() -> None:
    model = Model()
    cells = model.variables(2, 3)
    model.between_rows([[1, 2, 0], [0, 0, -3]], [0, 1], 1)
    model.fix(cells[1])
    model.maximise(cells[0], [1, 2, 3])
    size = model.size()
    assert (size.variables, size.constraints, size.literals, size.objective_terms) == (6, 5, 6, 3)
    assert model.constraints().lengths.tolist() == [2, 1, 1, 1, 1]


def test_variables_are_numbered_in_the_order_of_their_arrays() -> None:
    model = Model()
    assert model.variables(2, 2).tolist() == [[1, 2], [3, 4]]
    assert model.variables(1).tolist() == [5]
    assert model.variables(0).tolist() == []
    assert model.variable_count == 5


def test_clause_and_fix() -> None:
    model = Model()
    a, b = model.variables(2).tolist()
    model.clause(a, -b)
    model.fix([b])
    assert not model.holds(np.array([False, True]))
    assert model.holds(np.array([True, True]))


def test_scalar_bounds_and_guards_are_for_all_rows() -> None:
    model = Model()
    cells = model.variables(3, 2)
    guard = model.variables(1)[0]
    model.between_rows(cells, 1, 2, only_if=guard)
    rows = model.constraints()
    assert rows.lo.tolist() == [1, 1, 1]
    assert rows.only_if.tolist() == [7, 7, 7]


def test_what_is_not_a_literal_is_refused() -> None:
    model = Model()
    model.variables(2)
    with pytest.raises(ValueError, match="0 is not a literal"):
        model.between([1, 0], 0, 1)
    with pytest.raises(ValueError, match="literal of variable 3, there are 2"):
        model.between([1, -3], 0, 1)
    with pytest.raises(ValueError, match="literal of variable 4, there are 2"):
        model.between([1], 0, 1, only_if=-4)
    with pytest.raises(ValueError, match="weights"):
        model.maximise([1, 2], [1, 0])
    with pytest.raises(ValueError, match="literals"):
        model.maximise([1, 0])
    assert model.size().constraints == 0


def test_lengths_that_do_not_fit_are_refused() -> None:
    model = Model()
    model.variables(4)
    with pytest.raises(ValueError, match="shape"):
        model.between_rows([[1, 2], [3, 4]], [0, 0, 0], 1)
    assert model.size().constraints == 0
    assert len(model.constraints().literals) == 0
