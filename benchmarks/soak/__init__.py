"""``python -m benchmarks soak``: rounds of `cpmines fuzz` on all problems and questions, all exact backends.

The work falls into turns: some rounds with one problem, question, size and choice of backends. A turn depends
on the seed and its number alone, and so do its rounds, so that a soak goes on where another one has ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from cpmines import registry
from cpmines.answer import Limits
from cpmines.errors import UsageError
from cpmines.fuzz.session import FuzzPlan, profiles
from cpmines.modelled import Modelled
from cpmines.problem import Trust
from cpmines.question import Asked
from cpmines.translate import encoding_names

__all__ = ["Turn", "backends_of", "plan_of", "questions_of"]

ROUNDS = 100
"""Of a turn."""
SECONDS = 5.0
"""A turn on large instances ends after them."""
SIZES = {"tiny": 0.7, "small": 0.2, "medium": 0.1}
"""Parts of the turns."""
REFERENCES = ("direct", "brute")
"""Take part in every turn, brute force where it is quick."""
OTHERS = 3
"""So many more backends take part, chosen by lot: all at once are slow, and no two would meet more often."""


@dataclass(frozen=True)
class Turn:
    """Some rounds.

    Attributes
    ----------
    limit
        Seconds for one backend on one instance.
    """

    seed: int
    number: int
    problems: tuple[str, ...]
    limit: float

    @property
    def problem(self) -> str:
        return self.problems[self.number % len(self.problems)]


@cache
def backends_of(problem: str, asked: Asked) -> tuple[str, ...]:
    """All exact backends that answer the question."""
    found = []
    for name in registry.backend_names(problem):
        exact = registry.backend(problem, name).trust is Trust.EXACT
        if exact and asked.question in registry.answered(problem, name):
            found.append(name)
    return tuple(found)


@cache
def questions_of(problem: str) -> tuple[Asked, ...]:
    """The questions, with the default of each option, that two exact backends answer."""
    found = []
    for question in registry.problem(problem).questions:
        try:
            asked = question.plain
        except UsageError:
            continue
        if len(backends_of(problem, asked)) > 1:
            found.append(asked)
    return tuple(found)


def plan_of(turn: Turn) -> FuzzPlan:
    """What a turn does, all of it drawn by its number."""
    rng = np.random.default_rng((turn.seed, turn.number))
    there = [size for size in SIZES if size in profiles(turn.problem)]
    shares = np.array([SIZES[size] for size in there])
    size = str(rng.choice(there, p=shares / shares.sum()))
    asked = questions_of(turn.problem)[int(rng.integers(len(questions_of(turn.problem))))]
    return FuzzPlan(
        turn.problem,
        drawn_backends(rng, turn.problem, asked, size),
        Limits(turn.limit),
        asked,
        rounds=ROUNDS,
        seconds=SECONDS,
        seed=turn.seed,
        start=turn.number * ROUNDS,
        size=size,
    )


def drawn_backends(rng: np.random.Generator, problem: str, asked: Asked, size: str) -> tuple[str, ...]:
    """References and some others, perhaps as variants."""
    there = backends_of(problem, asked)
    kept = [name for name in REFERENCES if name in there and (name != "brute" or size == "tiny")]
    others = [name for name in there if name not in REFERENCES]
    drawn = rng.choice(others, min(OTHERS, len(others)), replace=False).tolist()
    return (*kept, *(variant(rng, problem, asked, name) for name in drawn))


def variant(rng: np.random.Generator, problem: str, asked: Asked, name: str) -> str:
    """The backend itself, or it with a formulation, and clauses by an encoding, that are drawn."""
    backend = registry.backend(problem, name)
    options: list[str] = []
    if isinstance(backend, Modelled) and rng.random() < 0.5:
        options.append(drawn(rng, backend.modelling.formulations_of(asked.name)))
        if name in ("sat", "maxsat"):
            options.append(drawn(rng, encoding_names()))
    return f"{name}:{'/'.join(options)}" if options else name


def drawn(rng: np.random.Generator, names: Sequence[str]) -> str:
    return str(rng.choice(list(names)))
