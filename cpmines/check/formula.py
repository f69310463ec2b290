"""A written formula: its text, the meaning of its variables, and whether the board implies each clause.

Besides the variables of the cells a formula may count: a *sum* is the number of mines of its two parts, which
are cells (``c5`` is the fifth in reading order) or other sums, and a further variable says "this sum is at
least k". Each clause has to follow from one rule of the board, from the definition of one sum, or from the
total. A formula that passes says no more than the board does, so what it refutes, the board refutes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from cpmines.check.verdict import Rejected
from cpmines.demands.statement import Statement
from cpmines.numerals import plural

__all__ = ["Clause", "Meanings", "check_clauses", "parse_formula"]

Clause = tuple[int, ...]
Interval = tuple[int, int]

HEADER = re.compile(r"p cnf (\d{1,9}) (\d{1,9})")
CLAUSE = re.compile(r"(?:-?[1-9]\d{0,8} )*0")
PART = re.compile(r"[cs][1-9]\d{0,8}")


def parse_formula(text: str) -> list[Clause]:
    """The clauses of DIMACS text: comment lines, a header, one clause a line. Raises `Rejected`."""
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    header = HEADER.fullmatch(lines[0]) if lines else None
    if header is None:
        raise Rejected("formula.cnf does not begin with 'p cnf VARIABLES CLAUSES'")
    variables, count = map(int, header.groups())
    clauses = []
    for line in lines[1:]:
        if CLAUSE.fullmatch(line) is None:
            raise Rejected(f"formula.cnf: {line[:40]!r} is no clause, expected literals and a 0")
        clause = tuple(map(int, line.split()[:-1]))
        if len({abs(literal) for literal in clause}) < len(clause):
            raise Rejected(f"formula.cnf: the clause {line} has a variable twice")
        if any(abs(literal) > variables for literal in clause):
            raise Rejected(f"formula.cnf: the clause {line} has a variable above {variables}")
        clauses.append(clause)
    if len(clauses) != count:
        raise Rejected(f"formula.cnf announces {plural(count, 'clause')} and has {len(clauses)}")
    return clauses


@dataclass
class Meanings:
    """What the variables mean.

    Attributes
    ----------
    cells
        Variables up to this number are cells.
    sums
        Name -> its two parts; parts come before the sums that they are in.
    counts
        Variable -> name of a sum or cell, and the number that it reaches.
    sizes
        Name of a sum -> number of its cells.
    """

    cells: int
    sums: dict[str, tuple[str, str]] = field(default_factory=dict)
    counts: dict[int, tuple[str, int]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)

    @classmethod
    def from_json(cls, cells: int, fields: Any) -> Meanings:
        """Inverse of `to_json`. Raises `Rejected`."""
        found = cls(cells)
        try:
            if fields["cells"] != found.to_json()["cells"]:
                raise Rejected(f"map.json says {fields['cells']!r} of the cells")
            for name, (left, right) in fields["sums"].items():
                found.add_sum(name, left, right)
            for variable, (name, number) in fields["counts"].items():
                found.add_count(int(variable), name, number)
        except (TypeError, KeyError, ValueError, AttributeError, RecursionError):
            raise Rejected("map.json: expected sums with two parts each, and counts of them") from None
        return found

    def to_json(self) -> dict[str, Any]:
        return {
            "cells": f"variables 1 to {self.cells} are the cells in reading order, c1 first; true is a mine",
            "sums": {name: list(parts) for name, parts in self.sums.items()},
            "counts": {str(variable): list(count) for variable, count in self.counts.items()},
        }

    def add_sum(self, name: str, left: str, right: str) -> None:
        """Define a sum of two parts that are known by now. Raises `Rejected`."""
        known = name in self.sums or not name.startswith("s") or left == right
        if known or not all(PART.fullmatch(part) for part in (name, left, right)):
            raise Rejected(f"map.json: the sum {name!r} of {left!r} and {right!r}")
        self.sizes[name] = self.size(left) + self.size(right)
        self.sums[name] = (left, right)

    def add_count(self, variable: int, name: str, number: int) -> None:
        """Let a new variable say that a sum is at least `number`. Raises `Rejected`."""
        taken = variable <= self.cells or variable in self.counts
        if taken or type(number) is not int or name not in self.sums:
            raise Rejected(f"map.json: variable {variable} as {name!r} with {number!r}")
        self.counts[variable] = (name, number)

    def size(self, part: str) -> int:
        """Number of cells of a part. Raises `Rejected` if it is not there."""
        if part.startswith("c") and int(part[1:]) <= self.cells:
            return 1
        if part not in self.sizes:
            raise Rejected(f"map.json: {part!r} is named before it is defined")
        return self.sizes[part]

    def leaves(self, part: str) -> list[int]:
        """The cells of a part, one that is in it twice also here."""
        found, open_parts = [], [part]
        while open_parts:
            name = open_parts.pop()
            if name in self.sums:
                open_parts += self.sums[name]
            else:
                found.append(int(name[1:]))
        return found

    def refuted(self, clause: Clause) -> dict[str, Interval]:
        """The parts in a clause, with the numbers of mines for which all its literals are false.

        Raises `Rejected` for a variable that means nothing.
        """
        found: dict[str, Interval] = {}
        for literal in clause:
            variable = abs(literal)
            if variable > self.cells and variable not in self.counts:
                raise Rejected(f"map.json says nothing of variable {variable}")
            part, number = self.counts.get(variable, (f"c{variable}", 1))
            low, high = found.get(part, (0, self.size(part)))
            found[part] = (low, min(high, number - 1)) if literal > 0 else (max(low, number), high)
        return found

    def defines(self, refuted: dict[str, Interval]) -> bool:
        """Can the numbers of `refuted` not stand together, because one part is the sum of the others?"""
        if any(low > high for low, high in refuted.values()):
            return True
        for whole, (low, high) in refuted.items():
            parts = self.sums.get(whole, ())
            if parts and refuted.keys() <= {whole, *parts}:
                bounds = [refuted.get(part, (0, self.size(part))) for part in parts]
                if sum(bound[1] for bound in bounds) < low or sum(bound[0] for bound in bounds) > high:
                    return True
        return False


def check_clauses(clauses: Iterable[Clause], statement: Statement, meanings: Meanings, claim: Clause) -> None:
    """Check that each clause is implied by the statement, or is `claim`. Raises `Rejected`."""
    distinct: dict[str, bool] = {}
    for clause in clauses:
        if claim and set(clause) == set(claim):
            continue
        if not _implied(clause, statement, meanings, distinct):
            words = " ".join(map(str, (*clause, 0)))
            raise Rejected(f"formula.cnf: the board does not say the clause {words[:60]}")


def _implied(clause: Clause, statement: Statement, meanings: Meanings, distinct: dict[str, bool]) -> bool:
    if not clause:
        return _of_total("", (0, 0), statement, meanings, distinct) or any(
            rule.implies(()) for _, rule in statement.rules()
        )
    if all(abs(literal) <= meanings.cells for literal in clause):
        if any(rule.implies(clause) for rule in statement.rules_at(abs(clause[0]))):
            return True
        if len(clause) > 1:
            return False
    refuted = meanings.refuted(clause)
    if meanings.defines(refuted):
        return True
    if len(refuted) > 1:
        return False
    part, bounds = next(iter(refuted.items()))
    return _of_total(part, bounds, statement, meanings, distinct)


def _of_total(
    part: str, refuted: Interval, statement: Statement, meanings: Meanings, distinct: dict[str, bool]
) -> bool:
    """Can a part (no cells if it is empty) not have so many mines, because of the total?

    A part of n distinct ones of the u free cells has at most the total, and at least the total less u - n.
    """
    total = statement.total
    if total is None:
        return False
    size = meanings.size(part) if part else 0
    if part and part not in distinct:
        leaves = meanings.leaves(part) if size <= meanings.cells else []
        distinct[part] = len(set(leaves)) == size and all(map(statement.free, leaves))
    if part and not distinct[part]:
        return False
    low, high = max(0, total.least - (total.cells - size)), min(size, total.most)
    return refuted[1] < low or refuted[0] > high
