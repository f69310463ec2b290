"""Do the claims of several runs on one instance fit together?

Two claims conflict if a value fails the judge, one says there is an answer and one that there is none, two
solved answers differ in what must be equal, a feasible value beats a proved optimum, or a claim differs from
the expected answer. `unknown` conflicts with nothing. All of them answer the same question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cpmines import registry
from cpmines.answer import Limits, Status
from cpmines.problem import Problem
from cpmines.question import Asked, Objective
from cpmines.run import Run, run

__all__ = [
    "Claim",
    "Comparison",
    "Conflict",
    "Failure",
    "claim_conflicts",
    "compare",
    "find_conflicts",
    "find_faults",
]

HAS_ANSWER = (Status.SOLVED, Status.FEASIBLE)


@dataclass(frozen=True)
class Claim:
    """Who says what, in a form that can be compared: the fields of the JSON value."""

    author: str
    status: Status
    fields: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.author} says {self.status}" + (f" ({self.summary()})" if self.fields else "")

    def summary(self, longest: int = 60) -> str:
        """The fields in at most about `longest` characters each."""
        texts = (f"{name} {value}" for name, value in self.fields.items())
        return ", ".join(text if len(text) <= longest else f"{text[: longest - 3]}..." for text in texts)


@dataclass(frozen=True)
class Conflict:
    """Claims that can't all be right, and why."""

    reason: str
    claims: tuple[Claim, ...]

    def __str__(self) -> str:
        return f"{self.reason}: " + "; ".join(map(str, self.claims))


@dataclass(frozen=True)
class Failure(Conflict):
    """No conflict of claims: something else than a limit broke a backend off."""


@dataclass(frozen=True)
class Comparison:
    """The runs of several backends on one instance, with every conflict between their claims.

    Attributes
    ----------
    asked
        The question of all of them.
    known
        Is there an expected answer, too?
    """

    problem: str
    instance: str
    asked: Asked
    size: str
    runs: tuple[Run[Any], ...]
    conflicts: tuple[Conflict, ...]
    known: bool = False

    @property
    def alone(self) -> bool:
        """Is there one answer only, with nothing to compare it with?"""
        answers = sum(found.status is not Status.UNKNOWN for found in self.runs)
        return answers == 1 and not self.known

    @property
    def answered(self) -> bool:
        """Has any backend an answer?"""
        return any(found.status is not Status.UNKNOWN for found in self.runs)

    @property
    def failed(self) -> tuple[Run[Any], ...]:
        """Runs that something else than a limit broke off: a crash, a library that is missing."""
        return tuple(found for found in self.runs if found.error)

    def disputes(self, backend: str) -> bool:
        """Is a claim of this backend part of a conflict?"""
        return any(said.author == backend for conflict in self.conflicts for said in conflict.claims)


def claim(question: Problem[Any, Any], found: Run[Any]) -> Claim:
    """What a run says; nothing of a rejected value that is too far from the rules to be written."""
    fields: Mapping[str, Any] = {}
    try:
        fields = {} if found.value is None else question.to_json(found.value)
    except Exception:
        if found.trusted:
            raise
    return Claim(found.backend, found.status, fields)


def expected_claim(question: Problem[Any, Any], asked: Asked, expected: Mapping[str, Any]) -> Claim | None:
    """What a line of ``expected.jsonl`` says of a question; None if that is nothing.

    The line names the question that it answers, the problem's first one by default. Whether there is an
    answer is the same for other questions, but for those that are relaxed; and so are fields of the same
    name, if neither has options.
    """
    answers = question.ask(expected.get("question"), **expected.get("options", {}))
    author, status, fields = "expected.jsonl", Status(expected["status"]), expected.get("value", {})
    if answers == asked:
        return Claim(author, status, fields)
    if answers.question.relaxed or asked.question.relaxed:
        return None
    same = not answers.options and not asked.options
    return Claim(author, status, fields if same else {})


def _only(claim: Claim, *names: str) -> Claim:
    return Claim(
        claim.author, claim.status, {name: claim.fields[name] for name in names if name in claim.fields}
    )


