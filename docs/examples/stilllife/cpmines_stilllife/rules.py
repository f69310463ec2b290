"""What a still life has to satisfy, for certificates: the board with a ring of dead cells around it.

Variables are the cells of the board with the ring. Around a live cell two or three live, around a dead one,
in the ring too, any number but three.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.demands.claims import Claim, Extreme, NotStated
from cpmines.demands.rules import Rules
from cpmines.demands.statement import Rule, Statement, block
from cpmines_stilllife.problem import PROBLEM, Size, StillLife

__all__ = ["RULES"]

LIVE = {(True, 2), (True, 3)}
DEAD = {(False, number) for number in range(9) if number != 3}


def statement(size: Size) -> Statement:
    rows, cols = size.rows + 2, size.cols + 2

    def free(cell: int) -> bool:
        row, col = divmod(cell - 1, cols)
        return 0 < row < rows - 1 and 0 < col < cols - 1

    def rule(centre: int) -> Rule:
        others = tuple(cell for cell in block(centre, rows, cols) if cell != centre and free(cell))
        if free(centre):
            return Rule(centre, others, frozenset(LIVE | DEAD))
        return Rule(0, others, frozenset(DEAD))

    return Statement(rows, cols, free, rule)


def faults(size: Size, live: NDArray[np.bool_]) -> list[str]:
    return PROBLEM.judge(size, PROBLEM.ask(), StillLife.of(live[1:-1, 1:-1]))


def most(size: Size, asked: Any, value: StillLife) -> Claim:
    return NotStated("the answer shows no board") if value.board is None else Extreme(value.live)


RULES = Rules[Size]({"most": most}, statement, faults, placed="live cells")
