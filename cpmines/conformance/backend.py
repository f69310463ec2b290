"""Checks of a backend of a problem, beside brute force on tiny instances.

Each takes the subject and the effort, and returns what is wrong, with a smallest instance; empty if nothing
is.
"""

from __future__ import annotations

import contextlib
import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from cpmines import registry
from cpmines.answer import Limits, Status, Stop
from cpmines.compare import find_conflicts
from cpmines.conformance.verdict import ENOUGH, TIGHT, CheckResult, Effort, Inspection, verdicts
from cpmines.engine import Ability, abilities_of
from cpmines.errors import UsageError
from cpmines.fuzz.shrink import smallest
from cpmines.problem import Backend, Trust
from cpmines.run import Run, run

__all__ = ["CHECKS", "Subject", "backend_checks", "tiny_instances"]

SHRUNK = 10
"""Tiny instances that are made smaller to get extreme ones."""
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

    def run(self, instance: Any, limits: Limits = ENOUGH) -> Run[Any]:
        return run(self.problem, instance, self.backend, limits)

    def text(self, instance: Any) -> str:
        return registry.problem(self.problem).render(instance)


def backend_checks(subject: Subject, effort: Effort = Effort()) -> Iterator[CheckResult]:  # noqa: B008
    """Everything that a backend has to do on its problem."""
    checks = {name: partial(check, subject) for name, check in CHECKS.items()}
    if not subject.repeatable:
        del checks[SAME_ANSWER]
    return verdicts(subject.problem, checks, effort)


def tiny_instances(problem: str, count: int, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [registry.generators(problem).tiny(rng) for _ in range(count)]


@cache
def _by_brute_force(problem: str, text: str) -> Run[Any]:
    (instance,) = registry.problem(problem).parse(text)
    return run(problem, instance, "brute", ENOUGH)


def by_brute_force(problem: str, instance: Any) -> Run[Any]:
    """The run of brute force, done once for equal instances."""
    return _by_brute_force(problem, registry.problem(problem).render(instance))


def first_fault(subject: Subject, instances: Iterable[Any], fault: Callable[[Any], str]) -> Inspection:
    """What is wrong with the first instance on which something is, after making that as small as possible."""
    question = registry.problem(subject.problem)

    def guarded(instance: Any) -> str:
        # A copy: a backend that changes its input must not change what is shrunk.
        (given,) = question.parse(question.render(instance))
        return fault(given)

    cases = 0
    for instance in instances:
        cases += 1
        if guarded(instance):
            minimal = smallest(subject.problem, instance, lambda simpler: bool(guarded(simpler)))
            return Inspection(cases, f"{guarded(minimal)}\n{subject.text(minimal)}".rstrip())
    return Inspection(cases)


def beside_brute(subject: Subject, instance: Any) -> str:
    """What is wrong with the answer, by the judge and beside brute force."""
    found = subject.run(instance)
    if found.error:
        return found.error
    if subject.trust is Trust.EXACT and found.status not in (Status.SOLVED, Status.INFEASIBLE):
        return f"an exact backend says {found.status}: {found.answer.note}"
    brute = by_brute_force(subject.problem, instance)
    return "; ".join(map(str, find_conflicts(registry.problem(subject.problem), [brute, found])))


def agrees(subject: Subject, effort: Effort) -> Inspection:
    instances = tiny_instances(subject.problem, effort.count, effort.seed)
    return first_fault(subject, instances, partial(beside_brute, subject))


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
    for instance in tiny_instances(subject.problem, SHRUNK, effort.seed + 1):
        smaller = instance
        while (smaller := next(iter(generators.shrink(smaller)), None)) is not None:
            extremes.append(smaller)
    different = {subject.text(found): found for found in extremes}.values()
    small = [found for found in different if by_brute_force(subject.problem, found).decided]
    return first_fault(subject, small, partial(beside_brute, subject))


def claim(found: Run[Any]) -> dict[str, Any]:
    """What is to be the same each time: not the times, nor the counters, some of which are times."""
    record = found.to_json()
    return {name: field for name, field in record.items() if name not in ("seconds", "statistics")}


def repeats(subject: Subject, effort: Effort) -> Inspection:
    def fault(instance: Any) -> str:
        first, second = (json.dumps(claim(subject.run(instance))) for _ in range(2))
        return "" if first == second else f"first {first}, then {second}"

    return first_fault(subject, tiny_instances(subject.problem, 10, effort.seed + 2), fault)


def leaves_input(subject: Subject, effort: Effort) -> Inspection:
    def fault(instance: Any) -> str:
        before = subject.text(instance)
        subject.run(instance)
        return "" if subject.text(instance) == before else f"the instance was\n{before}"

    return first_fault(subject, tiny_instances(subject.problem, 20, effort.seed + 3), fault)


def keeps_tight_limits(subject: Subject, effort: Effort) -> Inspection:
    def fault(instance: Any) -> str:
        for limits in TIGHT:
            found = subject.run(instance, limits)
            if found.error or (found.faults and subject.trust is not Trust.UNRELIABLE):
                return f"under {limits}: {found.error or '; '.join(found.faults)}"
            undecided = found.status is Status.UNKNOWN and found.answer.stop is Stop.FINISHED
            if undecided and subject.trust is Trust.EXACT:
                return f"under {limits} it says unknown and that it is finished"
        return ""

    return first_fault(subject, tiny_instances(subject.problem, 10, effort.seed + 4), fault)


def answers_examples(subject: Subject, effort: Effort) -> Inspection:
    """The texts that bring every compiled kernel of the problem into use."""
    question = registry.problem(subject.problem)
    examples = [instance for text in question.warm_up for instance in question.parse(text)]
    return first_fault(subject, examples, lambda instance: subject.run(instance).error)


SAME_ANSWER = "gives the same answer again"

CHECKS: dict[str, Callable[[Subject, Effort], Inspection]] = {
    "answers the problem's own examples": answers_examples,
    "agrees with brute force on tiny instances": agrees,
    "agrees with brute force on extremes": agrees_on_extremes,
    SAME_ANSWER: repeats,
    "leaves its input as it is": leaves_input,
    "keeps limits however tight": keeps_tight_limits,
}
