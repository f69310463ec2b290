"""The checks find each planted fault, and nothing where there is none."""

from __future__ import annotations

import pytest

from cpmines import registry
from cpmines.conformance import Effort, Subject, backend_checks, engine_checks
from cpmines.conformance import engine as engine_module
from cpmines.conformance.backend import agrees_on_extremes
from cpmines.conformance.engine import checks_of
from cpmines.conformance.models import described, random_models, smallest_model
from cpmines.conformance.verdict import Inspection, verdicts
from tests.conformance import planted


def test_no_fault_is_found_where_there_is_none() -> None:
    assert all(verdict.passed for verdict in engine_checks(planted.ENGINE, Effort(40)))


@pytest.mark.parametrize("name", planted.ENGINES)
def test_faults_of_engines_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, check = planted.ENGINES[name]
    monkeypatch.setattr(engine_module, "SLACK", 1.0)  # the limits that are not kept need not be longer
    if name == "no method for it":
        engine = type("Mute", (), {"abilities": engine.abilities})()
    concerned = {named: made for named, made in checks_of(engine).items() if check in named}
    assert any(not verdict.passed for verdict in verdicts("engine", concerned, Effort()))


@pytest.mark.parametrize(("name", "check"), list(planted.names()))
def test_faults_of_backends_are_found(name: str, check: str) -> None:
    found = backend_checks(Subject("consistency", name), Effort(200))
    assert any(check in verdict.check for verdict in found if not verdict.passed)


def test_a_check_that_looks_at_nothing_has_failed() -> None:
    (result,) = verdicts("engine", {"something": lambda effort: Inspection(0)}, Effort())
    assert (result.passed, result.fault) == (False, "no case was looked at")


@pytest.mark.parametrize("problem", registry.problem_names())
def test_extremes_are_looked_at(problem: str) -> None:
    assert agrees_on_extremes(Subject(problem, "brute"), Effort()).cases >= 5


def test_the_smallest_instance_is_shown() -> None:
    subject = Subject("consistency", "tests.conformance.planted:CROWDED")
    (fault,) = (
        verdict.fault
        for verdict in backend_checks(subject, Effort(200))
        if verdict.check == "agrees with brute force on tiny instances"
    )
    claims, *board = fault.splitlines()
    assert "planted:CROWDED says infeasible" in claims
    assert "brute says solved" in claims
    assert board == ["2 2", "**", "*3"] or sorted("".join(board[1:])) in (list("***3"), list("...3"))


def test_models_shrink_to_what_is_needed() -> None:
    def fails(model):  # type: ignore[no-untyped-def]
        return any(length >= 2 for length in model.constraints().lengths)

    models = [model for model in random_models(50, 1) if fails(model)]
    for model in models:
        smaller = smallest_model(model, fails)
        assert len(smaller.constraints()) == 1
        assert smaller.constraints().lengths.tolist() == [2]
        assert described(smaller).count("\n") == 1
