"""The definition, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator

from cpmines.answer import Answer, Limits
from cpmines.board import MINE, Board
from cpmines.problem import Function
from cpmines.problems.validation.problem import Validity

__all__ = ["BACKEND", "solve"]

OFTEN = 1000
"""Cells of a row between two looks at the clock: a row can be all of the board."""


def solve(board: Board, limits: Limits) -> Answer[Validity]:
    return Answer.solved(Validity.of(list(wrong_cells(board, limits))))


def valid(board: Board, limits: Limits) -> Answer[Validity]:
    return Answer.solved(Validity(next(wrong_cells(board, limits), None) is None))


def wrong_cells(board: Board, limits: Limits) -> Iterator[tuple[int, int, int, int]]:
    """Row, column, clue and mines around of each, in reading order."""
    rows, cols = board.shape
    cells = board.cells.tolist()
    for row in range(rows):
        for col in range(cols):
            if col % OFTEN == 0:
                limits.check()
            if cells[row][col] == MINE:
                continue
            around = [
                cells[r][c] == MINE
                for r in range(max(row - 1, 0), min(row + 2, rows))
                for c in range(max(col - 1, 0), min(col + 2, cols))
            ]
            if cells[row][col] != sum(around):
                yield row, col, cells[row][col], sum(around)


BACKEND = Function({"wrong": solve, "valid": valid}, "the definition, cell by cell", packages=())
