"""One table: running sums along both axes, then the choices that they leave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.problems.reconstruction._axis import kernel_vector, lone_lines, undo_sums
from cpmines.problems.reconstruction._core import Core, solve_core
from cpmines.problems.reconstruction._members import Choices

__all__ = ["decide"]

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


def decide(sums: Ints, limits: Limits) -> Choices | str:
    """All boards with these sums, or in a few words at which step there turns out to be none.

    Raises
    ------
    LimitError
    """
    rows, cols = sums.shape
    limits.require(BYTES_PER_CELL * rows * cols + BYTES_PER_LINE * (rows + cols), "the running sums")
    limits.check(0.0)
    start = integer_solution(sums)
    if start is None:
        return "no matrix of small integers has these sums"
    limits.check(0.4)
    down, across = kernel_vector(rows), kernel_vector(cols)
    alone, beside = start[lone_lines(rows)], start[:, lone_lines(cols)].T
    # Where only the rows are 2 (mod 3) the columns are all cells; where they are not, the rows are.
    by_row = unmoved(len(alone)) if rows % 3 == 2 and cols % 3 != 2 else choose(alone, across)
    by_col = choose(beside, down) if rows % 3 == 2 else unmoved(len(beside))
    if by_row is None or by_col is None:
        return "a row or a column can't be made of 0 and 1"
    limits.check(0.6)
    core = None
    if rows % 3 == cols % 3 == 2:
        core = solve_core(core_pattern(start, down, across))
        if core is None:
            return "no row and column shifts make all cells 0 or 1 together"
        limits.check(0.8)
    return assemble(start, down, across, by_row, by_col, core)


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
    if len(kernel) % 3 != 2:
        return unmoved(len(lines)) if lines.view(np.uint8).max(initial=0) <= 1 else None
    stays: Mask = np.all(lines.view(np.uint8) <= 1, axis=1)
    moves: Mask = np.all((lines + kernel).view(np.uint8) <= 1, axis=1)
    return Choice((~stays).view(np.int8), stays & moves) if (stays | moves).all() else None


def unmoved(lines: int) -> Choice:
    """No line can be shifted."""
    return Choice(np.zeros(lines, np.int8), np.zeros(lines, np.bool_))


def core_pattern(start: Ints, down: Ints, across: Ints) -> Ints:
    """The cells that depend on both shifts, those where the shifts are subtracted as 1 - cell."""
    signs = np.multiply.outer(down[down != 0], across[across != 0])
    pattern: Ints = (start[np.ix_(down != 0, across != 0)] - (signs < 0)) * signs
    return pattern


def assemble(
    start: Ints, down: Ints, across: Ints, by_row: Choice, by_col: Choice, core: Core | None
) -> Choices:
    """The first shifts of all lines, and what is free."""
    rows, cols = start.shape
    row_shift, col_shift = np.zeros(rows, np.int8), np.zeros(cols, np.int8)
    row_shift[lone_lines(rows)], col_shift[lone_lines(cols)] = by_row.amount, by_col.amount
    if core is not None:
        row_shift[down != 0] = core.row_shift * down[down != 0]
        col_shift[across != 0] = core.col_shift * across[across != 0]
    free_rows = np.arange(rows)[lone_lines(rows)][by_row.free]
    free_cols = np.arange(cols)[lone_lines(cols)][by_col.free]
    return Choices(start, down, across, row_shift, col_shift, free_rows, free_cols, core)
