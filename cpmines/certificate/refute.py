"""Refutations of a statement: which clauses of which rules, and the proof."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from cpmines.answer import Limits
from cpmines.certificate.encode import Sums, clauses_of, dimacs
from cpmines.certificate.proof import proof_of
from cpmines.check.formula import Clause
from cpmines.check.recount import along, joined
from cpmines.check.refutation import FORMULA, MAP, PROOF
from cpmines.check.rules import Statement
from cpmines.oracle.session import SatSession

__all__ = ["StatedRefutation", "Uncertified", "refute", "total_clauses"]

MOST_PAIRS = 1_000_000
"""Numbers of mines of two parts that a sum of all free cells may have, all levels together."""


class Uncertified(Exception):  # noqa: N818
    """No certificate can be written; the message says why, with numbers."""


@dataclass(frozen=True)
class StatedRefutation:
    """A formula, what its variables mean, and the clauses that are derived from it up to the empty one."""

    clauses: Sequence[Clause]
    steps: Sequence[Clause]
    sums: Sums

    def files(self) -> dict[str, bytes]:
        """Names and contents of its files."""
        proof = "".join(" ".join(map(str, (*step, 0))) + "\n" for step in self.steps)
        texts = {
            FORMULA: dimacs(self.clauses, self.sums.top),
            MAP: json.dumps(self.sums.meanings.to_json(), indent=1) + "\n",
            PROOF: proof,
        }
        return {name: text.encode() for name, text in texts.items()}


def refute(statement: Statement, limits: Limits, claim: Clause = ()) -> StatedRefutation | None:
    """Refute the statement together with the clause `claim`; None if a placement satisfies both.

    The rules alone are tried first; if they don't suffice, the total as well.

    Raises
    ------
    LimitError
    Uncertified
        The formula would be too large.
    """
    cells = statement.rows * statement.cols
    sums = Sums(cells)
    total = statement.total
    if total is not None and (total.least > total.cells or total.most < 0):
        return StatedRefutation([()], [()], sums)
    groups = [list(clauses_of(rule)) for _, rule in statement.rules()]
    hard = [claim] if claim else []
    found = _by_core(groups, hard, sums, limits)
    if found is not None or total is None:
        return found
    return _by_core(groups, [*hard, *total_clauses(statement, sums)], sums, limits)


def total_clauses(statement: Statement, sums: Sums) -> list[Clause]:
    """The sum of all free cells, component by component, and that it is the total; none if no total is given.

    Raises
    ------
    Uncertified
        There are too many.
    """
    total = statement.total
    if total is None or total.cells == 0:
        return []
    inside = min(total.most + 1, total.cells) - max(total.least, 1) + 1
    widest = min(total.most + 1, total.cells - total.least + 1, total.cells)
    if (pairs := total.cells * min(max(widest, inside), total.cells)) > MOST_PAIRS:
        raise Uncertified(
            f"the sum of {total.cells} cells has about {pairs} pairs, at most {MOST_PAIRS} are written"
        )
    groups = ((*rule.others, rule.middle) if rule.middle else rule.others for _, rule in statement.rules())
    cells = [cell for part in joined(along(statement), groups) for cell in part]
    root = sums.tree(cells, total.least, total.most)
    clauses = list(sums.clauses)
    if total.least >= 1:
        clauses.append((sums.reaches(root, total.least),))
    if total.most < total.cells:
        clauses.append((-sums.reaches(root, total.most + 1),))
    return clauses


def _by_core(
    groups: list[list[Clause]], hard: list[Clause], sums: Sums, limits: Limits
) -> StatedRefutation | None:
    """A refutation of the clauses `hard` and of few of the groups; None if all together have a model."""
    selectors = range(sums.top + 1, sums.top + 1 + len(groups))
    selected = (
        (*clause, -chosen) for chosen, group in zip(selectors, groups, strict=True) for clause in group
    )
    with SatSession.of([*hard, *selected], limits) as oracle:
        if oracle.satisfiable(selectors):
            return None
        core = sorted(oracle.small_core())
    clauses = [clause for chosen in core for clause in groups[chosen - selectors.start]] + hard
    if () in clauses:
        clauses = [()]
    steps = proof_of(clauses, limits)
    assert steps is not None, "a core has no model"
    return StatedRefutation(clauses, steps, sums)
