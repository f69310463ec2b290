"""Checks of a backend of a problem, beside brute force on tiny instances, for every question it answers.

Each takes the subject and the effort, and returns what is wrong, with a smallest instance; empty if nothing
is.
"""

from __future__ import annotations

import contextlib
import inspect
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from cpmines import registry
from cpmines.answer import Limits, Status, Stop
from cpmines.compare import find_faults
from cpmines.conformance.references import believed, plain_questions, tiny_instances
from cpmines.conformance.verdict import ENOUGH, TIGHT, CheckResult, Effort, Inspection, verdicts
from cpmines.engine import Ability, abilities_of
from cpmines.errors import UsageError
from cpmines.fuzz.shrink import smallest
from cpmines.problem import Backend, Trust
from cpmines.question import Asked
from cpmines.quoting import printable
from cpmines.run import Run, run

__all__ = ["CHECKS", "Subject", "agrees", "backend_checks", "beside_reference"]

MOSTLY_ENOUGH = Limits(seconds=2, seed=3)
"""For other questions than the first, which may be hard for some engines: a nearest table for clingo."""
SHRUNK = 10
"""Tiny instances that are made smaller to get extreme ones."""
SMALLEST = 5
"""The last steps of the way from each."""
SIDES = ((1, 1), (1, 2), (2, 1), (1, 7), (7, 1))


@dataclass(frozen=True)
class Subject:
    """A backend by its name, as `registry.backend` takes it, on a problem."""

    problem: str
    backend: str

    def object(self) -> Backend[Any, Any]:
        return registry.backend(self.problem, self.backend)

    @property
    def trust(self) -> Trust:
        return self.object().trust

    @property
    def repeatable(self) -> bool:
        """Own backends always are; an engine is if it says so."""
        engine = getattr(self.object(), "engine", None)
        return engine is None or Ability.DETERMINISTIC in abilities_of(engine)

    @property
    def questions(self) -> list[Asked]:
        """Those that it answers and that need no option."""
        return plain_questions(self.problem, self.backend)

    def run(self, instance: Any, asked: Asked, limits: Limits | None = None) -> Run[Any]:
        """With limits that are enough for tiny instances; beyond the first question, for most of them."""
        if limits is None:
            limits = ENOUGH if asked == self.questions[0] else MOSTLY_ENOUGH
        return run(self.problem, instance, self.backend, limits, asked)

    def text(self, instance: Any) -> str:
        return registry.problem(self.problem).render(instance)


def backend_checks(subject: Subject, effort: Effort = Effort()) -> Iterator[CheckResult]:  # noqa: B008
    """Everything that a backend has to do on its problem."""
    checks = {name: partial(check, subject) for name, check in CHECKS.items()}
    if not subject.repeatable:
        del checks[SAME_ANSWER]
    return verdicts(subject.problem, checks, effort)


def first_fault(subject: Subject, instances: Iterable[Any], fault: Callable[[Any, Asked], str]) -> Inspection:
    """What is wrong with the first instance on which something is, after making that as small as possible.

    Each is asked every question that the backend answers.
    """
    question = registry.problem(subject.problem)
    questions = subject.questions

    def guarded(instance: Any, asked: Asked) -> str:
        # A copy: a backend that changes its input must not change what is shrunk.
        (given,) = question.parse(question.render(instance))
        return "" if question.refusal(given, asked) else fault(given, asked)

    cases = 0
    for instance in instances:
        for asked in questions:
            cases += 1
            if guarded(instance, asked):
                fails = partial(_fails, guarded, asked)
                minimal = smallest(subject.problem, instance, fails)
                said = f"{asked}: {guarded(minimal, asked)}\n{subject.text(minimal)}".rstrip()
                return Inspection(cases, said)
    return Inspection(cases)


def _fails(fault: Callable[[Any, Asked], str], asked: Asked, instance: Any) -> bool:
    return bool(fault(instance, asked))


def beside_reference(subject: Subject, instance: Any, asked: Asked) -> str:
    """What is wrong with the answer, by the judge and beside the backend that is believed."""
    return faults_of(subject, instance, subject.run(instance, asked))


def faults_of(subject: Subject, instance: Any, found: Run[Any]) -> str:
    """What is wrong with this run of the subject; see `beside_reference`."""
    asked = found.asked
    if found.error:
        return printable(found.error)
    if (
        subject.trust is Trust.EXACT
        and not found.decided
        and (asked == subject.questions[0] or not said(found))
    ):
        return printable(f"an exact backend says {found.status}: {found.answer.note}")
    right = believed(subject.problem, instance, asked)
    runs = [found] if right is None else [right, found]
    return printable("; ".join(map(str, find_faults(registry.problem(subject.problem), runs))))


