"""An instance stated as a Model, with the meaning of its variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines import registry
from cpmines.answer import Limits
from cpmines.errors import UsageError
from cpmines.model import Model
from cpmines.modelled import BYTES_PER_LITERAL

__all__ = ["StatedModel", "state"]


@dataclass(frozen=True)
class StatedModel:
    """One formulation of one instance.

    Attributes
    ----------
    asked
        What was asked beyond the plain question, as for `cpmines.solve`.
    cells
        int32 of shape (rows, cols): the variable that is true if there is a mine, 0 where there is none.
    """

    problem: str
    instance: Any
    formulation: str
    model: Model
    cells: NDArray[np.int32]
    asked: Mapping[str, Any] = field(default_factory=dict)

    def cell_variables(self) -> Iterator[tuple[int, int, int]]:
        """Row and column, from 1, and variable of every cell that has one, in reading order."""
        rows, cols = np.nonzero(self.cells)
        yield from zip((rows + 1).tolist(), (cols + 1).tolist(), self.cells[rows, cols].tolist(), strict=True)

    def names(self) -> list[str]:
        """A name for each variable: ``mine_ROW_COLUMN``, or ``x_NUMBER`` for those that are no cell."""
        names = [f"x_{variable}" for variable in range(1, self.model.variable_count + 1)]
        for row, col, variable in self.cell_variables():
            names[variable - 1] = f"mine_{row}_{col}"
        return names

    def comments(self) -> Iterator[str]:
        """What a reader of the file should know, a line each."""
        yield f"cpmines: {self.problem}, formulation {self.formulation}"
        for row, col, variable in self.cell_variables():
            yield f"cell {row} {col} = {variable}"


def state(
    problem: str,
    instance: Any,
    formulation: str | None = None,
    *,
    at_least: int | None = None,
    limits: Limits | None = None,
    **asked: Any,
) -> StatedModel:
    """State an instance as a Model.

    Parameters
    ----------
    formulation
        A name from the problem's `Modelling.formulations`, None for the first.
    at_least
        Turn the objective into a constraint: it must reach this value.
    asked
        Options of the problem, see `Problem.options`.

    Raises
    ------
    UsageError
        No such problem, formulation or option; or `at_least` where nothing is maximised.
    LimitError
        The Model needs more memory than the limit, or what is asked is no question for a Model.
    """
    instance = registry.problem(problem).ask(instance, **asked)
    modelling = registry.modelling(problem)
    if modelling is None:
        raise UsageError(f"{problem} is not stated as a Model")
    chosen = formulation or next(iter(modelling.formulations))
    if chosen not in modelling.formulations:
        there = ", ".join(modelling.formulations)
        raise UsageError(f"no formulation {chosen!r} of {problem}; there are: {there}")
    (limits or Limits()).require(modelling.literals(instance) * BYTES_PER_LITERAL, "the model")
    model = modelling.formulations[chosen](instance)
    if at_least is not None:
        _demand(model, at_least)
    cells = np.zeros((0, 0), np.int32) if modelling.cells is None else modelling.cells(instance)
    return StatedModel(problem, instance, chosen, model, cells, asked)


def _demand(model: Model, at_least: int) -> None:
    if model.objective is None:
        raise UsageError("at least how many is a question only where something is maximised")
    terms, weights = model.objective
    if (weights != 1).any():
        raise UsageError("at least how many is a question only where all weights are 1")
    # Beyond the sums that there are, how far does not matter, and the Model holds 64 bits.
    model.between(terms, min(max(at_least, 0), len(terms) + 1), len(terms))
    model.objective = None
