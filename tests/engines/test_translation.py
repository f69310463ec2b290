"""Every engine, encoding and solver against trying all assignments."""

from __future__ import annotations

import numpy as np
import pytest

from cpmines.answer import Limits, Status
from cpmines.engine import Engine, Outcome
from cpmines.engines import _cnf, cpsat, sat
from cpmines.engines._cnf import encode
from cpmines.engines._sat_worker import Counter
from cpmines.engines._templates import ENCODINGS
from cpmines.model import Model
from tests.engines.models import all_assignments, optimum, pigeons, random_model

LIMITS = Limits(seconds=60)
MODELS = 300
SOLVERS = [name for name in sat.solver_names() if name != "cadical195"]


def solved(engine: Engine, model: Model, count: int = 1) -> Outcome:
    return engine.prepare(model, LIMITS.begin())(count)


def check_all_found(engine: Engine, model: Model) -> None:
    """Enumeration gives each assignment once and says that this is all."""
    expected = all_assignments(model)
    outcome = solved(engine, model, 100)
    found = [tuple(assignment.tolist()) for assignment in outcome.assignments]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert outcome.complete
    assert outcome.status is (Status.SOLVED if expected else Status.INFEASIBLE)


def check_optimum(engine: Engine, model: Model) -> None:
    expected = optimum(model)
    outcome = solved(engine, model)
    assert outcome.status is (Status.INFEASIBLE if expected is None else Status.SOLVED)
    if expected is not None:
        (assignment,) = outcome.assignments
        assert model.holds(assignment)
        assert model.value(assignment) == expected
        assert outcome.bound == expected


def models(seed: int, count: int, *, objective: bool = False) -> list[Model]:
    rng = np.random.default_rng(seed)
    return [random_model(rng, objective=objective) for _ in range(count)]


def test_the_random_models_are_balanced() -> None:
    sizes = [len(all_assignments(model)) for model in models(1, MODELS)]
    assert 0.1 < np.mean([size == 0 for size in sizes]) < 0.5
    assert np.mean([size > 3 for size in sizes]) > 0.2


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_have_the_models_assignments(encoding: str) -> None:
    engine = sat.ENGINE.configure([encoding])
    for model in models(ENCODINGS.index(encoding), MODELS):
        check_all_found(engine, model)


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_find_the_models_assignments(solver: str) -> None:
    engine = sat.ENGINE.configure([solver])
    for model in models(50 + SOLVERS.index(solver), 100):
        check_all_found(engine, model)


def test_cpsat_finds_the_models_assignments() -> None:
    for model in models(100, MODELS):
        check_all_found(cpsat.ENGINE, model)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("method", ["tighten", "rc2"])
def test_optimum_by_encoding(method: str, encoding: str) -> None:
    engine = sat.ENGINE.configure([method, encoding])
    for model in models(200 + ENCODINGS.index(encoding), 100, objective=True):
        check_optimum(engine, model)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("method", ["tighten", "rc2"])
def test_optimum_by_solver(method: str, solver: str) -> None:
    if method == "rc2" and solver in sat.WITHOUT_RC2:
        pytest.skip("refused: see test_options")
    engine = sat.ENGINE.configure([method, solver])
    for model in models(300 + SOLVERS.index(solver), 50, objective=True):
        check_optimum(engine, model)


@pytest.mark.parametrize("options", [[], ["workers=2"]])
def test_optimum_of_cpsat(options: list[str]) -> None:
    engine = cpsat.ENGINE.configure(options)
    for model in models(400, 50 if options else MODELS, objective=True):
        check_optimum(engine, model)


@pytest.mark.parametrize("engine", [sat.ENGINE, sat.ENGINE.configure(["kissat404"]), cpsat.ENGINE])
class TestDegenerate:
    def test_no_variables(self, engine: Engine) -> None:
        outcome = solved(engine, Model(), 5)
        assert outcome.status is Status.SOLVED
        assert [assignment.shape for assignment in outcome.assignments] == [(0,)]
        assert outcome.complete

    def test_no_variables_and_a_false_row(self, engine: Engine) -> None:
        model = Model()
        model.between([], 1, 1)
        assert solved(engine, model, 5).status is Status.INFEASIBLE

    def test_no_constraints(self, engine: Engine) -> None:
        model = Model()
        model.variables(3)
        check_all_found(engine, model)

    def test_a_false_row_switches_its_enforcing_literal_off(self, engine: Engine) -> None:
        model = Model()
        a, b = model.variables(2)
        model.between([], 1, 1, only_if=a)
        model.between([a, b], 5, 9, only_if=-b)
        check_all_found(engine, model)
        assert all_assignments(model) == {(False, True)}

    def test_empty_objective(self, engine: Engine) -> None:
        model = Model()
        model.variables(2)
        model.maximise([])
        check_optimum(engine, model)

    def test_not_all_asked_for(self, engine: Engine) -> None:
        model = Model()
        model.variables(3)
        outcome = solved(engine, model, 3)
        assert outcome.status is Status.SOLVED
        assert len({tuple(assignment.tolist()) for assignment in outcome.assignments}) == 3
        assert not outcome.complete

    def test_pigeons(self, engine: Engine) -> None:
        assert solved(engine, pigeons(4)).status is Status.INFEASIBLE


@pytest.mark.parametrize("encoding", ["direct", "kmtotalizer", "cardnetwrk"])
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
    monkeypatch.setattr(_cnf, "CHUNK", chunk)
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

    from cpmines.engines import _sat_worker

    rng = np.random.default_rng(5)
    for case in range(60):
        monkeypatch.setattr(_sat_worker, "LARGEST_TOTALIZER", 10**6 * (case % 2))
        count = int(rng.integers(1, 6))
        weights = rng.integers(1, 9, count).tolist()
        bound = int(rng.integers(0, sum(weights)))
        counter = Counter(list(range(1, count + 1)), weights, bound, count)
        with Solver("minisat22", bootstrap_with=[*counter.clauses, *counter.at_most(bound)]) as solver:
            for signs in np.ndindex(*[2] * count):
                weight = sum(weight for weight, sign in zip(weights, signs, strict=True) if sign)
                literals = [place if sign else -place for place, sign in enumerate(signs, 1)]
                assert solver.solve(assumptions=literals) == (weight <= bound)
