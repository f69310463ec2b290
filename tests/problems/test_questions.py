"""Each backend against the definition, on each question that it answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Limits, Status
from cpmines.compare import find_conflicts
from cpmines.problem import Trust
from cpmines.question import Asked, Question
from cpmines.run import run
from tests.effort import some

PROBLEMS = ("consistency", "counting", "deduction", "validation")
PAIRS = [(problem, backend) for problem in PROBLEMS for backend in registry.backend_names(problem)]
LIMITS = Limits(seconds=60)
INSTANCES = some(40, 6)
ANSWERED = (Status.SOLVED, Status.INFEASIBLE)


def asked_of(question: Question) -> list[Asked]:
    """The question with the least and with a larger value of the options that it needs."""
    needed = [option.name for option in question.options if option.required]
    return [question.with_options(dict.fromkeys(needed, value)) for value in ((0, 4) if needed else (0,))]


@pytest.mark.parametrize(("problem", "backend"), PAIRS, ids=["/".join(pair) for pair in PAIRS])
def test_answers_agree_with_the_definition(problem: str, backend: str) -> None:
    """The judge accepts them, they have all fields, and these are read back as they are written."""
    stated, tiny = registry.problem(problem), registry.generators(problem).tiny
    sound = registry.backend(problem, backend).trust is not Trust.UNRELIABLE
    rng, solved = np.random.default_rng(1), 0
    for instance in [tiny(rng) for _ in range(INSTANCES)]:
        for asked in [asked for one in registry.answered(problem, backend) for asked in asked_of(one)]:
            found = run(problem, instance, backend, LIMITS, asked)
            assert found.trusted, (instance, asked, found.faults, found.error)
            solved += found.status in ANSWERED
            if found.value is not None:
                read_back(stated, found.value)
                boards = list(stated.listing(instance, asked, found.value))
                assert len(boards) <= max(asked.options.values(), default=0)
            by_definition = run(problem, instance, "brute", LIMITS, asked)
            if sound and by_definition.status in ANSWERED:
                assert find_conflicts(stated, [found, by_definition]) == [], (instance, asked)
                complete = registry.backend(problem, backend).trust is Trust.EXACT
                assert not complete or found.status is by_definition.status, (instance, asked)
    assert solved or not sound


def read_back(stated: Any, value: Any) -> None:
    fields = stated.to_json(value)
    again = stated.from_json(fields)
    assert stated.to_json(again) == fields
    assert all(getattr(again, name) is not None for name in fields)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_easier_questions_agree_with_the_first(problem: str) -> None:
    """An answer to another question says no less and no other than one to the first, where both say it."""
    stated, tiny = registry.problem(problem), registry.generators(problem).tiny
    rng = np.random.default_rng(2)
    for instance in [tiny(rng) for _ in range(100)]:
        first = run(problem, instance, "direct", LIMITS)
        for question in stated.questions[1:]:
            for asked in asked_of(question):
                found = run(problem, instance, "direct", LIMITS, asked)
                assert found.status is first.status
                if found.value is not None:
                    fields, whole = stated.to_json(found.value), stated.to_json(first.value)
                    assert set(question.fields) <= set(fields) <= set(whole)
                    assert all(fields[name] == whole[name] for name in question.determined if name in fields)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_program_answers_the_question_that_the_origin_asks(problem: str) -> None:
    """What `direct` prints for the origin's judge is read as an answer in full."""
    stated, tiny = registry.problem(problem), registry.generators(problem).tiny
    asked = stated.ask(stated.printed)
    rng = np.random.default_rng(3)
    for instance in [tiny(rng) for _ in range(100)]:
        found = run(problem, instance, "direct", LIMITS, asked)
        answer = stated.read_verdict(instance, stated.verdict(instance, found.answer))
        assert answer.status is found.status
        if answer.value is not None:
            assert asked.question.lacking(answer.value) == []
            assert stated.judge(instance, asked, answer.value) == []


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_size_is_the_number_of_cells(problem: str) -> None:
    stated, tiny = registry.problem(problem), registry.generators(problem).tiny
    rng = np.random.default_rng(4)
    for instance in [tiny(rng) for _ in range(20)]:
        assert stated.size(instance) == instance.cells.size
