"""The model of CP-SAT as text of its protocol buffer (``CpModelProto``)."""

from __future__ import annotations

from typing import BinaryIO

from cpmines.answer import Limits
from cpmines.engines.cpsat import ENGINE
from cpmines.export.formats._lines import comment_block
from cpmines.export.statement import StatedModel

__all__ = ["write"]


def write(statement: StatedModel, encoding: str, limits: Limits, out: BinaryIO) -> int:
    """Write the file; returns the number of its variables."""
    native = ENGINE.translate(statement.model, limits)
    for variable, name in zip(native.proto.variables, statement.names(), strict=True):
        variable.name = name
    out.write(comment_block(statement, "#"))
    out.write(str(native.proto).encode())
    return statement.model.variable_count
