"""Refutations by a SAT solver, clause by clause."""

from __future__ import annotations

from collections.abc import Iterable

from cpmines.answer import Limits
from cpmines.check.formula import Clause
from cpmines.oracle.session import blocks_of, refutation

__all__ = ["proof_of"]


def proof_of(clauses: Iterable[Clause], limits: Limits) -> list[Clause] | None:
    """The clauses that a refutation derives one by one, the last one empty; None if there is a model.

    Deletions are left out: without them every step remains derivable by unit propagation.
    """
    listed = list(clauses)
    if () in listed:
        return [()]
    lines = refutation(blocks_of(listed), limits)
    if lines is None:
        return None
    steps = [
        tuple(map(int, line.split()[:-1])) for line in lines if line.strip() and not line.startswith("d")
    ]
    return [step for step in steps if step] + [()]
