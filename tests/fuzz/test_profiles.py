"""What is drawn is of all sorts: a backend that always says the same must not pass."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Limits, Status
from cpmines.board import UNKNOWN
from cpmines.fuzz.session import profiles
from cpmines.run import run

LIMITS = Limits(seconds=60)
POSITIONS = ("consistency", "counting", "deduction")
VERDICTS = {"validation": "valid"} | dict.fromkeys((*POSITIONS, "mosaic", "reconstruction"), "infeasible")
"""One of the two verdicts on boards that may be wrong; of other problems every instance has an answer."""
CASES = [(problem, size) for problem in registry.problem_names() for size in profiles(problem)]


def drawn(problem: str, size: str, count: int) -> list[Any]:
    draw = profiles(problem)[size]
    return [draw(np.random.default_rng((size == "tiny", seed))) for seed in range(count)]


def shape(instance: Any) -> tuple[int, int]:
    found: tuple[int, int] = getattr(instance, "shape", None) or (instance.rows, instance.cols)
    return found


@pytest.mark.parametrize("problem", registry.problem_names())
def test_the_profiles_are_there_and_grow(problem: str) -> None:
    given = hasattr(registry.generators(problem), "PROFILES")
    assert list(profiles(problem)) == (["tiny", "small", "medium"] if given else ["tiny"])
    measure = registry.problem(problem).size
    means = [np.mean([measure(one) for one in drawn(problem, size, 200)]) for size in profiles(problem)]
    assert means == sorted(means)


@cache
def answers(problem: str, size: str) -> Counter[str]:
    """How often each answer to the first question is given."""
    question, heads = registry.problem(problem), Counter[str]()
    backend = registry.default_backends(problem)[0]
    for instance in drawn(problem, size, {"tiny": 200, "small": 80, "medium": 40}[size]):
        found = run(problem, instance, backend, LIMITS)
        solved = found.status is Status.SOLVED
        heads[question.headline(found.value) if solved else str(found.status)] += 1
    return heads


@pytest.mark.parametrize(("problem", "size"), CASES)
def test_answers_of_all_sorts(problem: str, size: str) -> None:
    """None has more than three quarters."""
    heads = answers(problem, size)
    assert max(heads.values()) <= 0.75 * heads.total(), heads


@pytest.mark.parametrize("size", ["tiny", "small", "medium"])
@pytest.mark.parametrize("problem", VERDICTS)
def test_both_verdicts(problem: str, size: str) -> None:
    """Each has a fifth."""
    heads = answers(problem, size)
    assert 0.2 <= heads[VERDICTS[problem]] / heads.total() <= 0.8, heads


@pytest.mark.parametrize("problem", registry.problem_names())
def test_thin_boards_are_drawn(problem: str) -> None:
    shapes = [shape(instance) for instance in drawn(problem, "tiny", 400)]
    assert sum(rows == 1 for rows, _ in shapes) >= 12
    assert sum(cols == 1 for _, cols in shapes) >= 12
    assert any(rows == cols == 1 for rows, cols in shapes) or problem == "reconstruction"


@pytest.mark.parametrize("problem", POSITIONS)
def test_positions_of_all_sorts(problem: str) -> None:
    positions = drawn(problem, "tiny", 400)
    unknown = [(position.cells == UNKNOWN).mean() for position in positions]
    assert sum(share == 0 for share in unknown) >= 8
    assert sum(share == 1 for share in unknown) >= 8
    assert 60 <= sum(position.mines is not None for position in positions) <= 340


def test_puzzles_of_all_sorts() -> None:
    shown = [(puzzle.sums >= 0).mean() for puzzle in drawn("mosaic", "tiny", 400)]
    assert sum(share == 0 for share in shown) >= 4
    assert sum(share == 1 for share in shown) >= 40


@pytest.mark.parametrize("size", ["tiny", "small", "medium"])
def test_tables_of_all_classes(size: str) -> None:
    classes = Counter((rows % 3, cols % 3) for rows, cols in map(shape, drawn("reconstruction", size, 400)))
    assert len(classes) == 9
    assert min(classes.values()) >= 15


def test_all_bounds_of_maxmines_are_drawn() -> None:
    for size in ("tiny", "small", "medium"):
        assert {instance.around for instance in drawn("maxmines", size, 200)} == set(range(1, 9))
