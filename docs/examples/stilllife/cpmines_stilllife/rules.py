"""What a still life has to satisfy, for proofs and those who check them.

The statement's board has a ring of dead cells around the problem's own: they have rules, and are not free.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.demands.claims import Claim, Extreme, NotStated
from cpmines.demands.rules import Rules
from cpmines.demands.statement import Allowed, Rule, Statement, block
from cpmines.question import Asked
from cpmines_stilllife.problem import PROBLEM, Size, StillLife

__all__ = ["RULES", "statement"]

STABLE: Allowed = frozenset({(True, 2), (True, 3)} | {(False, count) for count in range(9) if count != 3})
"""A live cell has two or three live neighbours, a dead one has not three."""


def statement(instance: Size) -> Statement:
    rows, cols = instance.rows + 2, instance.cols + 2

    def free(cell: int) -> bool:
        row, col = divmod(cell - 1, cols)
        return 0 < row < rows - 1 and 0 < col < cols - 1

    def rule(centre: int) -> Rule:
        others = tuple(cell for cell in block(centre, rows, cols) if cell != centre and free(cell))
        return Rule(centre if free(centre) else 0, others, STABLE)

    return Statement(rows, cols, free, rule)


def most(instance: Size, asked: Asked, value: StillLife) -> Claim:
    return NotStated("the answer shows no board") if value.board is None else Extreme(value.live)


def faults(instance: Size, board: NDArray[np.bool_]) -> list[str]:
    """What the judge finds wrong with a board of the statement."""
    return PROBLEM.judge(instance, PROBLEM.ask(), StillLife.of(board[1:-1, 1:-1]))


RULES = Rules[Size]({"most": most}, statement, faults, placed="live cells")
