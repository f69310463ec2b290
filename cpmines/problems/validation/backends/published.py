"""The published solution of Codeforces 984B: scan the neighbours of each cell, stop at the first wrong one.

The program is right; two of the tests printed with it and one of its examples are not (see the README). It
says yes or no and not which cells are wrong.
"""

from __future__ import annotations

from cpmines.answer import Answer, Limits
from cpmines.board import MINE, Board
from cpmines.grid import OFFSETS
from cpmines.problem import Function, Trust
from cpmines.problems.validation.problem import Validity

__all__ = ["BACKEND", "solve"]


def solve(board: Board, limits: Limits) -> Answer[Validity]:
    rows, cols = board.shape
    cells = board.cells.tolist()
    for row in range(rows):
        limits.check()
        for col in range(cols):
            count = 0
            for down, right in OFFSETS:
                near_row, near_col = row + down, col + right
                if 0 <= near_row < rows and 0 <= near_col < cols and cells[near_row][near_col] == MINE:
                    count += 1
            if cells[row][col] not in (MINE, count):
                return Answer.solved(Validity(False))
    return Answer.solved(Validity(True))


BACKEND = Function(
    {"valid": solve}, "the published scan of Codeforces 984B, yes or no", Trust.UNRELIABLE, packages=()
)
