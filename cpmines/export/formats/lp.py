"""LP of CPLEX, readable by people and by most solvers of mixed integer programs. Minimises."""

from __future__ import annotations

from typing import BinaryIO

from cpmines.answer import Limits
from cpmines.export.formats._lines import comment_block
from cpmines.export.formats._program import program
from cpmines.export.statement import StatedModel

__all__ = ["write"]


def write(statement: StatedModel, encoding: str, limits: Limits, out: BinaryIO) -> int:
    """Write the file; returns the number of its variables."""
    text = program(statement, limits).export_to_lp_string()
    if statement.model.objective is None and statement.model.variable_count:
        # GLPK does not take an empty sum.
        text = text.replace(" Obj: \n", f" Obj: 0 {statement.names()[0]}\n", 1)
    out.write(comment_block(statement, "\\"))
    if statement.model.objective is not None:
        out.write(b"\\ what is maximised is the negative of this objective\n")
    out.write(text.encode())
    return statement.model.variable_count
