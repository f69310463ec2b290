"""Round after round: a random instance, everything that is tried on it, and what is found made small."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, partial
from math import comb
from typing import Any

import numpy as np

from cpmines import registry
from cpmines.answer import Limits, Status, Stop
from cpmines.compare import Conflict
from cpmines.errors import LimitError, UsageError
from cpmines.fuzz.checks import Agreement, Case, Check, Metamorphic, Restating, kind
from cpmines.fuzz.finds import Find, minimised
from cpmines.modelled import Modelled
from cpmines.process.spread import by_processes
from cpmines.question import Asked
from cpmines.run import Run

__all__ = ["AnswerCount", "FuzzPlan", "RoundReport", "Session", "profiles"]

SEEDS = 8
"""Relations and restatements are drawn by one of so many seeds: few enough to try all on a given instance."""
LEAST_SHRINKING = 10.0
"""Seconds that a find has to get smaller, also when the time is up."""


def profiles(problem: str) -> dict[str, Callable[[np.random.Generator], Any]]:
    """The size profiles of a problem: name -> function that draws an instance. The first is ``tiny``."""
    module = registry.generators(problem)
    found: dict[str, Callable[[np.random.Generator], Any]] = getattr(
        module, "PROFILES", {"tiny": module.tiny}
    )
    return found


@dataclass(frozen=True)
class FuzzPlan:
    """What to do.

    Attributes
    ----------
    asked
        The question, of every instance.
    rounds, seconds, finds
        When to end, whichever comes first; infinite for never.
    start
        Number of the first round. The instance of a round depends on its number, `seed` and `size` alone.
    metamorphic
        Are relations tried, and restated Models?
    workers
        Processes that do rounds; what is found does not depend on them.
    """

    problem: str
    backends: tuple[str, ...]
    limits: Limits
    asked: Asked
    rounds: float = math.inf
    seconds: float = math.inf
    finds: float = 1
    seed: int = 0
    start: int = 0
    size: str = "tiny"
    metamorphic: bool = True
    workers: int = 1

    def draws(self, number: int) -> np.random.Generator:
        """The random numbers of a round."""
        return np.random.default_rng((self.seed, number))


@dataclass
class AnswerCount:
    """The answers of one backend to the instances of the rounds.

    Attributes
    ----------
    limit
        The first round in which a limit left it without an answer, and which limit; empty if there was none.
    """

    solved: int = 0
    infeasible: int = 0
    declined: int = 0
    other: int = 0
    note: str = ""
    limit: str = ""

    def add(self, case: Case, number: int) -> None:
        answer = case.run.answer
        if answer.status is Status.SOLVED:
            self.solved += 1
        elif answer.status is Status.INFEASIBLE:
            self.infeasible += 1
        elif answer.stop is Stop.DECLINED:
            self.declined += 1
            self.note = self.note or answer.note
        else:
            self.other += 1
            if answer.stop is not Stop.FINISHED and not self.limit:
                self.limit = f"{answer.stop} in round {number}"

    def join(self, more: AnswerCount) -> None:
        self.solved += more.solved
        self.infeasible += more.infeasible
        self.declined += more.declined
        self.other += more.other
        self.note = self.note or more.note
        self.limit = self.limit or more.limit


@dataclass
class RoundReport:
    """What came of a round: the answers, how many pairs of them, and whether anything is at odds."""

    tallies: dict[str, AnswerCount]
    pairs: int
    conflict: bool


def report(plan: FuzzPlan, deadline: float, number: int) -> RoundReport | LimitError:
    """Do a round, as far as its first conflict; or the time is up before that."""
    try:
        return reported(Session(plan, number=number, deadline=deadline))
    except LimitError as limit:
        return limit


def reported(session: Session) -> RoundReport:
    instance, checks = session.drawn()
    done: dict[str, Run[Any]] = {}
    for check in checks:
        cases = session.tried(check, instance, done)
        if cases and any(True for _ in check.conflicts(instance, cases)):
            return RoundReport({}, 0, conflict=True)
    return RoundReport(session.tallies, session.pairs, conflict=False)


@dataclass
class Session:
    """One run of a plan.

    Attributes
    ----------
    number
        Of the round that is on; after the end, of the first one that was not done.
    again
        How often a conflict led to a find that was there already.
    pairs
        Answers that were compared, two by two.
    watch
        Called after each round.
    """

    plan: FuzzPlan
    watch: Callable[[Session], None] = lambda session: None
    number: int = 0
    tallies: dict[str, AnswerCount] = field(default_factory=dict)
    found: dict[str, Find] = field(default_factory=dict)
    again: int = 0
    pairs: int = 0
    deadline: float = math.inf

    def __post_init__(self) -> None:
        self.number = max(self.number, self.plan.start)
        self.tallies = {name: AnswerCount() for name in self.plan.backends}

    @property
    def rounds(self) -> int:
        """How many are done."""
        return self.number - self.plan.start

    def finds(self, given: Sequence[Any] | None = None) -> Iterator[Find]:
        """Each find as it comes: on random instances, or on each of the given ones.

        An interrupt while a find is made smaller comes after that find.
        """
        self.deadline = time.monotonic() + self.plan.seconds
        try:
            yield from self._finds(given)
        except LimitError:
            # The time is up amid a round, which is not counted.
            if time.monotonic() < self.deadline:
                raise

    def _finds(self, given: Sequence[Any] | None) -> Iterator[Find]:
        for report in self.looked(self.in_time(given), given):
            if isinstance(report, LimitError):
                raise report
            if report is not None and not report.conflict:
                self.pairs += report.pairs
                for name, count in report.tallies.items():
                    self.tallies[name].join(count)
            elif given is None:
                yield from self.one_round(*self.drawn())
            else:
                instance = given[self.number - self.plan.start]
                yield from self.one_round(instance, self.everything(instance))
            self.number += 1
            self.watch(self)
            if len(self.found) >= self.plan.finds:
                return

    def in_time(self, given: Sequence[Any] | None) -> Iterator[int]:
        """The numbers of the rounds, until the time is up."""
        last = self.plan.start + (self.plan.rounds if given is None else len(given))
        number = self.plan.start
        while number < last and time.monotonic() < self.deadline:
            yield number
            number += 1

    def looked(
        self, numbers: Iterator[int], given: Sequence[Any] | None
    ) -> Iterator[RoundReport | LimitError | None]:
        """What other processes say of each round, in order; None where this one is to do it itself.

        A round with a conflict is done again here, so that all goes on as if there were one process.
        """
        if self.plan.workers == 1 or given is not None:
            yield from (None for _ in numbers)
            return
        with closing(
            by_processes(partial(report, self.plan, self.deadline), numbers, self.plan.workers)
        ) as reports:
            yield from reports

    def drawn(self) -> tuple[Any, list[Check]]:
        """The instance of this round, and what to try on it.

        All backends; one with a relation; one, if any has a Model, with it restated.
        """
        plan, rng = self.plan, self.plan.draws(self.number)
        instance = self.profile()(rng)
        relations, stated = (
            list(registry.relations(plan.problem, plan.asked)),
            modelled(plan.problem, plan.backends),
        )
        checks: list[Check] = [self.agreement()]
        if plan.metamorphic and relations:
            backend, relation = str(rng.choice(plan.backends)), str(rng.choice(relations))
            seed = int(rng.integers(SEEDS))
            checks.append(Metamorphic(plan.problem, (backend,), plan.limits, plan.asked, relation, seed))
        if plan.metamorphic and stated:
            seed = int(rng.integers(SEEDS))
            backend = str(rng.choice(stated))
            checks.append(Restating(plan.problem, (backend,), plan.limits, plan.asked, seed))
        return instance, checks

    def everything(self, instance: Any) -> list[Check]:
        """All that can be tried on an instance."""
        plan = self.plan
        checks: list[Check] = [self.agreement()]
        if not plan.metamorphic:
            return checks
        for seed in range(SEEDS):
            checks += [
                Metamorphic(plan.problem, (backend,), plan.limits, plan.asked, relation, seed)
                for backend in plan.backends
                for relation in registry.relations(plan.problem, plan.asked)
            ]
            checks += [
                Restating(plan.problem, (backend,), plan.limits, plan.asked, seed)
                for backend in modelled(plan.problem, plan.backends)
            ]
        return checks

    def agreement(self) -> Agreement:
        return Agreement(self.plan.problem, self.plan.backends, self.plan.limits, self.plan.asked)

    def profile(self) -> Callable[[np.random.Generator], Any]:
        there = profiles(self.plan.problem)
        if self.plan.size not in there:
            raise UsageError(
                f"{self.plan.problem} has no size {self.plan.size!r}; there are: {', '.join(there)}"
            )
        return there[self.plan.size]

    def one_round(self, instance: Any, checks: Iterable[Check]) -> Iterator[Find]:
        """What is found on one instance; of the conflicts of a check, one of each sort."""
        done: dict[str, Run[Any]] = {}
        for check in checks:
            cases = self.tried(check, instance, done)
            sorts: dict[tuple[str, ...], Conflict] = {}
            for conflict in check.conflicts(instance, cases) if cases else ():
                sorts.setdefault(kind(conflict)[:2], conflict)
            for conflict in sorts.values():
                yield from self.one_find(check, conflict, instance)
                if len(self.found) >= self.plan.finds:
                    return

    def tried(self, check: Check, instance: Any, done: dict[str, Run[Any]]) -> list[Case]:
        """The cases of a check, their answers counted; what all backends say is `done` for the next ones.

        Raises
        ------
        LimitError
            The time is up, of the plan or of a run on its account.
        """
        cases = check.until(self.deadline).cases(instance, done)
        cut = any(case.run.answer.stop is Stop.TIME_LIMIT for case in cases)
        if cut and time.monotonic() >= self.deadline:
            raise LimitError(Stop.TIME_LIMIT)
        self.pairs += comb(sum(case.run.decided for case in cases), 2)
        if isinstance(check, Agreement):
            for case in cases:
                self.tallies[case.run.backend].add(case, self.number)
                done[case.run.backend] = case.run
        return cases

    def one_find(self, check: Check, conflict: Conflict, instance: Any) -> Iterator[Find]:
        latest = max(self.deadline, time.monotonic() + LEAST_SHRINKING)
        find, ended = minimised(check, conflict, instance, self.number, latest)
        if find.name in self.found:
            self.again += 1
        else:
            self.found[find.name] = find
            yield find
        if isinstance(ended, KeyboardInterrupt):
            raise ended


@cache
def modelled(problem: str, backends: tuple[str, ...]) -> list[str]:
    """Those of the backends that have a Model."""
    return [name for name in backends if isinstance(registry.backend(problem, name), Modelled)]
