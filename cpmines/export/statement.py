"""An instance stated as a Model, with the meaning of its variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines import registry
from cpmines.answer import Limits
from cpmines.errors import UsageError
from cpmines.model import Model
from cpmines.modelled import BYTES_PER_LITERAL
from cpmines.problem import Modelling
from cpmines.question import Asked

__all__ = ["StatedModel", "state", "statement_asked"]


@dataclass(frozen=True)
class StatedModel:
    """One formulation of one instance, for one question.

    Attributes
    ----------
    cells
        int32 of shape (rows, cols): the variable that is true if there is a mine, 0 where there is none.
    """

    problem: str
    instance: Any
    formulation: str
    model: Model
    cells: NDArray[np.int32]
    asked: Asked

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
        yield f"cpmines: {self.problem}, question {self.asked}, formulation {self.formulation}"
        for row, col, variable in self.cell_variables():
            yield f"cell {row} {col} = {variable}"


def statement_asked(problem: str, name: str | None = None, **options: Any) -> Asked:
    """The question that is named or that options belong to, else the first one that a Model states.

    Raises
    ------
    UsageError
        There is none.
    """
    question, there = registry.problem(problem), _modelling(problem).readings
    if name is None and not any(value not in (None, False) for value in options.values()):
        name = next((one.name for one in question.questions if one.name in there), None)
    return question.ask(name, **options)


def _modelling(problem: str) -> Modelling[Any, Any]:
    registry.problem(problem)
    found = registry.modelling(problem)
    if found is None:
        raise UsageError(f"{problem} is not stated as a Model")
    return found


def state(
    problem: str,
    instance: Any,
    formulation: str | None = None,
    *,
    asked: Asked | None = None,
    at_least: int | None = None,
    limits: Limits | None = None,
) -> StatedModel:
    """State an instance as a Model.

    Parameters
    ----------
    formulation
        One that states the question, None for the first.
    asked
        The question; None for the first one that a Model states.
    at_least
        Turn the objective into a constraint: it must reach this value.

    Raises
    ------
    UsageError
        No such problem or formulation; the question is none for a Model or can't be asked of the instance; or
        `at_least` where nothing is maximised.
    LimitError
        The Model needs more memory than the limit.
    """
    modelling, asked = _modelling(problem), asked or statement_asked(problem)
    if asked.name not in modelling.readings:
        named = ", ".join(modelling.readings) or "none"
        raise UsageError(f"{asked.name} is no question for a Model of {problem}; these are: {named}")
    if why := registry.problem(problem).refusal(instance, asked):
        raise UsageError(why)
    there = modelling.formulations_of(asked.name)
    chosen = formulation or next(iter(there))
    if chosen not in there:
        raise UsageError(f"no formulation {chosen!r} of {problem}; there are: {', '.join(there)}")
    literals = modelling.literals_of(asked.name, instance)
    (limits or Limits()).require(literals * BYTES_PER_LITERAL, "the model")
    model = modelling.state(asked.name, instance, chosen)
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
