"""DIMACS CNF: the constraints as clauses. An objective is left out; see ``at_least``."""

from __future__ import annotations

from typing import BinaryIO

from cpmines.answer import Limits
from cpmines.export.formats._lines import comment_block, lines_of
from cpmines.export.statement import StatedModel
from cpmines.translate import encode

__all__ = ["write"]


def write(statement: StatedModel, encoding: str, limits: Limits, out: BinaryIO) -> int:
    """Write the file; returns the number of its variables."""
    cnf = encode(statement.model, encoding, limits)
    out.write(comment_block(statement, "c"))
    if statement.model.objective is not None:
        out.write(b"c the objective is left out\n")
    out.write(f"p cnf {cnf.variables} {len(cnf)}\n".encode())
    for block in cnf.blocks:
        for lines in lines_of(block):
            limits.check()
            out.write(lines)
    return cnf.variables
