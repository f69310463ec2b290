"""The definition: of all boards, those in which every block has as many mines as the table says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits
from cpmines.problem import Function
from cpmines.problems.reconstruction.problem import Boards, Table

__all__ = ["BACKEND", "solve"]

LARGEST = 20


def solve(table: Table, limits: Limits) -> Answer[Boards]:
    rows, cols = table.shape
    asked = table.asked
    if table.sums.size > LARGEST:
        return Answer.declined(f"2^{table.sums.size} boards, at most 2^{LARGEST} are tried")
    if asked.sample or asked.index:
        return Answer.declined(f"brute force is not asked for {asked}")
    limits.require(5 * table.sums.size << table.sums.size, "the list of all boards")
    bits = np.arange(1 << table.sums.size, dtype=np.int32)[:, None] >> np.arange(table.sums.size)
    boards = (bits & 1).astype(np.bool_).reshape(-1, rows, cols)
    distance = np.zeros(len(boards), np.int32)
    for row in range(rows):
        for col in range(cols):
            limits.check()
            blocks = boards[:, max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
            differences = np.abs(blocks.sum(axis=(1, 2)) - table.sums[row, col])
            if asked.nearest:
                distance += differences
            else:
                boards = boards[differences == 0]
    if asked.nearest:
        return Answer.solved(Boards.near(table.sums, boards[distance.argmin()]))
    if len(boards) == 0:
        return Answer.infeasible()
    return Answer.solved(described(table, boards))


def described(table: Table, boards: NDArray[np.bool_]) -> Boards:
    """What is asked of the list of all boards."""
    asked = table.asked
    forced = np.where(boards.all(axis=0), 1, np.where(boards.any(axis=0), -1, 0))
    by_mines = np.argsort(-asked.extreme * boards.sum(axis=(1, 2)), kind="stable")
    first = boards[by_mines[0]]
    listed = tuple(boards[: asked.limit]) if asked.every else None
    return Boards(first, len(boards), forced, listed, int(first.sum()) if asked.extreme else None)


BACKEND = Function(solve, "all boards, block by block")
