"""The definition: of all boards, those in which every shown block has as many mines as its sum says."""

from __future__ import annotations

from itertools import product

import numpy as np

from cpmines.answer import Answer, Limits
from cpmines.problem import Function
from cpmines.problems.mosaic.problem import Puzzle, Solution

__all__ = ["BACKEND", "solve"]

LARGEST = 16


def solve(puzzle: Puzzle, limits: Limits) -> Answer[Solution]:
    """Rows are added one by one; a board is kept as long as the sums whose blocks are complete are right."""
    rows, cols = puzzle.shape
    if puzzle.sums.size > LARGEST:
        return Answer.declined(f"2^{puzzle.sums.size} boards, at most 2^{LARGEST} are tried")
    sums = puzzle.sums.tolist()
    boards: list[tuple[tuple[int, ...], ...]] = [()]
    for row in range(rows + 1):
        limits.check()
        if row < rows:
            boards = [(*board, line) for board in boards for line in product((0, 1), repeat=cols)]
        if row > 0:
            boards = [board for board in boards if row_holds(board, sums[row - 1], row - 1)]
    if not boards:
        return Answer.infeasible()
    cells = np.array(boards, np.int8)
    low, high = cells.min(axis=0), cells.max(axis=0)
    return Answer.solved(Solution(cells[0] == 1, len(cells), np.where(low == high, low, -1)))


def row_holds(board: tuple[tuple[int, ...], ...], shown: list[int], row: int) -> bool:
    near = board[max(row - 1, 0) : row + 2]
    return all(
        number < 0 or number == sum(sum(line[max(col - 1, 0) : col + 2]) for line in near)
        for col, number in enumerate(shown)
    )


BACKEND = Function(solve, "all boards, row by row")
