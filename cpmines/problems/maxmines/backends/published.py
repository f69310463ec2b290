"""The published solution of Codeforces gym 106152D: a profile over column masks, with its fault.

A state is the masks of the last two columns; a third column is appended if the middle one is right. A column
without mines stands before the first and after the last one, and the test takes the cells of these two for
empty neighbours, though they do not exist: a mine at the border may pass without an empty neighbour on the
board. The one before the first must itself pass when the first column is appended, the one after the last
need not. So the number may be too large, or too small, and the board may break the rules.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits
from cpmines.problem import Function, Trust
from cpmines.problems.maxmines.problem import MaxMines, Rectangle

__all__ = ["BACKEND", "solve"]

MOST_ROWS = 6
NEVER = -(10**9)


def popcount(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    return sum((masks >> bit & 1 for bit in range(MOST_ROWS)), np.zeros_like(masks))


def right_triples(rows: int, around: int) -> NDArray[np.bool_]:
    """Whether the middle one of three columns passes: indexed by the masks left, middle, right."""
    masks = np.arange(1 << rows)
    left, middle, right = np.meshgrid(masks, masks, masks, indexing="ij", sparse=True)
    passes = np.ones((1 << rows,) * 3, np.bool_)
    for row in range(rows):
        beside = sum(1 << near for near in range(max(row - 1, 0), min(row + 2, rows)))
        own = beside & ~(1 << row)
        mines = popcount(left & beside) + popcount(middle & own) + popcount(right & beside)
        existing = 2 * beside.bit_count() + own.bit_count()
        passes &= np.where(middle >> row & 1, mines < existing, mines <= around)
    return passes


def solve(instance: Rectangle, limits: Limits) -> Answer[MaxMines]:
    rows, cols = instance.rows, instance.cols
    if rows > MOST_ROWS:
        return Answer.declined(f"{rows} rows, at most {MOST_ROWS}")
    limits.require(cols << 2 * rows, "the choices of all columns")
    passes = right_triples(rows, instance.around)
    masks = np.arange(1 << rows)
    mines = popcount(masks)
    best = np.full((1 << rows, 1 << rows), NEVER)
    best[0, 0] = 0
    choices = []
    for _ in range(cols):
        limits.check()
        before = np.where(passes, best[:, :, None], NEVER)
        choices.append(before.argmax(axis=0).astype(np.uint8))
        best = np.where(before.max(axis=0) >= 0, before.max(axis=0) + mines, NEVER)
    best = np.where(passes[:, :, 0], best, NEVER)
    before_last, last = np.divmod(int(best.argmax()), 1 << rows)
    columns = [int(before_last), int(last)]
    for choice in reversed(choices):
        columns.insert(0, int(choice[columns[0], columns[1]]))
    shown = np.array(columns[-cols:])
    board = shown[None, :] >> np.arange(rows)[:, None] & 1
    return Answer.solved(MaxMines.of(board))


BACKEND = Function(solve, "the published profile over column masks, wrong at the border", Trust.UNRELIABLE)
