"""What every backend of every problem has to do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cpmines import registry
from cpmines.answer import Limits, Status, Stop
from cpmines.compare import find_conflicts
from cpmines.problem import Trust
from cpmines.solve import Run, run, warm_up
from tests.conformance.conftest import LIMITS, Pair, by_brute_force, smallest, tiny_instances

MANY, FEW = 1500, 80


def faulty(pair: Pair, instance: Any) -> str:
    """What is wrong with the answer, by the judge and beside brute; empty if nothing is."""
    brute = by_brute_force(pair.problem, instance)
    found = run(pair.problem, instance, pair.backend, LIMITS)
    if found.error:
        return found.error
    if pair.trust is Trust.UNRELIABLE:
        return ""
    if pair.trust is Trust.EXACT and found.status not in (Status.SOLVED, Status.INFEASIBLE):
        return f"an exact backend says {found.status}: {found.answer.note}"
    return "; ".join(map(str, find_conflicts(registry.problem(pair.problem), [brute, found])))


def test_agrees_with_brute(pair: Pair) -> None:
    count = FEW if pair.modelled or pair.backend == "brute" else MANY
    for instance in tiny_instances(pair.problem, count):
        if faulty(pair, instance):
            minimal = smallest(pair.problem, instance, lambda simpler: bool(faulty(pair, simpler)))
            pytest.fail(f"{faulty(pair, minimal)}\n{registry.problem(pair.problem).render(minimal)}")


@pytest.mark.slow
def test_engines_agree_with_brute_on_thousands(pair: Pair) -> None:
    if not pair.modelled:
        pytest.skip("done in every run")
    for instance in tiny_instances(pair.problem, 2000, seed=1):
        assert not faulty(pair, instance), registry.problem(pair.problem).render(instance)


def claim(found: Run[Any]) -> dict[str, Any]:
    """What is to be the same each time: not the times, nor the counters, some of which are times."""
    record = found.to_json()
    return {name: field for name, field in record.items() if name not in ("seconds", "statistics")}


def test_same_seed_same_answer(pair: Pair) -> None:
    for instance in tiny_instances(pair.problem, 10, seed=2):
        first, second = (claim(run(pair.problem, instance, pair.backend, LIMITS)) for _ in range(2))
        assert first == second
        json.dumps(first)


def test_input_is_not_modified(pair: Pair) -> None:
    question = registry.problem(pair.problem)
    for instance in tiny_instances(pair.problem, 20, seed=3):
        before = question.render(instance)
        run(pair.problem, instance, pair.backend, LIMITS)
        assert question.render(instance) == before


@pytest.mark.parametrize("limits", [Limits(seconds=1e-9), Limits(memory=1), Limits(seconds=1e-9, memory=1)])
def test_tight_limits_give_an_answer_or_say_why_not(pair: Pair, limits: Limits) -> None:
    for instance in tiny_instances(pair.problem, 10, seed=4):
        found = run(pair.problem, instance, pair.backend, limits)
        assert not found.error
        if pair.trust is not Trust.UNRELIABLE:
            assert not found.faults
        if found.status is Status.UNKNOWN and pair.trust is Trust.EXACT:
            assert found.answer.stop is not Stop.FINISHED


def test_warm_up_texts_are_answered(pair: Pair) -> None:
    warm_up(pair.problem, pair.backend)
    question = registry.problem(pair.problem)
    for text in question.warm_up:
        for instance in question.parse(text):
            assert not run(pair.problem, instance, pair.backend, LIMITS).error
