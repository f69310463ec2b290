"""What each claim needs, and the checks of it. All start from the board's text and the problem's judge."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from cpmines.check.cutting import FORMULA, PROOF, check_cutting
from cpmines.check.facts import check_facts, facts_of
from cpmines.check.folder import ANSWER, INSTANCE, Files
from cpmines.check.frontier import BOUNDS, BoundTables, check_frontier
from cpmines.check.refutation import check_refutation
from cpmines.check.rules import Statement, statement_of
from cpmines.check.theorems import most_mines
from cpmines.check.values import value_of
from cpmines.check.verdict import Rejected
from cpmines.errors import InputError
from cpmines.problem import Problem

__all__ = ["CertifiedClaim", "check_claim", "read_claim"]

PROBLEMS = ("consistency", "counting", "deduction", "maxmines", "mosaic", "reconstruction", "validation")


@dataclass
class CertifiedClaim:
    """A claim about an instance, and what has been verified of it so far."""

    name: str
    problem: Problem[Any, Any]
    instance: Any
    status: str
    value: Any
    evidence: str
    steps: list[str] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        what = self.status if self.value is None else f"{self.status}, {self.problem.headline(self.value)}"
        return f"{self.name}, {self.problem.describe(self.instance)}: {what}"


def read_claim(files: Files) -> CertifiedClaim:
    """The claim of a certificate. Raises `Rejected`."""
    name, status, evidence = (files.answer.get(key) for key in ("problem", "status", "evidence"))
    if name not in PROBLEMS:
        raise Rejected(f"a claim about {str(name)[:40]!r}; known are {', '.join(PROBLEMS)}")
    if status not in ("solved", "infeasible") or not isinstance(evidence, str):
        raise Rejected(f"the claim {str(status)[:40]!r}, expected 'solved' or 'infeasible', and its evidence")
    problem: Problem[Any, Any] = import_module(f"cpmines.problems.{name}.problem").PROBLEM
    try:
        instances = problem.parse(files.bytes(INSTANCE), INSTANCE)
    except InputError as error:
        raise Rejected(str(error)) from None
    if len(instances) != 1:
        raise Rejected(f"{INSTANCE} has {len(instances)} instances, expected one")
    fields = files.answer.get("value")
    shown = "a value" if fields is not None else "no value"
    if isinstance(fields, dict) and "reason" in fields:
        shown = "a reason"
    if shown not in {"solved": ("a value",), "infeasible": ("no value", "a reason")}[status]:
        raise Rejected(f"the claim '{status}' with {shown}")
    value = None if fields is None else value_of(name, fields)
    if fields is not None and _text(problem.to_json(value)) != _text(fields):
        raise Rejected(f"the value in {ANSWER} is not written as {name} writes it")
    return CertifiedClaim(name, problem, instances[0], status, value, evidence)


def _text(fields: Any) -> str:
    """JSON fields to be compared: as Python values true and 1.0 are 1."""
    return json.dumps(fields, sort_keys=True)


def check_claim(claim: CertifiedClaim, files: Files) -> None:
    """Verify a claim; the steps are noted in it. Raises `Rejected`."""
    if claim.value is not None:
        if faults := claim.problem.judge(claim.instance, claim.value):
            raise Rejected(f"the judge rejects the value: {'; '.join(faults[:3])}")
        claim.steps.append("the judge, which knows only the rules, finds nothing wrong with the value")
    check = CHECKS.get((claim.name, claim.evidence))
    if claim.status == "infeasible":
        check = _infeasible if claim.evidence in ("refutation", "cutting", "judge") else None
    if check is None:
        raise Rejected(f"{claim.evidence[:40]!r} is no evidence for '{claim.status}' of {claim.name}")
    check(claim, files)


def _infeasible(claim: CertifiedClaim, files: Files) -> None:
    if claim.name in ("maxmines", "validation"):
        raise Rejected(f"{claim.name} always has an answer")
    if claim.evidence in ("refutation", "cutting"):
        _refuted(claim, files, statement_of(claim.name, claim.instance))
        claim.steps[-1] += ": there is no placement"
    elif claim.value is None:
        raise Rejected("there is no reason, and no refutation")
    else:
        claim.steps.append("the sum of entries that it names is out of reach for every board")


def _refuted(claim: CertifiedClaim, files: Files, statement: Statement) -> None:
    if claim.evidence == "cutting":
        claim.steps += check_cutting(files.text(FORMULA), files.text(PROOF), statement)
    else:
        claim.steps += check_refutation(files, statement)


def _witness(claim: CertifiedClaim, files: Files) -> None:
    claim.steps.append("the answer says no more than that")


def _proved_bound(claim: CertifiedClaim) -> int:
    """The number of mines that is claimed to be the most."""
    most: int = claim.value.mines
    if claim.value.bound not in (None, most):
        raise Rejected(f"{most} mines are claimed to be the most, and {claim.value.bound} to be a bound")
    return most


def _theorem(claim: CertifiedClaim, files: Files) -> None:
    instance, claimed = claim.instance, _proved_bound(claim)
    most, why = most_mines(instance.rows, instance.cols, instance.around)
    if most != claimed:
        raise Rejected(f"{claimed} mines claimed to be the most, but only {most} is certain: {why}")
    claim.steps.append(f"no board has more than {most} mines: {why}")


def _one_more(claim: CertifiedClaim, files: Files) -> None:
    claimed = _proved_bound(claim)
    statement = statement_of(claim.name, claim.instance).with_at_least(claimed + 1)
    _refuted(claim, files, statement)
    claim.steps[-1] += f": there is no board with {claimed + 1} mines or more"


def _frontier(claim: CertifiedClaim, files: Files) -> None:
    instance = claim.instance
    frontier = BoundTables.of(instance.rows, instance.cols, instance.around)
    claim.steps.append(check_frontier(frontier, files.bytes(BOUNDS), _proved_bound(claim)))


def _facts(claim: CertifiedClaim, files: Files) -> None:
    facts = facts_of(claim.name, claim.instance, claim.value)
    steps, unproved = check_facts(claim.name, claim.instance, facts, claim.evidence, files)
    claim.steps += steps
    claim.unproved += unproved


CHECKS: dict[tuple[str, str], Callable[[CertifiedClaim, Files], None]] = {
    ("consistency", "judge"): _witness,
    ("validation", "judge"): _witness,
    ("maxmines", "theorem"): _theorem,
    ("maxmines", "refutation"): _one_more,
    ("maxmines", "cutting"): _one_more,
    ("maxmines", "frontier"): _frontier,
    ("deduction", "placements"): _facts,
    ("counting", "placements"): _facts,
    ("counting", "recount"): _facts,
    ("mosaic", "judge"): _facts,
    ("mosaic", "placements"): _facts,
    ("mosaic", "recount"): _facts,
    ("reconstruction", "judge"): _facts,
    ("reconstruction", "placements"): _facts,
    ("reconstruction", "recount"): _facts,
    ("reconstruction", "theorem"): _facts,
}
"""What proves a solved answer, by problem and evidence."""
