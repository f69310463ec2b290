"""WCNF as the MaxSAT evaluations read it since 2022: ``h`` before hard clauses, a weight before soft ones.

The soft clauses are the literals of the objective: the weight of those that are broken is to be small.
"""

from __future__ import annotations

from typing import BinaryIO

from cpmines.answer import Limits
from cpmines.export.formats._lines import comment_block, lines_of
from cpmines.export.statement import StatedModel
from cpmines.translate import encode, net_terms

__all__ = ["write"]


def write(statement: StatedModel, encoding: str, limits: Limits, out: BinaryIO) -> int:
    """Write the file; returns the number of its variables."""
    cnf = encode(statement.model, encoding, limits)
    out.write(comment_block(statement, "c"))
    terms = net_terms(statement.model)
    if terms is not None:
        best = terms.constant + int(terms.weights.sum())
        out.write(f"c objective = {best} - weight of the broken soft clauses\n".encode())
    for block in cnf.blocks:
        for lines in lines_of(block, b"h "):
            limits.check()
            out.write(lines)
    if terms is not None:
        for weight, literal in zip(terms.weights.tolist(), terms.literals.tolist(), strict=True):
            out.write(f"{weight} {literal} 0\n".encode())
    return cnf.variables