def said(found: Run[Any]) -> str:
    """Why an answer is not in full: beyond the first question a backend may have limits, if it names them."""
    if found.answer.stop is Stop.TIME_LIMIT:
        return str(found.answer.stop)
    return found.answer.note if found.status is Status.FEASIBLE or found.answer.stop is Stop.DECLINED else ""


def agrees(subject: Subject, effort: Effort) -> Inspection:
    decided = Counter[str]()

    def fault(instance: Any, asked: Asked) -> str:
        found = subject.run(instance, asked)
        decided[asked.name] += found.decided
        return faults_of(subject, instance, found)

    instances = tiny_instances(subject.problem, effort.count, effort.seed)
    seen = first_fault(subject, instances, fault)
    silent = [asked.name for asked in subject.questions if not decided[asked.name]]
    if seen.passed and silent and subject.trust is Trust.EXACT:
        return Inspection(seen.cases, f"no instance has an answer in full to {', '.join(silent)}")
    return seen


def agrees_on_extremes(subject: Subject, effort: Effort) -> Inspection:
    """Boards of one row, of one column, of one cell; and what tiny instances are shrunk to."""
    rng = np.random.default_rng(effort.seed + 1)
    extremes = []
    generators = registry.generators(subject.problem)
    for family in generators.FAMILIES.values():
        if {"rows", "cols"} <= set(inspect.signature(family).parameters):
            for rows, cols in SIDES:
                # A family may have no board of this size.
                with contextlib.suppress(ValueError, UsageError):
                    extremes.append(family(rng, rows=rows, cols=cols))
    for instance in few_instances(subject, effort, SHRUNK, 1):
        way, smaller = [], instance
        while (smaller := next(iter(generators.shrink(smaller)), None)) is not None:
            way.append(smaller)
        extremes += way[-SMALLEST:]
    different = {subject.text(found): found for found in extremes}.values()
    first = subject.questions[0]
    small = [one for one in different if (right := believed(subject.problem, one, first)) and right.decided]
    return first_fault(subject, small, partial(beside_reference, subject))


def claim(found: Run[Any]) -> dict[str, Any]:
    """What is to be the same each time: not the times, nor the counters, some of which are times."""
    record = found.to_json()
    return {name: field for name, field in record.items() if name not in ("seconds", "statistics")}


def few_instances(subject: Subject, effort: Effort, most: int, salt: int) -> list[Any]:
    """Not more than `most`, for what shows on the first ones."""
    return tiny_instances(subject.problem, min(effort.count, most), effort.seed + salt)


def repeats(subject: Subject, effort: Effort) -> Inspection:
    def fault(instance: Any, asked: Asked) -> str:
        runs = []
        for _ in range(2):
            runs.append(subject.run(instance, asked))
            if runs[-1].answer.stop is Stop.TIME_LIMIT:
                return ""  # how far it came depends on the machine
        first, second = (json.dumps(claim(found)) for found in runs)
        return "" if first == second else f"first {first}, then {second}"

    return first_fault(subject, few_instances(subject, effort, 10, 2), fault)


def leaves_input(subject: Subject, effort: Effort) -> Inspection:
    def fault(instance: Any, asked: Asked) -> str:
        before = subject.text(instance)
        subject.run(instance, asked)
        return "" if subject.text(instance) == before else f"the instance was\n{before}"

    return first_fault(subject, few_instances(subject, effort, 20, 3), fault)


def keeps_tight_limits(subject: Subject, effort: Effort) -> Inspection:
    def fault(instance: Any, asked: Asked) -> str:
        for limits in TIGHT:
            found = subject.run(instance, asked, limits)
            if found.error or (found.faults and subject.trust is not Trust.UNRELIABLE):
                return printable(f"under {limits}: {found.error or '; '.join(found.faults)}")
            undecided = found.status is Status.UNKNOWN and found.answer.stop is Stop.FINISHED
            if undecided and subject.trust is Trust.EXACT:
                return f"under {limits} it says unknown and that it is finished"
        return ""

    return first_fault(subject, few_instances(subject, effort, 10, 4), fault)


def answers_examples(subject: Subject, effort: Effort) -> Inspection:
    """The small examples of the problem, which bring all of a backend into use."""
    question = registry.problem(subject.problem)
    examples = [instance for text in question.warm_up for instance in question.parse(text)]
    return first_fault(
        subject, examples, lambda instance, asked: printable(subject.run(instance, asked).error)
    )


SAME_ANSWER = "gives the same answer again"

CHECKS: dict[str, Callable[[Subject, Effort], Inspection]] = {
    "answers the problem's own examples": answers_examples,
    "agrees with brute force on tiny instances": agrees,
    "agrees with brute force on extremes": agrees_on_extremes,
    SAME_ANSWER: repeats,
    "leaves its input as it is": leaves_input,
    "keeps limits however tight": keeps_tight_limits,
}
