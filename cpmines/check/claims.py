"""What each claim needs, and the checks of it. All start from the board's text and the problem's judge."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from cpmines import registry
from cpmines.answer import Limits
from cpmines.check.cutting import FORMULA, PROOF, check_cutting
from cpmines.check.facts import FactsCheck
from cpmines.check.folder import ANSWER, INSTANCE, Files
from cpmines.check.refutation import check_refutation
from cpmines.check.tables import BOUNDS, check_tables
from cpmines.check.verdict import Rejected
from cpmines.demands.claims import Extreme, Facts, Judged, NotStated
from cpmines.demands.rules import Rules
from cpmines.demands.statement import Statement
from cpmines.errors import InputError, UsageError
from cpmines.numerals import approximate
from cpmines.problem import Problem
from cpmines.question import Asked

__all__ = ["CertifiedClaim", "check_claim", "read_claim"]

BYTES_PER_CELL = 40
"""Of a list of the cells, which most evidence needs: a few words can name a board of any size."""

UNREADABLE = (TypeError, KeyError, ValueError, AttributeError, IndexError, OverflowError)
"""What `Problem.from_json` raises for fields that are not those of a value."""


@dataclass
class CertifiedClaim:
    """A claim about an instance, and what has been verified of it so far."""

    name: str
    problem: Problem[Any, Any]
    rules: Rules[Any]
    asked: Asked
    instance: Any
    status: str
    value: Any
    evidence: str
    limits: Limits
    steps: list[str] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        what = self.status if self.value is None else f"{self.status}, {self.problem.headline(self.value)}"
        return f"{self.name} {self.asked}, {self.problem.describe(self.instance)}: {what}"

    @property
    def statement(self) -> Statement:
        """What placements have to satisfy. Raises `Rejected`, and `LimitError` if it is too large."""
        if self.rules.statement is None:
            raise Rejected(f"{self.name} {self.asked} is not about placements")
        statement: Statement = self.rules.statement(self.instance)
        what = f"checking a board of {approximate(statement.cells)} cells"
        self.limits.require(statement.cells * BYTES_PER_CELL, what)
        return statement


def read_claim(files: Files, limits: Limits) -> CertifiedClaim:
    """The claim of a certificate, to be checked within limits. Raises `Rejected`."""
    name = str(files.answer.get("problem"))[:40]
    status, evidence = (files.answer.get(key) for key in ("status", "evidence"))
    if status not in ("solved", "infeasible") or not isinstance(evidence, str):
        raise Rejected(f"the claim {str(status)[:40]!r}, expected 'solved' or 'infeasible', and its evidence")
    try:
        problem = registry.problem(name)
        rules: Rules[Any] | None = registry.room(name, "rules", "RULES")
        if rules is None:
            raise Rejected(f"a claim about {name}, which has no rules to check it by")
        asked = _asked(problem, files.answer)
        instances = problem.read(files.bytes(INSTANCE), INSTANCE, asked)
    except (InputError, UsageError) as error:
        raise Rejected(str(error)) from None
    if why := rules.refusal(asked.name):
        raise Rejected(f"a claim about {name}: {why}")
    if len(instances) != 1:
        raise Rejected(f"{INSTANCE} has {len(instances)} instances, expected one")
    value = _value(name, problem, files.answer.get("value"))
    claim = CertifiedClaim(name, problem, rules, asked, instances[0], status, value, evidence, limits)
    _fits(claim)
    return claim


def _asked(problem: Problem[Any, Any], answer: Mapping[str, Any]) -> Asked:
    """The question and its options. Raises `Rejected`, `UsageError`."""
    name, options = answer.get("question"), answer.get("options", {})
    question = next((each for each in problem.questions if each.name == name), None)
    if question is None or not isinstance(options, dict):
        raise Rejected(f"the question {str(name)[:40]!r}, and options {str(options)[:40]!r}")
    try:
        asked = question.with_options(options)
    except (TypeError, ValueError) as error:
        raise Rejected(f"options that can't be read: {type(error).__name__} {error}") from None
    if _text(asked.to_json().get("options", {})) != _text(options):
        raise Rejected("options that are not written as they are asked for")
    return asked


def _value(name: str, problem: Problem[Any, Any], fields: Any) -> Any:
    """The value, None if there is none. Raises `Rejected`."""
    if fields is None:
        return None
    try:
        value = problem.from_json(fields)
        written = problem.to_json(value)
    except UNREADABLE as error:
        raise Rejected(f"the value in {ANSWER} can't be read: {type(error).__name__} {error}") from None
    if _text(written) != _text(fields):
        raise Rejected(f"the value in {ANSWER} is not written as {name} writes it")
    return value


def _text(fields: Any) -> str:
    """JSON fields to be compared: as Python values true and 1.0 are 1."""
    return json.dumps(fields, sort_keys=True)


def _fits(claim: CertifiedClaim) -> None:
    """Has an answer in full a value, and an infeasible one none, or a reason? Raises `Rejected`."""
    reason = claim.value is not None and claim.rules.is_reason(claim.value)
    if claim.status == "infeasible" and claim.value is not None and not reason:
        raise Rejected("the claim 'infeasible' with a value")
    if claim.status == "solved" and (claim.value is None or reason):
        raise Rejected(f"the claim 'solved' with {'a reason' if reason else 'no value'}")
    if claim.status == "solved" and (lacking := claim.asked.question.lacking(claim.value)):
        raise Rejected(f"the claim 'solved' without {', '.join(lacking)}, which is asked for")


def check_claim(claim: CertifiedClaim, files: Files) -> None:
    """Verify a claim; the steps are noted in it. Raises `Rejected` and `LimitError`."""
    if claim.value is not None:
        if faults := claim.problem.judge(claim.instance, claim.asked, claim.value):
            raise Rejected(f"the judge rejects the value: {'; '.join(faults[:3])}")
        claim.steps.append("the judge, which knows only the rules, finds nothing wrong with the value")
    if claim.status == "infeasible":
        _infeasible(claim, files)
        return
    said = claim.rules.claim(claim.instance, claim.asked, claim.value)
    if isinstance(said, NotStated):
        raise Rejected(said.why)
    if isinstance(said, Extreme):
        _extreme(claim, said, files)
    elif isinstance(said, Facts):
        _facts(claim, said, files)
    elif claim.evidence != "judge":
        raise _no_evidence(claim)
    else:
        assert isinstance(said, Judged)
        claim.steps.append("the answer says no more than that")


def _no_evidence(claim: CertifiedClaim) -> Rejected:
    return Rejected(
        f"{claim.evidence[:40]!r} is no evidence for '{claim.status}' of {claim.name} {claim.asked}"
    )


def _infeasible(claim: CertifiedClaim, files: Files) -> None:
    if claim.evidence == "judge" and claim.value is not None:
        claim.steps.append("what it names is out of reach for every placement")
    elif claim.asked.question.relaxed:
        raise Rejected(f"the question {claim.asked.name} has an answer even where there is no placement")
    else:
        _refuted(claim, files, claim.statement)
        claim.steps[-1] += ": there is no placement"


def _refuted(claim: CertifiedClaim, files: Files, statement: Statement) -> None:
    if claim.evidence == "cutting":
        claim.steps += check_cutting(files.text(FORMULA), files.text(PROOF), statement)
    elif claim.evidence == "refutation":
        claim.steps += check_refutation(files, statement, limits=claim.limits)
    else:
        raise _no_evidence(claim)


def _extreme(claim: CertifiedClaim, said: Extreme, files: Files) -> None:
    """That no placement has more, or fewer."""
    number, placed, than = said.number, claim.rules.placed, "fewer" if said.fewest else "more"
    if claim.evidence == "theorem" and said.theorem is not None:
        bound, proof = said.theorem.bound, said.theorem.proof
        if bound != number:
            raise Rejected(f"{number} {placed} claimed, but only {bound} is certain: {proof}")
        claim.steps.append(f"no board has {than} than {bound} {placed}: {proof}")
    elif claim.evidence == "tables" and said.filling is not None and not said.fewest:
        claim.steps.append(check_tables(said.filling, files.bytes(BOUNDS), number))
    else:
        other = number - 1 if said.fewest else number + 1
        _refuted(claim, files, claim.statement.beyond(number, fewest=said.fewest))
        claim.steps[-1] += f": there is no board with {other} {placed} or {than}"


def _facts(claim: CertifiedClaim, said: Facts, files: Files) -> None:
    if claim.rules.faults is None:
        raise Rejected(f"{claim.name} does not say how placements are judged")
    judge = partial(claim.rules.faults, claim.instance)
    steps, unproved = FactsCheck(claim.statement, judge, said, claim.limits).run(claim.evidence, files)
    claim.steps += steps
    claim.unproved += unproved
