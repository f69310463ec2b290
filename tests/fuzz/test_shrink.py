"""Shrinking ends at an instance from which no step fails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Stop
from cpmines.board import Position
from cpmines.errors import LimitError
from cpmines.fuzz.session import profiles
from cpmines.fuzz.shrink import descend, smallest


def has_clue(position: Position) -> bool:
    return bool((position.cells >= 1).any())


def sample(problem: str, size: str, count: int) -> list[Any]:
    draw = profiles(problem)[size]
    return [draw(np.random.default_rng(seed)) for seed in range(count)]


def test_it_ends_with_the_least_that_fails() -> None:
    for position in sample("consistency", "small", 30):
        if has_clue(position):
            assert str(smallest("consistency", position, has_clue)) == "1 1\n1\n"


def test_an_instance_without_failing_steps_is_returned() -> None:
    position = Position.parse("2 2\n1.\n..\n")
    assert smallest("consistency", position, lambda simpler: False) is position


@pytest.mark.parametrize(
    ("problem", "size"),
    [(problem, size) for problem in registry.problem_names() for size in list(profiles(problem))[:2]],
)
def test_every_way_down_ends_and_stays_in_the_format(problem: str, size: str) -> None:
    """Every step is an instance that can be written and read, and no way comes back to where it was."""
    question = registry.problem(problem)
    for number, instance in enumerate(sample(problem, size, 4)):
        rng = np.random.default_rng(number)
        seen = {question.render(instance)}
        for simpler in descend(problem, instance, lambda _, rng=rng: bool(rng.random() < 0.3)):
            text = question.render(simpler)
            assert text not in seen
            assert question.parse(text) == [simpler]
            seen.add(text)


@pytest.mark.parametrize("problem", registry.problem_names())
def test_nothing_that_can_be_left_out_is_left(problem: str) -> None:
    """If every instance fails, the last one has a single cell, and is the same whatever the first was."""
    question, ends = registry.problem(problem), set()
    for instance in sample(problem, list(profiles(problem))[:2][-1], 10):
        last = smallest(problem, instance, lambda simpler: True)
        assert question.size(last) == 1
        ends.add(question.render(last).splitlines()[-1])
    assert len(ends) == 1


def test_the_check_ends_the_search_and_what_is_found_is_kept() -> None:
    position = sample("consistency", "medium", 1)[0]
    calls = 0

    def check() -> None:
        nonlocal calls
        calls += 1
        if calls > 5:
            raise LimitError(Stop.TIME_LIMIT)

    kept = [position]
    with pytest.raises(LimitError):
        kept += descend("consistency", position, lambda simpler: True, check)
    way = descend("consistency", position, lambda simpler: True)
    assert next(way).cells.size < position.cells.size
    assert calls == 6
