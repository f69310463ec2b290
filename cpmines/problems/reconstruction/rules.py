"""What a certificate of a reconstruction shows: boards and what they share, or why there is none."""

from __future__ import annotations

from cpmines.demands.claims import Claim
from cpmines.demands.rules import Rules
from cpmines.problems.reconstruction.reason import Reason
from cpmines.question import Asked
from cpmines.sums import rules
from cpmines.sums.boards import Boards
from cpmines.sums.table import Table

__all__ = ["RULES", "is_unique"]


def is_unique(rows: int, cols: int) -> bool:
    """Does a full table of 3x3 sums belong to at most one board, whatever its entries are?

    The table is T X T' with T the matrix of ones on three diagonals. If T y = 0, then y[k-1] + y[k] + y[k+1]
    = 0 for all k, with 0 beyond both ends: y = (a, -a, 0, a, -a, 0, ...), and the last sum is 0 only if a =
    0, or if the length is 2 (mod 3). So for other lengths on both sides X is determined.
    """
    return rows % 3 != 2 and cols % 3 != 2


def said(instance: Table, asked: Asked, value: Boards) -> Claim:
    alone = "neither side is 2 (mod 3)" if is_unique(*instance.shape) else ""
    return rules.claim(value, unique=alone, searched=False)


CERTIFIED = ("facts", "board", "unique", "count", "forced")
RULES = Rules[Table](
    dict.fromkeys(CERTIFIED, said),
    rules.statement,
    rules.faults,
    rules.UNSTATED,
    lambda value: isinstance(value, Reason),
)
