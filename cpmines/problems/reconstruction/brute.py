"""The definition: of all boards, those in which every block has as many mines as the table says."""

from __future__ import annotations

import numpy as np

from cpmines.answer import Answer, Limits
from cpmines.problem import Function
from cpmines.problems.reconstruction.problem import Boards, Table

__all__ = ["BACKEND", "solve"]

LARGEST = 20


def solve(table: Table, limits: Limits) -> Answer[Boards]:
    rows, cols = table.shape
    if table.sums.size > LARGEST:
        return Answer.declined(f"2^{table.sums.size} boards, at most 2^{LARGEST} are tried")
    limits.require(5 * table.sums.size << table.sums.size, "the list of all boards")
    bits = np.arange(1 << table.sums.size, dtype=np.int32)[:, None] >> np.arange(table.sums.size)
    boards = (bits & 1).astype(np.bool_).reshape(-1, rows, cols)
    for row in range(rows):
        for col in range(cols):
            limits.check()
            blocks = boards[:, max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
            boards = boards[blocks.sum(axis=(1, 2)) == table.sums[row, col]]
    if len(boards) == 0:
        return Answer.infeasible()
    forced = np.where(boards.all(axis=0), 1, np.where(boards.any(axis=0), -1, 0))
    return Answer.solved(Boards(boards[0], len(boards), forced))


BACKEND = Function(solve, "all boards, block by block")
