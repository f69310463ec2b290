"""Engines are asked so that limits and optima hold whatever they promise, and no impossible claim passes."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cpmines import served
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.compare import compare
from cpmines.conformance import Effort, engine_checks
from cpmines.conformance.models import hard_optimum, optimum, pigeons, random_models
from cpmines.engine import Ability, Engine, Outcome, Search
from cpmines.engines import sat
from cpmines.errors import EngineError, LimitError, WrongAnswerError
from cpmines.model import Model
from cpmines.problem import Function
from cpmines.problems.maxmines.problem import MaxMines, Rectangle
from cpmines.run import run, solve
from tests.conformance.planted import LOW_BOUND, UNPROMISING, Planted
from tests.effort import some

ENOUGH = Limits(60)
UNPROMISED = "tests.conformance.planted:UNPROMISING"


def small() -> Model:
    model = Model()
    a, b, c = model.variables(3)
    model.between([a, a, b, c], 0, 2)
    model.maximise([a, b, c], [5, 3, 3])
    return model


def test_the_fault_is_there() -> None:
    models = [model for model in random_models(40, 3, objective=True) if optimum(model) is not None]
    found = [UNPROMISING.prepare(model, ENOUGH.begin())(1) for model in models]
    assert any(outcome.bound != optimum(model) for outcome, model in zip(found, models, strict=True))


def test_what_is_not_promised_holds_all_the_same() -> None:
    assert not [verdict for verdict in engine_checks(UNPROMISING, Effort(some(60, 20))) if not verdict.passed]


def test_an_optimum_is_proved_by_tightening() -> None:
    outcome = served.search(UNPROMISING, small(), ENOUGH.begin())(1)
    assert outcome.status is Status.SOLVED
    assert outcome.bound == 6
    assert outcome.assignments[0].tolist() == [False, True, True]
    assert outcome.statistics["rounds"] > 1


def test_a_search_can_be_asked_again() -> None:
    search = served.search(UNPROMISING, small(), ENOUGH.begin())
    assert [search(1).bound for _ in range(2)] == [6, 6]


def test_what_is_cut_off_gives_the_best_so_far() -> None:
    model = hard_optimum()
    for seconds in (1.0, 2.0, 4.0):  # where the machine is busy there is nothing so far after one
        begin = time.monotonic()
        outcome = served.search(UNPROMISING, model, Limits(seconds).begin())(1)
        assert time.monotonic() - begin < 7.5  # it ends by itself after 8
        if outcome.assignments:
            break
    assert (outcome.status, outcome.stop, outcome.bound) == (Status.FEASIBLE, Stop.TIME_LIMIT, None)
    assert not outcome.faults(model)
    with pytest.raises(LimitError, match="time limit"):
        served.search(UNPROMISING, pigeons(14), Limits(1).begin())(1)


def test_weights_that_make_too_long_a_row_are_declined() -> None:
    model = Model()
    a, b = model.variables(2)
    model.maximise([a, b], [1, 10**6])
    with pytest.raises(LimitError) as limit:
        served.search(UNPROMISING, model, ENOUGH.begin())
    assert limit.value.stop == Stop.DECLINED
    model.maximise([a, b], [10**6, 10**6])
    assert served.search(UNPROMISING, model, ENOUGH.begin())(1).bound == 2 * 10**6


def test_assignments_that_give_no_more_are_no_progress() -> None:
    """Else the loop would have no end."""

    def stuck(model: Model, found: Outcome, count: int) -> Outcome:
        same = np.zeros(model.variable_count, np.bool_)
        return replace(found, status=Status.SOLVED, assignments=(same,))

    engine = Planted(stuck, promised=frozenset({Ability.INTERRUPT}))
    with pytest.raises(WrongAnswerError, match="assignment breaks 1 constraint "):
        served.search(engine, small(), ENOUGH.begin())(1)


def test_an_engine_that_can_not_be_sent_is_not_run() -> None:
    with pytest.raises(EngineError, match="promises no end at its limits, and can't be sent"):
        served.search(Planted(promised=frozenset()), small(), ENOUGH.begin())


def test_what_goes_wrong_in_the_process_is_said() -> None:
    with pytest.raises(EngineError, match="no luck"):
        served.search(Failing(), small(), ENOUGH.begin())(1)


class Failing:
    """It raises what nobody expects."""

    summary, packages = "no luck", ()

    def configure(self, options: Any) -> Engine:
        return self

    def translate(self, model: Model, limits: Limits) -> Any:
        return None

    def prepare(self, model: Model, limits: Limits) -> Search:
        raise RuntimeError("no luck")


def test_a_backend_on_an_engine_without_promises() -> None:
    size = Rectangle(4, 5, 3)
    found = run("maxmines", size, UNPROMISED, ENOUGH)
    assert found.decided
    assert found.value.mines == run("maxmines", size, "brute", ENOUGH).value.mines
    assert found.answer.statistics["bound"] == found.value.mines
    begin = time.monotonic()
    cut = run("maxmines", Rectangle(14, 14, 3), UNPROMISED, Limits(1))
    assert time.monotonic() - begin < 7.5  # it ends by itself after 8
    assert cut.answer.stop is Stop.TIME_LIMIT
    assert not cut.error


def test_a_bound_below_the_value_is_refused() -> None:
    name = "tests.conformance.planted:LOW_BOUND"
    found = run("maxmines", Rectangle(3, 3, 2), name, ENOUGH)
    assert not found.trusted
    assert "is below its value" in found.faults[0]
    assert not found.error
    with pytest.raises(WrongAnswerError, match="is below its value"):
        solve("maxmines", "3 3 2", name)
    conflicts = compare("maxmines", Rectangle(3, 3, 2), ["brute", name], ENOUGH).conflicts
    assert any("is below its value" in str(conflict) for conflict in conflicts)
    assert LOW_BOUND.prepare(small(), ENOUGH.begin())(1).faults(small()) == [
        "the engine's bound -989 is below its value 6"
    ]


def test_a_backend_s_bound_below_its_value_is_refused() -> None:
    def claim(size: Rectangle, limits: Limits) -> Answer[MaxMines]:
        value = run("maxmines", size, "brute", limits).value
        return Answer(Status.FEASIBLE, value, Stop.TIME_LIMIT, statistics={"bound": -962})

    size = Rectangle(3, 3, 2)
    found = run("maxmines", size, "mine", ENOUGH, solver=Function(claim, "mine"))
    assert not found.trusted
    assert found.faults == (f"the claimed bound -962 is below the value {found.value.mines}",)


def test_impossible_claims_are_told() -> None:
    model = small()
    one = np.array([True, False, False])
    assert not Outcome(Status.SOLVED, assignments=(one,), bound=5).faults(model)
    faults = {
        "another size": Outcome(Status.SOLVED, assignments=(one[:2],)),
        "breaks 1 constraint ": Outcome(Status.SOLVED, assignments=(np.ones(3, np.bool_),)),
        "shows no assignment": Outcome(Status.FEASIBLE),
        "says infeasible and shows": Outcome(Status.INFEASIBLE, assignments=(one,)),
        "bound 4 is below its value 5": Outcome(Status.FEASIBLE, assignments=(one,), bound=4),
    }
    for words, outcome in faults.items():
        assert words in outcome.faults(model)[0]


def test_promised_engines_are_asked_directly() -> None:
    assert served.search(sat.ENGINE, small(), ENOUGH.begin())(1).bound == 6
