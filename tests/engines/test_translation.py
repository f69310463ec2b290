"""Every engine, encoding and solver against trying all assignments."""

from __future__ import annotations

import numpy as np
import pytest

from cpmines.answer import Limits, Status
from cpmines.conformance import Effort
from cpmines.conformance.engine import finds_all, finds_optimum
from cpmines.conformance.models import all_assignments, pigeons, random_models
from cpmines.engine import Engine, Outcome
from cpmines.engines import cpsat, sat
from cpmines.model import Model
from cpmines.oracle.worker import SequentialCounter
from cpmines.translate import clauses, encode, encoding_names
from tests.effort import some

LIMITS = Limits(seconds=60)
MODELS = 300
SOLVERS = [name for name in sat.solver_names() if name != "cadical195"]


def solved(engine: Engine, model: Model, count: int = 1) -> Outcome:
    return engine.prepare(model, LIMITS.begin())(count)


def test_the_random_models_are_balanced() -> None:
    sizes = [len(all_assignments(model)) for model in random_models(MODELS, 1)]
    assert 0.1 < np.mean([size == 0 for size in sizes]) < 0.5
    assert np.mean([size > 3 for size in sizes]) > 0.2


@pytest.mark.parametrize("encoding", encoding_names())
def test_encodings_have_the_models_assignments(encoding: str) -> None:
    effort = Effort(some(MODELS, 60), encoding_names().index(encoding))
    assert finds_all(sat.ENGINE.configure([encoding]), effort).passed


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_find_the_models_assignments(solver: str) -> None:
    effort = Effort(some(100, 30), 50 + SOLVERS.index(solver))
    assert finds_all(sat.ENGINE.configure([solver]), effort).passed


@pytest.mark.parametrize("encoding", encoding_names())
@pytest.mark.parametrize("method", ["tighten", "rc2"])
def test_optimum_by_encoding(method: str, encoding: str) -> None:
    effort = Effort(some(100, 30), 200 + encoding_names().index(encoding))
    assert finds_optimum(sat.ENGINE.configure([method, encoding]), effort).passed


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("method", ["tighten", "rc2"])
def test_optimum_by_solver(method: str, solver: str) -> None:
    if method == "rc2" and solver in sat.WITHOUT_RC2:
        pytest.skip("refused: see test_options")
    effort = Effort(some(50, 20), 300 + SOLVERS.index(solver))
    assert finds_optimum(sat.ENGINE.configure([method, solver]), effort).passed


def test_optimum_of_cpsat_with_two_workers() -> None:
    assert finds_optimum(cpsat.ENGINE.configure(["workers=2"]), Effort(50, 400)).passed


@pytest.mark.parametrize("engine", [sat.ENGINE, sat.ENGINE.configure(["kissat404"]), cpsat.ENGINE])
def test_pigeons(engine: Engine) -> None:
    assert solved(engine, pigeons(4)).status is Status.INFEASIBLE


@pytest.mark.parametrize("encoding", ["binomial", "kmtotalizer", "cardnetwrk"])
def test_long_rows(encoding: str) -> None:
    """Too long for `direct` to write out: a row of 60 with 31 true, and opposite bounds."""
    model = Model()
    cells = model.variables(60)
    model.between(cells, 31, 31)
    model.between(cells[:40], 20, 40)
    model.between(cells[20:], 0, 11)
    outcome = solved(sat.ENGINE.configure([encoding]), model)
    assert model.holds(outcome.assignments[0])
    model.between(cells[:20], 0, 19)
    assert solved(sat.ENGINE.configure([encoding]), model).status is Status.INFEASIBLE


def test_native_objects() -> None:
    from ortools.sat.python import cp_model
    from pysat.solvers import Solver

    model = Model()
    a, b, c = model.variables(3)
    model.between([a, b, -c], 2, 2)
    model.fix([c])
    with Solver("minisat22", bootstrap_with=sat.ENGINE.translate(model, LIMITS)) as solver:
        assert solver.solve()
        assert solver.get_model()[:3] == [1, 2, 3]
    native = cpsat.ENGINE.translate(model, LIMITS)
    assert isinstance(native, cp_model.CpModel)
    assert not native.validate()
    assert len(native.proto.variables) == 3


@pytest.mark.parametrize("chunk", [1, 200, 10**6])
def test_rows_of_a_shape_have_auxiliary_variables_of_their_own(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clauses, "CHUNK", chunk)
    model = Model()
    model.between_rows(model.variables(5, 8), 3, 4)
    cnf = encode(model, "totalizer", LIMITS)
    homes: dict[int, set[int]] = {}
    for clause in cnf:
        row = {(abs(literal) - 1) // 8 for literal in clause if abs(literal) <= 40}
        for literal in clause:
            if abs(literal) > 40:
                homes.setdefault(abs(literal), set()).update(row)
    assert all(len(rows) <= 1 for rows in homes.values())
    assert set().union(*homes.values()) == set(range(5))
    assert sorted(homes) == list(range(41, cnf.variables + 1))
    assert max(np.abs(block).max() for block in cnf.blocks) == cnf.variables


def test_both_counters_bound_the_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    from pysat.solvers import Solver

    from cpmines.oracle import worker

    rng = np.random.default_rng(5)
    for case in range(60):
        monkeypatch.setattr(worker, "LARGEST_TOTALIZER", 10**6 * (case % 2))
        count = int(rng.integers(1, 6))
        weights = rng.integers(1, 9, count).tolist()
        bound = int(rng.integers(0, sum(weights)))
        counter = SequentialCounter(list(range(1, count + 1)), weights, bound, count)
        with Solver("minisat22", bootstrap_with=[*counter.clauses, *counter.at_most(bound)]) as solver:
            for signs in np.ndindex(*[2] * count):
                weight = sum(weight for weight, sign in zip(weights, signs, strict=True) if sign)
                literals = [place if sign else -place for place, sign in enumerate(signs, 1)]
                assert solver.solve(assumptions=literals) == (weight <= bound)
