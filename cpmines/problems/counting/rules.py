"""What a certificate of counts shows: how many placements there are, and where they have mines."""

from __future__ import annotations

import numpy as np

from cpmines.board import UNKNOWN, Position
from cpmines.demands.claims import Claim, Facts, NotStated
from cpmines.demands.rules import Rules
from cpmines.positions.problem import placement_faults
from cpmines.positions.rules import statement
from cpmines.problems.counting.values import Counts
from cpmines.question import Asked

__all__ = ["RULES"]


def counted(instance: Position, asked: Asked, value: Counts) -> Claim:
    if asked.options.get("density") is not None:
        return NotStated("with a density, placements weigh differently; they are counted, not weighed")
    settled = None
    if value.probability is not None:
        sure = np.where(value.probability == 1, 1, np.where(value.probability == 0, 0, -1))
        settled = np.where(instance.cells == UNKNOWN, sure, -2)
    ratios = None
    if value.fractions is not None:
        cells = [ratio for row in value.fractions for ratio in row]
        ratios = {cell: ratio for cell, ratio in enumerate(cells, 1) if ratio is not None}
    return Facts(settled, value.count, value.by_mines, value.probability, ratios)


LISTS = "placements that are listed or drawn are right by the judge; that they are all is not proved"
RULES = Rules[Position](
    {"chances": counted, "count": counted},
    statement,
    placement_faults,
    {"layouts": LISTS, "sample": LISTS},
)
