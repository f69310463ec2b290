"""A refutation by cutting planes: pseudo-Boolean constraints that the board implies, and a proof log.

The log is of the form that VeriPB 1.1 reads; these rules of it are known, all others are refused:

``l K``
    the K-th constraint of the formula;
``rup C``
    a constraint whose opposite leads to a contradiction by propagation alone;
``pol ...``
    reverse Polish: steps by number, literals as ``x >= 0``, ``+``, ``N *``, ``N d`` (division, rounded up),
    ``s`` (saturation);
``c K``
    step K can't be satisfied, which ends the proof.

Each of the first three is a step, numbered from 1.

References
----------
Cook, Coullard, Turán (1987), On the complexity of cutting-plane proofs. Discrete Applied Mathematics 18.
Gocht, McBride, Nordström, et al. (2019-), VeriPB: a proof checker for pseudo-Boolean proofs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cpmines.check.verdict import Rejected
from cpmines.demands.statement import Rule, Statement
from cpmines.numerals import plural

__all__ = ["FORMULA", "PROOF", "Constraint", "check_cutting", "check_log"]

FORMULA, PROOF = "formula.opb", "proof.pbp"
HEADER = "pseudo-Boolean proof version 1.1"
CONSTRAINT = re.compile(r"((?:[-+]\d{1,30} ~?x[1-9]\d{0,8} )*)>= (-?\d{1,30}) ;")
TERM = re.compile(r"([-+]\d+) (~?)x(\d+)")
LITERAL = re.compile(r"~?x[1-9]\d{0,8}")
NUMBER = re.compile(r"\d{1,30}")
LARGEST = 1 << 62
"""Sum of weights of a formula's constraint from which it is not tried out: 64 bits would overflow."""