def _rejected(runs: Sequence[Run[Any]], claims: Sequence[Claim], shown: Sequence[str]) -> list[Conflict]:
    conflicts = []
    for found, said in zip(runs, claims, strict=False):
        if found.faults:
            more = f" (and {len(found.faults) - 1} more)" if len(found.faults) > 1 else ""
            conflicts.append(Conflict(f"the judge rejects: {found.faults[0]}{more}", (_only(said, *shown),)))
    return conflicts


def _existence(claims: Sequence[Claim], shown: Sequence[str]) -> list[Conflict]:
    yes = [said for said in claims if said.status in HAS_ANSWER]
    no = [said for said in claims if said.status is Status.INFEASIBLE]
    if not yes or not no:
        return []
    return [
        Conflict("there is an answer or there is none", tuple(_only(said, *shown) for said in (*yes, *no)))
    ]


def _determined(claims: Sequence[Claim], names: Sequence[str]) -> list[Conflict]:
    """Solved claims that differ in a field that all solved answers share, where they have it."""
    conflicts = []
    for name in names:
        having = [said for said in claims if said.status is Status.SOLVED and name in said.fields]
        if any(said.fields[name] != having[0].fields[name] for said in having):
            conflicts.append(Conflict(f"{name} differs", tuple(_only(said, name) for said in having)))
    return conflicts


def _optimum(claims: Sequence[Claim], objective: Objective) -> list[Conflict]:
    """Feasible values that are better than a value said to be optimal."""
    name = objective.field
    having = [said for said in claims if name in said.fields]
    proved = [said for said in having if said.status is Status.SOLVED][:1]
    better = [
        said
        for said in having
        if said.status is Status.FEASIBLE
        and any(objective.beats(said.fields[name], best.fields[name]) for best in proved)
    ]
    if not better:
        return []
    involved = tuple(_only(said, name) for said in (*proved, *better))
    return [Conflict(f"{name} beats a proved optimum", involved)]


def find_conflicts(
    question: Problem[Any, Any], runs: Sequence[Run[Any]], expected: Mapping[str, Any] | None = None
) -> list[Conflict]:
    """Every conflict between `runs`, and with the `expected` answer (a line of ``expected.jsonl``).

    The runs answer the same question. The fields of an expected value are compared with those that a solved
    answer has.
    """
    if not runs:
        return []
    (asked,) = {found.asked for found in runs}
    claims = [claim(question, found) for found in runs]
    conflicts = _rejected(runs, claims, asked.question.determined)
    return [*conflicts, *claim_conflicts(question, asked, claims, expected)]


def find_faults(question: Problem[Any, Any], runs: Sequence[Run[Any]]) -> list[Conflict]:
    """Every conflict between `runs`, and each backend that failed."""
    failed = [
        Failure(f"the backend failed: {found.error}", (claim(question, found),))
        for found in runs
        if found.error
    ]
    return [*failed, *find_conflicts(question, runs)]


def claim_conflicts(
    question: Problem[Any, Any],
    asked: Asked,
    claims: Sequence[Claim],
    expected: Mapping[str, Any] | None = None,
) -> list[Conflict]:
    """Every conflict between `claims`, and with the `expected` answer; none says what the judge rejects."""
    claims, names = list(claims), list(asked.question.determined)
    known = None if expected is None else expected_claim(question, asked, expected)
    if known is not None:
        claims.append(known)
        names += [name for name in known.fields if name not in names]
    conflicts = [*_existence(claims, asked.question.determined), *_determined(claims, names)]
    if asked.question.objective is not None:
        conflicts += _optimum(claims, asked.question.objective)
    return conflicts


def compare(
    problem: str,
    instance: Any,
    backends: Sequence[str],
    limits: Limits,
    asked: Asked | None = None,
    *,
    label: str = "-",
    repeat: int = 1,
    expected: Mapping[str, Any] | None = None,
) -> Comparison:
    """Run every backend on `instance` and compare what they say.

    Without `asked` it is the first question that all of them answer. Raises `UsageError` if there is none.
    """
    question = registry.problem(problem)
    asked = asked or registry.common_question(problem, backends).plain
    runs = [run(problem, instance, name, limits, asked, label=label, repeat=repeat) for name in backends]
    conflicts = find_conflicts(question, runs, expected)
    known = expected is not None and expected_claim(question, asked, expected) is not None
    size = question.describe(instance)
    return Comparison(problem, label, asked, size, tuple(runs), tuple(conflicts), known)
