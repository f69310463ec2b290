"""One body of tests for every pair of problem and backend."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Limits
from cpmines.problem import Trust
from cpmines.solve import Run, run

LIMITS = Limits(seconds=60, seed=3)
VARIANTS = ("sat:glucose4/seqcounter", "sat:minisat22/totalizer")


class Pair(NamedTuple):
    problem: str
    backend: str

    @property
    def trust(self) -> Trust:
        return registry.backend(self.problem, self.backend).trust

    @property
    def modelled(self) -> bool:
        """Runs an exact engine, which takes milliseconds where own backends take microseconds."""
        return self.backend.partition(":")[0] in registry.engine_names()


def pairs() -> list[Pair]:
    found = []
    for problem in registry.problem_names():
        statement = registry.modelling(problem)
        assert statement is not None
        others = list(statement.formulations)[1:]
        engines = [name for name in registry.backend_names(problem) if name in registry.engine_names()]
        variants = [f"{engine}:{formulation}" for engine in engines for formulation in others]
        found += [Pair(problem, name) for name in (*registry.backend_names(problem), *VARIANTS, *variants)]
    return found


@pytest.fixture(params=pairs(), ids=lambda pair: "-".join(pair))
def pair(request: pytest.FixtureRequest) -> Pair:
    found: Pair = request.param
    return found


@pytest.fixture(params=registry.problem_names())
def problem(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def tiny_instances(problem: str, count: int, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [registry.generators(problem).tiny(rng) for _ in range(count)]


@cache
def _by_brute_force(problem: str, text: str) -> Run[Any]:
    (instance,) = registry.problem(problem).parse(text)
    return run(problem, instance, "brute", LIMITS)


def by_brute_force(problem: str, instance: Any) -> Run[Any]:
    """The run of brute force, done once for equal instances."""
    return _by_brute_force(problem, registry.problem(problem).render(instance))


def smallest(problem: str, instance: Any, fails: Callable[[Any], bool]) -> Any:
    """Take the problem's shrinking steps as long as one of them still fails."""
    for simpler in registry.generators(problem).shrink(instance):
        if fails(simpler):
            return smallest(problem, simpler, fails)
    return instance
