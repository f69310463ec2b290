"""The checks of `cpmines.conformance` for every pair of problem and backend."""

from __future__ import annotations

import pytest

from cpmines import registry
from cpmines.conformance import Subject
from cpmines.engine import extra_of

__all__ = ["core_engines", "subjects"]

VARIANTS = ("sat:glucose4/seqcounter", "sat:minisat22/totalizer")


def core_engines() -> list[str]:
    """The engines that come with cpmines itself; those of the extras are run on fewer instances."""
    return [name for name in registry.engine_names() if not extra_of(registry.engine(name))]


def subjects() -> list[Subject]:
    """Every backend of every problem, the core engines on each formulation and in some variants."""
    found = []
    for problem in registry.problem_names():
        names = registry.backend_names(problem)
        if (statement := registry.modelling(problem)) is not None:
            others = list(statement.formulations)[1:]
            names += [*VARIANTS, *(f"{engine}:{other}" for engine in core_engines() for other in others)]
        found += [Subject(problem, name) for name in names]
    return found


@pytest.fixture(params=registry.problem_names())
def problem(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found
