"""The definition: try every way to put mines into the unknown cells."""

from __future__ import annotations

from itertools import product

from cpmines.answer import Answer, Limits
from cpmines.board import MINE, UNKNOWN, Position, parse_mine_rows
from cpmines.problem import Function
from cpmines.problems.consistency.problem import Placement

__all__ = ["BACKEND", "solve"]

MOST_UNKNOWN = 20
CHECK_EVERY = 256


def solve(position: Position, limits: Limits) -> Answer[Placement]:
    rows, cols = position.shape
    cells = position.cells.tolist()
    places = [(row, col) for row in range(rows) for col in range(cols)]
    unknown = [(row, col) for row, col in places if cells[row][col] == UNKNOWN]
    if len(unknown) > MOST_UNKNOWN:
        return Answer.declined(f"{len(unknown)} unknown cells, brute force takes up to {MOST_UNKNOWN}")
    known = {(row, col) for row, col in places if cells[row][col] == MINE}
    clues = [(row, col) for row, col in places if cells[row][col] >= 0]
    for k, choice in enumerate(product((False, True), repeat=len(unknown))):
        if k % CHECK_EVERY == 0:
            limits.check()
        mines = known | {cell for cell, mine in zip(unknown, choice, strict=True) if mine}
        if position.mines not in (None, len(mines)):
            continue
        if all(cells[row][col] == mines_around(row, col, mines) for row, col in clues):
            drawn = ["".join(".*"[(row, col) in mines] for col in range(cols)) for row in range(rows)]
            return Answer.solved(Placement(parse_mine_rows(drawn)))
    return Answer.infeasible()


def mines_around(row: int, col: int, mines: set[tuple[int, int]]) -> int:
    block = {(r, c) for r in range(row - 1, row + 2) for c in range(col - 1, col + 2)}
    return len((block - {(row, col)}) & mines)


BACKEND = Function(solve, "every way to place mines, one after the other", packages=())
