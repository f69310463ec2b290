"""What is tried on an instance: backends against each other, against a relation, against a Model restated."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from cpmines import registry
from cpmines.answer import Limits, Status, Stop
from cpmines.compare import Claim, Conflict, Failure, claim, claim_conflicts, find_faults
from cpmines.errors import LimitError
from cpmines.fuzz.restated import restated
from cpmines.modelled import Modelled
from cpmines.problem import Trust
from cpmines.question import Asked
from cpmines.relation import Related
from cpmines.run import Run, run

__all__ = ["Agreement", "Case", "Check", "Metamorphic", "Restating", "kind"]

REFERENCES = ("brute", "direct")
"""With one of these on one side of a conflict, it is the one that the other side is shrunk against."""
MOST_LITERALS = 20_000
"""Larger Models are not restated: it is done row by row."""


class Case(NamedTuple):
    """A run, and the instance that it was made on."""

    instance: Any
    run: Run[Any]


Done = Mapping[str, Run[Any]]
"""By backend: runs on the instance that a check is tried on, under the same limits."""
NOTHING: Done = MappingProxyType({})


class Check(Protocol):
    """One thing that is tried, and can be tried again on another instance."""

    @property
    def problem(self) -> str: ...

    @property
    def backends(self) -> tuple[str, ...]: ...

    @property
    def limits(self) -> Limits: ...

    @property
    def asked(self) -> Asked: ...

    def until(self, deadline: float) -> Check:
        """The same, with an end of the time that all runs together have, by `time.monotonic`."""

    def cases(self, instance: Any, done: Done = NOTHING) -> list[Case]:
        """The runs, of which those that are done are not made again; none where it does not apply.

        Raises
        ------
        LimitError
            The deadline has passed.
        """

    def conflicts(self, instance: Any, cases: Sequence[Case]) -> list[Conflict]:
        """What does not fit together, and what the judge rejects."""

    def narrowed(self, conflict: Conflict) -> Check:
        """The least that shows this conflict again."""


def refused(check: Check, *instances: Any) -> bool:
    """Can the question not be asked of one of them?"""
    question = registry.problem(check.problem)
    return any(question.refusal(instance, check.asked) for instance in instances)


@dataclass(frozen=True)
class Trial:
    """What all checks have.

    Attributes
    ----------
    limits
        Of each run.
    deadline
        Of all runs together, by `time.monotonic`; infinite for none.
    """

    problem: str
    backends: tuple[str, ...]
    limits: Limits
    asked: Asked
    deadline: float = field(default=math.inf, compare=False, kw_only=True)

    def until(self, deadline: float) -> Self:
        return replace(self, deadline=deadline)

    def run(self, instance: Any, name: str, solver: Any = None) -> Run[Any]:
        """A run within the limits, and before the deadline."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise LimitError(Stop.TIME_LIMIT)
        limits = self.limits
        if left < (limits.seconds or math.inf):
            limits = replace(limits, seconds=left)
        return run(self.problem, instance, name, limits, self.asked, solver=solver)


@dataclass(frozen=True)
class Agreement(Trial):
    """All backends on the instance itself."""

    def cases(self, instance: Any, done: Done = NOTHING) -> list[Case]:
        if refused(self, instance):
            return []
        return [Case(instance, done.get(name) or self.run(instance, name)) for name in self.backends]

    def conflicts(self, instance: Any, cases: Sequence[Case]) -> list[Conflict]:
        question = registry.problem(self.problem)
        runs = [case.run for case in cases]
        found = [conflict for one in runs if not one.trusted for conflict in find_faults(question, [one])]
        found += find_faults(question, [one for one in runs if one.trusted])
        return [*found, *(silent(one) for one in runs if is_silent(one))]

    def narrowed(self, conflict: Conflict) -> Agreement:
        """With one backend of each of two sides."""
        sides: list[list[str]] = []
        seen: list[tuple[Status, Any]] = []
        for said in conflict.claims:
            told = (said.status, said.fields)
            if told not in seen:
                seen.append(told)
                sides.append([])
            sides[seen.index(told)].append(said.author)
        chosen = {min(side, key=_rank) for side in sorted(sides, key=lambda side: min(map(_rank, side)))[:2]}
        return replace(self, backends=tuple(name for name in self.backends if name in chosen))