@dataclass(frozen=True)
class Constraint:
    """``sum of weights of the literals that are true >= degree``; weights positive, variables distinct."""

    terms: dict[int, int]
    degree: int

    @classmethod
    def of(cls, terms: Iterable[tuple[int, int]], degree: int) -> Constraint:
        """From pairs of literal and weight, with opposite literals and negative weights netted."""
        net: dict[int, int] = defaultdict(int)
        for literal, weight in terms:
            if literal < 0:
                weight, degree = -weight, degree - weight
            net[abs(literal)] += weight
        degree -= sum(weight for weight in net.values() if weight < 0)
        return cls({x if weight > 0 else -x: abs(weight) for x, weight in net.items() if weight}, degree)

    def __add__(self, other: Constraint) -> Constraint:
        return Constraint.of([*self.terms.items(), *other.terms.items()], self.degree + other.degree)

    def times(self, factor: int) -> Constraint:
        return Constraint.of([(x, factor * weight) for x, weight in self.terms.items()], factor * self.degree)

    def divided(self, divisor: int) -> Constraint:
        """Rounded up, which is sound as all weights are positive."""
        return Constraint(
            {x: -(-weight // divisor) for x, weight in self.terms.items()}, -(-self.degree // divisor)
        )

    def saturated(self) -> Constraint:
        """No weight needs to be above the degree."""
        if self.degree <= 0:
            return Constraint({}, self.degree)
        return Constraint({x: min(weight, self.degree) for x, weight in self.terms.items()}, self.degree)

    def opposite(self) -> Constraint:
        return Constraint({-x: weight for x, weight in self.terms.items()}, self.largest - self.degree + 1)

    @property
    def largest(self) -> int:
        """The sum if all literals are true."""
        return sum(self.terms.values())


def check_cutting(formula: str, proof: str, statement: Statement) -> list[str]:
    """Check formula and proof; returns what was verified, a sentence each. Raises `Rejected`."""
    constraints = _constraints(formula)
    for constraint in constraints:
        if not _implied(constraint, statement):
            terms = " ".join(f"{weight:+d} x{literal}" for literal, weight in constraint.terms.items())
            raise Rejected(f"{FORMULA}: the board does not say {terms[:60]} >= {constraint.degree}")
    steps = _CuttingLog(constraints).run(proof)
    return [
        f"each of {plural(len(constraints), 'constraint')} follows from a rule of the board or the total",
        f"the proof of {plural(steps, 'step')} by cutting planes refutes the formula",
    ]


def check_log(formula: str, proof: str) -> int:
    """Check that the proof refutes the formula, whatever that says; the number of its steps.

    Raises
    ------
    Rejected
    """
    return _CuttingLog(_constraints(formula)).run(proof)


def _constraints(formula: str) -> list[Constraint]:
    return [
        parse_constraint(line, FORMULA)
        for line in formula.splitlines()
        if not line.startswith("*") and line != "min: ;"
    ]


def parse_constraint(text: str, where: str) -> Constraint:
    """One constraint as OPB writes it. Raises `Rejected`."""
    found = CONSTRAINT.fullmatch(text)
    if found is None:
        raise Rejected(f"{where}: {text[:40]!r} is no constraint")
    terms = [(-int(x) if sign else int(x), int(weight)) for weight, sign, x in TERM.findall(found[1])]
    return Constraint.of(terms, int(found[2]))


def _implied(constraint: Constraint, statement: Statement) -> bool:
    """Is there one rule of the board, or the total, that no placement satisfies without the constraint?"""
    variables = {abs(literal) for literal in constraint.terms}
    if constraint.degree <= 0:
        return True
    if any(variable > statement.rows * statement.cols for variable in variables):
        return False
    rules = statement.rules_at(min(variables)) if variables else (rule for _, rule in statement.rules())
    return any(_follows(constraint, rule) for rule in rules) or _of_total(constraint, variables, statement)


def _follows(constraint: Constraint, rule: Rule) -> bool:
    """Tried out on all placements that the rule allows."""
    cells = [*rule.others, *([rule.middle] if rule.middle else [])]
    if not {abs(literal) for literal in constraint.terms} <= set(cells) or constraint.largest >= LARGEST:
        return False
    weights, degree = np.zeros(len(cells), np.int64), min(constraint.degree, constraint.largest + 1)
    for literal, weight in constraint.terms.items():
        weights[cells.index(abs(literal))] = weight if literal > 0 else -weight
        degree -= weight if literal < 0 else 0
    placements = (np.arange(1 << len(cells))[:, None] >> np.arange(len(cells))) & 1
    mines = placements[:, : len(rule.others)].sum(axis=1)
    middle = placements[:, -1].astype(np.bool_) if rule.middle else np.zeros(len(placements), np.bool_)
    allowed = np.zeros((2, len(cells) + 1), np.bool_)
    for centre, number in rule.allowed:
        if 0 <= number <= len(cells):
            allowed[int(centre), number] = True
    return bool((placements[allowed[middle.astype(int), mines]] @ weights >= degree).all())


def _of_total(constraint: Constraint, variables: set[int], statement: Statement) -> bool:
    """Does it follow from the number of mines in all free cells, of which it weighs each alike?"""
    total, weights = statement.total, set(constraint.terms.values())
    if total is None or len(weights) > 1 or not all(map(statement.free, variables)):
        return False
    if total.least > total.cells or total.most < 0:
        return True
    signs = {literal > 0 for literal in constraint.terms}
    if len(signs) > 1:
        return False
    size, outside = len(variables), total.cells - len(variables)
    true = total.least - outside if True in signs else size - total.most
    return max(0, true) * max(weights, default=1) >= constraint.degree


class _CuttingLog:
    """The steps so far."""

    def __init__(self, formula: Sequence[Constraint]) -> None:
        self.formula = formula
        self.steps: list[Constraint] = []

    def run(self, text: str) -> int:
        """The number of steps up to the contradiction. Raises `Rejected`."""
        lines = text.splitlines()
        if not lines or lines[0] != HEADER:
            raise Rejected(f"{PROOF} does not begin with {HEADER!r}")
        for number, line in enumerate(lines[1:], 2):
            rule, _, rest = line.strip().partition(" ")
            where = f"{PROOF}, line {number}"
            if rule == "c":
                last = self._step(rest, where)
                if last.largest >= last.degree:
                    raise Rejected(f"{where}: step {rest} can be satisfied")
                return len(self.steps)
            self.steps.append(self._next(rule, rest, where))
        raise Rejected(f"{PROOF} has no contradiction")

    def _next(self, rule: str, rest: str, where: str) -> Constraint:
        if rule == "l":
            number = int(rest) if NUMBER.fullmatch(rest) else 0
            if not 1 <= number <= len(self.formula):
                raise Rejected(f"{where}: constraint {rest[:20]!r} of {len(self.formula)}")
            return self.formula[number - 1]
        if rule == "rup":
            claimed = parse_constraint(rest, where)
            if not contradictory([*self.steps, claimed.opposite()]):
                raise Rejected(f"{where}: propagation does not show the constraint")
            return claimed
        if rule == "pol":
            return self._polish(rest.split(), where)
        raise Rejected(f"{where}: the rule {rule[:20]!r} is none of l, rup, pol, c")

    def _step(self, word: str, where: str) -> Constraint:
        number = int(word) if NUMBER.fullmatch(word) else 0
        if not 1 <= number <= len(self.steps):
            raise Rejected(f"{where}: step {word[:20]!r} of {len(self.steps)}")
        return self.steps[number - 1]

    def _polish(self, words: list[str], where: str) -> Constraint:
        stack: list[Constraint] = []
        place = 0
        try:
            while place < len(words):
                word, following = words[place], words[place + 1 : place + 2]
                if word == "+":
                    stack[-2:] = [stack[-2] + stack[-1]]
                elif word == "s":
                    stack[-1] = stack[-1].saturated()
                elif following in (["*"], ["d"]) and NUMBER.fullmatch(word) and int(word) > 0:
                    stack[-1] = (stack[-1].times if following == ["*"] else stack[-1].divided)(int(word))
                    place += 1
                elif LITERAL.fullmatch(word):
                    variable = int(word.lstrip("~x"))
                    stack.append(Constraint({-variable if word[0] == "~" else variable: 1}, 0))
                else:
                    stack.append(self._step(word, where))
                place += 1
            (result,) = stack
        except (IndexError, ValueError):
            raise Rejected(f"{where}: {' '.join(words)[:40]!r} is no reverse Polish sum") from None
        return result


def contradictory(constraints: Sequence[Constraint]) -> bool:
    """Does propagation, of each constraint by its slack, end in a contradiction?"""
    falsified: set[int] = set()
    having: dict[int, list[int]] = defaultdict(list)
    slack = [each.largest - each.degree for each in constraints]
    for number, each in enumerate(constraints):
        for literal in each.terms:
            having[literal].append(number)
    waiting = list(range(len(constraints)))
    while waiting:
        number = waiting.pop()
        if slack[number] < 0:
            return True
        for literal, weight in constraints[number].terms.items():
            if weight > slack[number] and literal not in falsified and -literal not in falsified:
                falsified.add(-literal)
                for other in having[-literal]:
                    slack[other] -= constraints[other].terms[-literal]
                    waiting.append(other)
    return False
