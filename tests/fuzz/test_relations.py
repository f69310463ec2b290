"""The relations hold, by the definition of each problem; and a wrong backend breaks them."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Limits, Status
from cpmines.compare import Claim, claim, claim_conflicts
from cpmines.fuzz.checks import Metamorphic
from cpmines.relation import Related, same
from cpmines.run import run

LIMITS = Limits(seconds=60)
PAIRS = [(problem, name) for problem in registry.problem_names() for name in registry.relations(problem)]
COUNT = 12
OPEN_CELLS = {"consistency": 10, "counting": 10, "deduction": 10, "maxmines": 16}
"""So many at most in both instances, for brute force to be quick; in the other problems all are small."""


class Known(NamedTuple):
    related: Related[Any]
    first: Claim
    second: Claim


def brute(problem: str, instance: Any) -> Claim | None:
    """The answer by brute force, None if the instance is too large for it."""
    text = registry.problem(problem).render(instance)
    cells = instance.rows * instance.cols if problem == "maxmines" else text.count(".")
    if cells > OPEN_CELLS.get(problem, cells):
        return None
    found = run(problem, instance, "brute", LIMITS)
    return claim(registry.problem(problem), found) if found.decided else None


@cache
def examples(problem: str, relation: str) -> list[Known]:
    """Pairs of instances and their answers."""
    found: list[Known] = []
    for seed in range(100 * COUNT):
        rng = np.random.default_rng(seed)
        two = registry.relations(problem)[relation](rng, registry.generators(problem).tiny(rng))
        if two is None or (second := brute(problem, two.second)) is None:
            continue
        first = brute(problem, two.first)
        if first is not None:
            found.append(Known(two, first, second))
        if len(found) == COUNT:
            return found
    raise AssertionError(f"{relation} of {problem} could be tried only {len(found)} times")


@pytest.mark.parametrize(("problem", "relation"), PAIRS)
def test_relations_hold_by_brute_force(problem: str, relation: str) -> None:
    question = registry.problem(problem)
    for related, first, second in examples(problem, relation):
        status, fields = related.consequence(first.status, first.fields)
        assert not claim_conflicts(question, question.ask(), [Claim("first", status, fields), second])
        if status is Status.SOLVED:  # also what other questions share, where brute force tells it
            assert same(second.fields, *fields) == same(fields, *second.fields)


@pytest.mark.parametrize(("problem", "relation"), PAIRS)
def test_all_that_answers_share_follows(problem: str, relation: str) -> None:
    """A relation says everything that can be compared, and nothing else, unless it is about a bound."""
    question = registry.problem(problem)
    for related, first, _ in examples(problem, relation):
        status, fields = related.consequence(first.status, first.fields)
        if status is Status.SOLVED:
            least = set(question.questions[0].determined) & set(first.fields)
            assert least <= set(fields) <= {name for one in question.questions for name in one.determined}


@pytest.mark.parametrize(("problem", "relation"), PAIRS)
def test_the_second_instance_is_another_one(problem: str, relation: str) -> None:
    question = registry.problem(problem)
    texts = [
        (question.render(known.related.first), question.render(known.related.second))
        for known in examples(problem, relation)
    ]
    assert sum(first != second for first, second in texts) >= 4
    assert all(len(question.parse(second)) == 1 for _, second in texts)


def test_a_wrong_backend_breaks_a_relation() -> None:
    """The published scheme of maxmines counts cells left and right of the board, none above and below."""
    reasons, most = set(), registry.problem("maxmines").ask("most")
    for seed in range(60):
        instance = registry.generators("maxmines").tiny(np.random.default_rng(seed))
        check = Metamorphic("maxmines", ("published",), LIMITS, most, "larger bound", seed)
        reasons |= {
            conflict.reason.partition(":")[0] for conflict in check.conflicts(instance, check.cases(instance))
        }
    assert "the judge rejects" in reasons
