"""The definition, cell by cell."""

from __future__ import annotations

from cpmines.answer import Answer, Limits
from cpmines.board import MINE, Board
from cpmines.problem import Function
from cpmines.problems.validation.problem import Validity

__all__ = ["BACKEND", "solve"]


def solve(board: Board, limits: Limits) -> Answer[Validity]:
    rows, cols = board.shape
    cells = board.cells.tolist()
    wrong = []
    for row in range(rows):
        limits.check()
        for col in range(cols):
            if cells[row][col] == MINE:
                continue
            around = [
                cells[r][c] == MINE
                for r in range(max(row - 1, 0), min(row + 2, rows))
                for c in range(max(col - 1, 0), min(col + 2, cols))
            ]
            if cells[row][col] != sum(around):
                wrong.append((row, col, cells[row][col], sum(around)))
    return Answer.solved(Validity.of(wrong))


BACKEND = Function(solve, "the definition, cell by cell", packages=())