def _rank(name: str) -> int:
    return REFERENCES.index(name) if name in REFERENCES else len(REFERENCES)


def is_silent(found: Run[Any]) -> bool:
    """Has an exact backend no answer, though nothing stopped it?"""
    if found.error or found.status is not Status.UNKNOWN or found.answer.stop is not Stop.FINISHED:
        return False
    return registry.backend(found.problem, found.backend).trust is Trust.EXACT


def silent(found: Run[Any]) -> Conflict:
    return Failure("no answer, though no limit was met", (Claim(found.backend, found.status, {}),))


@dataclass(frozen=True)
class Metamorphic(Trial):
    """One backend on an instance and on a related one.

    Attributes
    ----------
    seed
        Of the random choices that the relation has.
    """

    relation: str
    seed: int

    def related(self, instance: Any) -> Related[Any] | None:
        relate = registry.relations(self.problem, self.asked)[self.relation]
        return relate(np.random.default_rng(self.seed), instance)

    def cases(self, instance: Any, done: Done = NOTHING) -> list[Case]:
        related = self.related(instance)
        if related is None or refused(self, related.first, related.second):
            return []
        (backend,) = self.backends
        solver = registry.backend(self.problem, backend)
        first = done.get(backend) if related.first is instance else None
        return [
            Case(related.first, first or self.run(related.first, backend, solver)),
            Case(related.second, self.run(related.second, f"{backend} ({self.relation})", solver)),
        ]

    def conflicts(self, instance: Any, cases: Sequence[Case]) -> list[Conflict]:
        related, question = self.related(instance), registry.problem(self.problem)
        if related is None:
            return []
        first, second = (case.run for case in cases)
        found = find_faults(question, [second])
        said = claim(question, first)
        if first.trusted and second.trusted and said.status is not Status.UNKNOWN:
            status, fields = related.consequence(said.status, said.fields)
            claims = [Claim(said.author, status, fields), claim(question, second)]
            found += claim_conflicts(question, self.asked, claims)
        return found

    def narrowed(self, conflict: Conflict) -> Metamorphic:
        return self


@dataclass(frozen=True)
class Restating(Trial):
    """One backend that has a Model, and the same with the Model in other words.

    Attributes
    ----------
    seed
        Decides on the words.
    """

    seed: int

    def cases(self, instance: Any, done: Done = NOTHING) -> list[Case]:
        (backend,) = self.backends
        solver = registry.backend(self.problem, backend)
        if not isinstance(solver, Modelled) or self.asked.name not in solver.questions:
            return []
        if refused(self, instance):
            return []
        if solver.modelling.literals_of(self.asked.name, instance) > MOST_LITERALS:
            return []
        other = replace(solver, engine=restated(solver.engine, self.seed))
        names = {backend: solver, f"{backend} (restated)": other}
        return [
            Case(instance, done.get(name) or self.run(instance, name, each)) for name, each in names.items()
        ]

    def conflicts(self, instance: Any, cases: Sequence[Case]) -> list[Conflict]:
        return find_faults(registry.problem(self.problem), [case.run for case in cases])

    def narrowed(self, conflict: Conflict) -> Restating:
        return self


def kind(conflict: Conflict) -> tuple[str, ...]:
    """What stays the same while an instance is made smaller: the sort of conflict, and who claims what."""
    head, _, rest = conflict.reason.partition(": ")
    failure = rest.partition(":")[0] if head == "the backend failed" else ""
    return (head, failure, *sorted(f"{said.author} {said.status}" for said in conflict.claims))
