"""OPB of the pseudo-Boolean competitions: linear constraints over 0/1 variables x1, x2, ..."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from cpmines.answer import Limits
from cpmines.export.formats._lines import comment_block
from cpmines.export.statement import StatedModel
from cpmines.translate import Row, linear_rows, net_terms

__all__ = ["write"]


def write(statement: StatedModel, encoding: str, limits: Limits, out: BinaryIO) -> int:
    """Write the file; returns the number of its variables."""
    model = statement.model
    count = sum(len(_sides(row)) for row in linear_rows(model, limits))
    out.write(f"* #variable= {model.variable_count} #constraint= {count}\n".encode())
    out.write(comment_block(statement, "*"))
    if (terms := net_terms(model)) is not None:
        variables, coefficients, constant = terms.over_variables()
        costs = [(variable, -weight) for variable, weight in zip(variables, coefficients, strict=True)]
        out.write(f"* objective = {constant} - the minimum\n".encode())
        out.write(f"min: {_sum(costs)};\n".encode())
    for row in linear_rows(model, limits):
        for side, relation, bound in _sides(row):
            out.write(f"{_sum(side)}{relation} {bound} ;\n".encode())
    return model.variable_count


def _sides(row: Row) -> list[tuple[list[tuple[int, int]], str, int]]:
    """The constraints that say a row, each with ``=`` or ``>=``, as the format has no others."""
    terms = list(zip(row.variables, row.coefficients, strict=True))
    if row.lo is not None and row.lo == row.hi:
        return [(terms, "=", row.lo)]
    sides = []
    if row.lo is not None:
        sides.append((terms, ">=", row.lo))
    if row.hi is not None:
        sides.append(([(variable, -coefficient) for variable, coefficient in terms], ">=", -row.hi))
    return sides


def _sum(terms: Iterable[tuple[int, int]]) -> str:
    return "".join(f"{coefficient:+d} x{variable} " for variable, coefficient in terms)
