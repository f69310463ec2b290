"""The position as a Model; one assignment is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from cpmines.board import Position
from cpmines.engine import Assignment
from cpmines.positions.statement import cells, literals, placement, plain
from cpmines.problem import Modelling, Reading
from cpmines.problems.consistency.problem import Placement

__all__ = ["MODELLING"]


def decode(position: Position, assignments: Sequence[Assignment], complete: bool) -> Placement:
    return Placement(placement(position, assignments[0]))


MODELLING: Modelling[Position, Placement] = Modelling(
    {"plain": plain}, {"placement": Reading(decode), "exists": Reading(decode)}, literals, cells=cells
)
