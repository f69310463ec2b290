"""Running sums along both axes, then the choices that they leave: a board, how many, and what they share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits
from cpmines.problem import Function
from cpmines.problems.reconstruction._axis import kernel_vector, lone_lines, undo_sums
from cpmines.problems.reconstruction._core import Core, solve_core
from cpmines.problems.reconstruction.problem import Boards, Table

__all__ = ["BACKEND", "solve"]

Ints = NDArray[np.int8]
Mask = NDArray[np.bool_]

BYTES_PER_CELL, BYTES_PER_LINE = 8, 32
"""Peak of all arrays together, measured where both sides are 2 (mod 3): at most 6 a cell in squares."""


@dataclass(frozen=True)
class Choice:
    """Lines that each stand alone: line k may be shifted by ``amount[k]`` times the kernel vector.

    Attributes
    ----------
    amount
        int8 of shape (lines,): 0 if that fits, otherwise 1.
    free
        bool of shape (lines,): 0 and 1 both fit, and differ.
    """

    amount: Ints
    free: Mask


def solve(table: Table, limits: Limits) -> Answer[Boards]:
    """Linear time for every size; the derivation is in the package's docstring."""
    rows, cols = table.shape
    limits.require(BYTES_PER_CELL * rows * cols + BYTES_PER_LINE * (rows + cols), "the running sums")
    start = integer_solution(table.sums)
    if start is None:
        return Answer.infeasible("no matrix of small integers has these sums")
    limits.check()
    down, across = kernel_vector(rows), kernel_vector(cols)
    by_row = choose(start[lone_lines(rows)], across)
    by_col = choose(start[:, lone_lines(cols)].T, down)
    if by_row is None or by_col is None:
        return Answer.infeasible("a row or a column can't be made of 0 and 1")
    limits.check()
    core = None
    if down.any() and across.any():
        core = solve_core(core_pattern(start, down, across))
        if core is None:
            return Answer.infeasible("no row and column shifts make all cells 0 or 1 together")
        limits.check()
    return Answer.solved(assemble(start, down, across, by_row, by_col, core))


def integer_solution(sums: Ints) -> Ints | None:
    """The solution X0 of the package's docstring, int8 (N, M); None if that shows that there is no board."""
    undone = undo_sums(sums)
    solution = None if undone is None else undo_sums(undone.T)
    if solution is None or solution.min() < -3 or solution.max() > 4:
        return None
    return solution.T


def choose(lines: Ints, kernel: Ints) -> Choice | None:
    """The multiples of `kernel` that make each row of `lines` 0 and 1; None if a row has none.

    Rows of `lines` begin with 0 if `kernel` is not zero, so only the multiples 0 and 1 are possible.
    """
    stays: Mask = np.all(lines.view(np.uint8) <= 1, axis=1)
    if not kernel.any():
        return Choice(np.zeros(len(lines), np.int8), np.zeros(len(lines), np.bool_)) if stays.all() else None
    moves: Mask = np.all((lines + kernel).view(np.uint8) <= 1, axis=1)
    return Choice((~stays).view(np.int8), stays & moves) if (stays | moves).all() else None


def core_pattern(start: Ints, down: Ints, across: Ints) -> Ints:
    """The cells that depend on both shifts, those where the shifts are subtracted as 1 - cell."""
    signs = np.multiply.outer(down[down != 0], across[across != 0])
    pattern: Ints = (start[np.ix_(down != 0, across != 0)] - (signs < 0)) * signs
    return pattern


def assemble(
    start: Ints, down: Ints, across: Ints, by_row: Choice, by_col: Choice, core: Core | None
) -> Boards:
    """The board of the chosen shifts, the number of boards, and the cells that are the same in all."""
    rows, cols = start.shape
    inner = np.ix_(down != 0, across != 0)
    row_shift, col_shift = np.zeros(rows, np.int8), np.zeros(cols, np.int8)
    row_shift[lone_lines(rows)], col_shift[lone_lines(cols)] = by_row.amount, by_col.amount
    count = 1 << int(by_row.free.sum() + by_col.free.sum())
    if core is not None:
        row_shift[down != 0] = core.row_shift * down[down != 0]
        col_shift[across != 0] = core.col_shift * across[across != 0]
        count *= core.count
    mines = start + np.multiply.outer(down, col_shift)
    mines += np.multiply.outer(row_shift, across)
    forced = mines.copy()
    forced[lone_lines(rows)][np.ix_(by_row.free, across != 0)] = -1
    forced[:, lone_lines(cols)][np.ix_(down != 0, by_col.free)] = -1
    if core is not None:
        forced[inner] = np.where(core.varies, np.int8(-1), forced[inner])
    return Boards(mines.view(np.bool_), count, forced)


BACKEND = Function(solve, "running sums along both axes, exact for every size")
