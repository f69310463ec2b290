"""A Model as a linear program with 0/1 variables, in the builder of OR-Tools, which writes the formats."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from cpmines.answer import Limits
from cpmines.export.statement import StatedModel
from cpmines.model import Model
from cpmines.translate import Row, linear_rows, net_terms

__all__ = ["program"]


def program(statement: StatedModel, limits: Limits) -> Any:
    """An `ortools` `ModelBuilderHelper` that minimises; its variable v - 1 is variable v of the Model."""
    from ortools.linear_solver.python.model_builder_helper import ModelBuilderHelper

    built = ModelBuilderHelper()
    built.set_name(f"cpmines_{statement.problem}_{statement.formulation}")
    for name in statement.names():
        variable = built.add_var()
        built.set_var_name(variable, name)
        built.set_var_lower_bound(variable, 0.0)
        built.set_var_upper_bound(variable, 1.0)
        built.set_var_integrality(variable, True)
    for row in _rows(statement.model, limits):
        constraint = built.add_linear_constraint()
        built.set_constraint_lower_bound(constraint, -math.inf if row.lo is None else row.lo)
        built.set_constraint_upper_bound(constraint, math.inf if row.hi is None else row.hi)
        for variable, coefficient in zip(row.variables, row.coefficients, strict=True):
            built.add_term_to_constraint(constraint, variable - 1, coefficient)
    if (terms := net_terms(statement.model)) is not None:
        variables, coefficients, constant = terms.over_variables()
        for variable, coefficient in zip(variables, coefficients, strict=True):
            built.set_var_objective_coefficient(variable - 1, -coefficient)
        built.set_objective_offset(-constant)
    return built


def _rows(model: Model, limits: Limits) -> Iterator[Row]:
    """The rows, and one that says nothing of the variables that stand in no other.

    MPS has no other place for them; and CBC and GLPK read no program without a constraint.
    """
    unused = np.ones(model.variable_count, np.bool_)
    for row in linear_rows(model, limits):
        unused[np.array(row.variables, np.int64) - 1] = False
        yield row
    free = (np.flatnonzero(unused) + 1).tolist()
    if free:
        yield Row(free, [1] * len(free), None, len(free))
