"""The position as a Model; all assignments are asked for, up to a limit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from cpmines.answer import Stop
from cpmines.board import Position
from cpmines.engine import Assignment, Tally
from cpmines.errors import LimitError
from cpmines.positions.statement import cells, literals, placement, plain
from cpmines.problem import Modelling, Reading
from cpmines.problems.counting.placements import chances, chances_of_tally, count_of_tally, numbers
from cpmines.problems.counting.values import Counts

__all__ = ["MODELLING", "SOLUTIONS"]

SOLUTIONS = 600
"""Placements are enumerated up to this number; a larger count is not claimed."""


def require_all(complete: bool) -> None:
    """Raises `LimitError` if there may be more placements than those that were found."""
    if not complete:
        raise LimitError(Stop.DECLINED, f"{SOLUTIONS} placements or more, this backend counts fewer")


def decode_chances(
    position: Position,
    assignments: Sequence[Assignment],
    complete: bool,
    density: Fraction | None,
    fractions: bool | None,
) -> Counts:
    require_all(complete)
    found = [placement(position, assignment) for assignment in assignments]
    return chances(position, found, density, fractions)


def tallied_chances(
    position: Position, tally: Tally, density: Fraction | None, fractions: bool | None
) -> Counts:
    if density is not None:
        raise LimitError(Stop.DECLINED, "a counter weighs no placements")
    return chances_of_tally(position, tally, fractions)


def decode_count(position: Position, assignments: Sequence[Assignment], complete: bool) -> Counts:
    require_all(complete)
    return numbers(int(placement(position, assignment).sum()) for assignment in assignments)


def decode_layouts(
    position: Position, assignments: Sequence[Assignment], complete: bool, layouts: int
) -> Counts:
    """Some placements are listed even if there are too many to be counted, which is a feasible answer."""
    listed = tuple(placement(position, assignment) for assignment in assignments[:layouts])
    return Counts(len(assignments) if complete else None, layouts=listed)


MODELLING: Modelling[Position, Counts] = Modelling(
    {"plain": plain},
    {
        "chances": Reading(decode_chances, SOLUTIONS, tallied=tallied_chances),
        "count": Reading(decode_count, SOLUTIONS, tallied=count_of_tally),
        "layouts": Reading(decode_layouts, SOLUTIONS),
    },
    literals,
    cells=cells,
)
