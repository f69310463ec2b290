"""MPS, free form, as every solver of mixed integer programs reads it. Minimises."""

from __future__ import annotations

from typing import BinaryIO

from cpmines.answer import Limits
from cpmines.export.formats._lines import comment_block
from cpmines.export.formats._program import program
from cpmines.export.statement import StatedModel

__all__ = ["write"]


def write(statement: StatedModel, encoding: str, limits: Limits, out: BinaryIO) -> int:
    """Write the file; returns the number of its variables."""
    text = program(statement, limits).export_to_mps_string()
    out.write(comment_block(statement, "*"))
    if statement.model.objective is not None:
        out.write(b"* what is maximised is the negative of this objective\n")
    out.write(text.encode())
    return statement.model.variable_count
