"""The definition: all placements, counted."""

from __future__ import annotations

from fractions import Fraction

from cpmines.answer import Answer, Limits
from cpmines.board import Position
from cpmines.positions.exhaustive import laid_out, placements
from cpmines.problem import Function
from cpmines.problems.counting.placements import chances, numbers
from cpmines.problems.counting.values import Counts

__all__ = ["BACKEND", "count", "solve"]


def solve(
    position: Position, limits: Limits, density: Fraction | None = None, fractions: bool | None = None
) -> Answer[Counts]:
    found = [laid_out(position, mines) for mines in placements(position, limits)]
    return Answer.solved(chances(position, found, density, fractions)) if found else Answer.infeasible()


def count(position: Position, limits: Limits) -> Answer[Counts]:
    found = numbers(len(mines) for mines in placements(position, limits))
    return Answer.solved(found) if found.count else Answer.infeasible()


def layouts(position: Position, limits: Limits, layouts: int) -> Answer[Counts]:
    found = list(placements(position, limits))
    listed = tuple(laid_out(position, mines) for mines in found[:layouts])
    return Answer.solved(Counts(len(found), layouts=listed)) if found else Answer.infeasible()


BACKEND: Function[Counts] = Function(
    {"chances": solve, "count": count, "layouts": layouts},
    "every way to place mines, one after the other",
    packages=("numpy",),
)
