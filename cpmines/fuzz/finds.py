"""A conflict made small: the minimal instance, the claims on it, and who is wrong."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cpmines import registry
from cpmines.answer import Status, Stop
from cpmines.compare import Claim, Conflict, claim, find_faults
from cpmines.errors import LimitError
from cpmines.fuzz.checks import Agreement, Case, Check, Metamorphic, kind
from cpmines.fuzz.shrink import descend
from cpmines.problem import Problem
from cpmines.question import Asked
from cpmines.relation import same
from cpmines.run import Run, run

__all__ = ["Find", "minimised"]

REFEREE = "brute"


@dataclass(frozen=True)
class Find:
    """Something that is wrong.

    Attributes
    ----------
    check
        What was tried, with as few backends as show it.
    round
        Number of the round that met it.
    given, instance
        The instance of that round, and the minimal one.
    conflict
        On the minimal instance.
    verdicts
        Sentences that say who is wrong, according to the judge and to brute force.
    steps, seconds
        How many steps smaller the minimal instance is, and how long that took.
    minimal
        False if the time was up, or the user interrupted, before no step was left.
    expected
        Status and fields of the right answer, as in ``expected.jsonl``, if brute force has it.
    """

    check: Check
    round: int
    given: Any
    instance: Any
    conflict: Conflict
    verdicts: tuple[str, ...]
    steps: int
    seconds: float
    minimal: bool
    expected: Mapping[str, Any] | None

    @property
    def text(self) -> str:
        """The minimal instance as a file."""
        return registry.problem(self.check.problem).render(self.instance)

    @property
    def related(self) -> str:
        """The related instance as a file, on which the second claim is; empty if no relation was tried."""
        if not isinstance(self.check, Metamorphic):
            return ""
        related = self.check.related(self.instance)
        return "" if related is None else registry.problem(self.check.problem).render(related.second)

    @property
    def question(self) -> tuple[Asked, ...]:
        """What was asked, if it was not the problem's first question."""
        asked = self.check.asked
        return () if asked == registry.problem(self.check.problem).ask() else (asked,)

    @property
    def name(self) -> str:
        """The same for the same conflict on the same instance."""
        told = "\n".join((*kind(self.conflict), *map(str, self.question), self.text))
        return hashlib.sha256(told.encode()).hexdigest()[:12]


def again(check: Check, instance: Any) -> list[tuple[Conflict, list[Case]]]:
    """Every conflict that the check has on the instance, and its runs."""
    cases = check.cases(instance)
    return [(conflict, cases) for conflict in check.conflicts(instance, cases)] if cases else []


def minimised(
    check: Check, conflict: Conflict, instance: Any, number: int, deadline: float = math.inf
) -> tuple[Find, BaseException | None]:
    """The find that a conflict becomes, and what ended the search for a smaller instance before its time.

    Parameters
    ----------
    number
        Of the round.
    deadline
        Of the search, by `time.monotonic`; an interrupt ends it as well.
    """
    check = check.narrowed(conflict).until(math.inf)
    head = kind(conflict)[:2]
    alike = [kind(other) for other, _ in again(check, instance) if kind(other)[:2] == head]
    wanted, smallest, steps = alike[0] if alike else None, instance, 0
    ended: BaseException | None = None
    start, bounded = time.perf_counter(), check.until(deadline)

    def stop() -> None:
        if time.monotonic() > deadline:
            raise LimitError(Stop.TIME_LIMIT)

    def fails(simpler: Any) -> bool:
        return any(kind(other) == wanted for other, _ in again(bounded, simpler))

    try:
        if wanted is not None:
            for simpler in descend(check.problem, instance, fails, stop):
                smallest, steps = simpler, steps + 1
    except (Exception, KeyboardInterrupt) as error:
        # A step of the problem's may use a solver that is at fault itself: what is found is kept.
        ended = error
    seconds = time.perf_counter() - start
    shown = next((found for found in again(check, smallest) if kind(found[0]) == wanted), (conflict, []))
    verdicts, expected = judged(check, *shown)
    if wanted is None:
        verdicts = ("it did not happen again when the round was repeated", *verdicts)
    minimal = ended is None and wanted is not None
    find = Find(check, number, instance, smallest, shown[0], verdicts, steps, seconds, minimal, expected)
    return find, ended


def judged(
    check: Check, conflict: Conflict, cases: Sequence[Case]
) -> tuple[tuple[str, ...], Mapping[str, Any] | None]:
    """Who is wrong; and the right answer, if all runs are on one instance and brute force has it."""
    question = registry.problem(check.problem)
    verdicts, rights = [], []
    for case in cases:
        found, right = case.run, referee(check, case)
        rights.append(right)
        if found.error:
            verdicts.append(f"{found.backend} failed")
        elif found.faults:
            told = f", and {shared(question, right)}" if right is not None and right is not found else ""
            verdicts.append(f"{found.backend} is wrong: the judge rejects its answer{told}")
        elif right is not None and _shown_wrong(right, found):
            verdicts.append(f"{right.backend} is wrong: the judge accepts what {shared(question, found)}")
        elif right is not None and find_faults(question, [right, found]):
            verdicts.append(f"{found.backend} is wrong: {shared(question, right)}")
    if not verdicts:
        verdicts.append("neither the judge nor brute force decides who is wrong")
    if not isinstance(check, Agreement) or not rights or rights[0] is None:
        return tuple(verdicts), None
    said = shared(question, rights[0])
    return tuple(verdicts), {"status": str(said.status), "value": dict(said.fields)}


def _shown_wrong(right: Run[Any], found: Run[Any]) -> bool:
    """Does a value that the judge accepts contradict brute force itself: it says none, or a worse optimum?"""
    if found.value is None or found.status is Status.INFEASIBLE or not _witnessed(found):
        return False
    if right.status is Status.INFEASIBLE:
        return True
    objective = right.asked.question.objective
    if objective is None or right.value is None:
        return False
    reached, best = (getattr(one.value, objective.field) for one in (found, right))
    return objective.beats(reached, best)


def _witnessed(found: Run[Any]) -> bool:
    """Does the value show more than what all answers share, so that the judge had something to look at?"""
    fields = registry.problem(found.problem).to_json(found.value)
    return bool(set(fields) - set(found.asked.question.determined))


def shared(question: Problem[Any, Any], found: Run[Any]) -> Claim:
    """What a run says, without what other right answers need not have."""
    said = claim(question, found)
    return Claim(said.author, said.status, same(said.fields, *found.asked.question.determined))


def referee(check: Check, case: Case) -> Run[Any] | None:
    """The answer of brute force, None if it has none that can be trusted."""
    if case.run.backend == REFEREE:
        return case.run if case.run.decided and case.run.trusted else None
    if REFEREE not in registry.backend_names(check.problem):
        return None
    found = run(check.problem, case.instance, REFEREE, check.limits, check.asked)
    return found if found.decided and found.trusted else None
