"""What a certificate of deductions shows: which cells are the same in all placements."""

from __future__ import annotations

import numpy as np

from cpmines.board import UNKNOWN, Position
from cpmines.demands.claims import Facts
from cpmines.demands.rules import Rules
from cpmines.positions.problem import placement_faults
from cpmines.positions.rules import statement
from cpmines.problems.deduction.problem import FORCED, Deductions
from cpmines.question import Asked

__all__ = ["RULES"]


def certain(instance: Position, asked: Asked, value: Deductions) -> Facts:
    settled = np.where(value.cells == UNKNOWN, -1, value.cells == FORCED)
    return Facts(np.where(instance.cells == UNKNOWN, settled, -2))


RULES = Rules[Position]({"certain": certain}, statement, placement_faults)
