"""Instances to look at, what can be asked of them, and the answers that are believed."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from cpmines import registry
from cpmines.conformance.verdict import ENOUGH
from cpmines.problem import Trust
from cpmines.question import Asked
from cpmines.run import Run, run

__all__ = ["believed", "plain_questions", "reference", "tiny_instances"]

FIRST = ("brute", "direct")


def tiny_instances(problem: str, count: int, seed: int = 0) -> list[Any]:
    """Drawn by the problem's own generator. Raises `UsageError` if it has none."""
    rng = np.random.default_rng(seed)
    return [registry.generators(problem).tiny(rng) for _ in range(count)]


def plain_questions(problem: str, backend: str | None = None) -> list[Asked]:
    """The questions of a problem, or of a backend, that can be asked without giving an option."""
    named = registry.problem(problem).questions if backend is None else registry.answered(problem, backend)
    return [question.plain for question in named if not any(option.required for option in question.options)]


@cache
def reference(problem: str, asked: Asked) -> str:
    """The backend that is believed: brute force, else another exact one; empty if none answers."""
    names = registry.backend_names(problem)
    for name in (*(found for found in FIRST if found in names), *names):
        exact = registry.backend(problem, name).trust is Trust.EXACT
        if exact and asked.question in registry.answered(problem, name):
            return name
    return ""


@cache
def _believed(problem: str, text: str, asked: Asked) -> Run[Any]:
    (instance,) = registry.problem(problem).parse(text)
    return run(problem, instance, reference(problem, asked), ENOUGH, asked)


def believed(problem: str, instance: Any, asked: Asked) -> Run[Any] | None:
    """The run of the backend that is believed, done once for equal instances; None if there is none."""
    if not reference(problem, asked):
        return None
    return _believed(problem, registry.problem(problem).render(instance), asked)
