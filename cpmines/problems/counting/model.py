"""The position as a Model; all assignments are asked for, up to a limit."""

from __future__ import annotations

from collections.abc import Sequence

from cpmines.answer import Stop
from cpmines.board import Position
from cpmines.engine import Assignment, Tally
from cpmines.errors import LimitError
from cpmines.model import Model
from cpmines.positions.statement import cells, literals, placement, plain
from cpmines.problem import Modelling
from cpmines.problems.counting.placements import counted, from_tally
from cpmines.problems.counting.problem import Counts, Query

__all__ = ["MODELLING", "SOLUTIONS"]

SOLUTIONS = 600
"""Placements are enumerated up to this number; a larger count is not claimed."""


def state(position: Position) -> Model:
    if Query.of(position).sample:
        raise LimitError(Stop.DECLINED, "samples are drawn by direct only")
    return plain(position)


def decode(position: Position, assignments: Sequence[Assignment], complete: bool) -> Counts:
    if not complete:
        raise LimitError(Stop.DECLINED, f"{SOLUTIONS} placements or more, this backend counts fewer")
    found = [placement(position, assignment) for assignment in assignments]
    return counted(Query.of(position), found)


def tallied(position: Position, tally: Tally) -> Counts:
    query = Query.of(position)
    if query.density is not None or query.layouts:
        raise LimitError(Stop.DECLINED, "a counter weighs and lists no placements")
    return from_tally(query, tally)


MODELLING = Modelling({"plain": state}, decode, literals, SOLUTIONS, cells=cells, tallied=tallied)
