"""What the relations say of an answer is so, and they take answers to every question."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Limits
from cpmines.run import run
from tests.effort import some

PAIRS = [(problem, name) for problem in ("mosaic", "reconstruction") for name in registry.relations(problem)]


def fields_of(problem: str, instance: Any, question: str) -> tuple[Any, dict[str, Any]]:
    stated = registry.problem(problem)
    found = run(problem, instance, "brute", Limits(), stated.ask(question))
    assert found.decided
    fields = {} if found.value is None else stated.to_json(found.value)
    return found.status, {name: fields[name] for name in found.asked.question.determined if name in fields}


@pytest.mark.parametrize(("problem", "name"), PAIRS)
def test_relations_hold_for_every_question(problem: str, name: str) -> None:
    rng = np.random.default_rng(len(name))
    followed: Counter[str] = Counter()
    for _ in range(max(10, some(40, 15))):
        related = registry.relations(problem)[name](rng, registry.generators(problem).tiny(rng))
        if related is None or related.second.sums.size > 16:
            continue
        for question in registry.problem(problem).questions:
            if question.name in ("sample", "index"):
                continue
            first = fields_of(problem, related.first, question.name)
            status, fields = related.consequence(*first)
            second = fields_of(problem, related.second, question.name)
            assert status == second[0]
            assert fields == {key: second[1][key] for key in fields}
            followed.update(list(fields))
    assert {"solutions", "forced", "unique", "distance"} <= set(followed)
