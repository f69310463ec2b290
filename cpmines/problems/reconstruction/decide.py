"""One table: running sums along both axes, then the choices that they leave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.problems.reconstruction.axis import kernel_vector, lone_lines, undo_sums
from cpmines.problems.reconstruction.core import Core, solve_core
from cpmines.problems.reconstruction.members import Choices

__all__ = ["decide"]

Ints = NDArray[np.int8]
Mask = NDArray[np.bool_]

BYTES_PER_CELL, BYTES_PER_LINE = (1, 3, 6), 32
"""Peak of all arrays together, beside the table, where no side, one or both are 2 (mod 3); measured."""


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
    per_cell = BYTES_PER_CELL[(rows % 3 == 2) + (cols % 3 == 2)]
    limits.require(per_cell * rows * cols + BYTES_PER_LINE * (rows + cols), "the solution")
    limits.check(0.0)
    start = integer_solution(sums)
    if start is None:
        return "no matrix of small integers has these sums"
    limits.check(0.4)
    down, across = kernel_vector(rows), kernel_vector(cols)
    by_row, by_col = choose_rows(start, across), choose_columns(start, down)
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
    from cpmines.problems.reconstruction.kernels import axis

    solution = undo_sums(sums)
    return solution if solution is not None and axis.within(solution, -3, 4) else None


def choose_rows(start: Ints, across: Ints) -> Choice | None:
    """The multiples of `across` that make each lone row 0 and 1; None if a row has none.

    Rows begin with 0 if `across` is not zero, so only the multiples 0 and 1 are possible. If both vectors are
    zero the rows are all cells.
    """
    from cpmines.problems.reconstruction.kernels import axis

    lone = range(len(start))[lone_lines(len(start))]
    if len(across) % 3 != 2:
        return unmoved(len(lone)) if len(start) % 3 == 2 or axis.within(start, 0, 1) else None
    stays, moves = np.empty((2, len(lone)), np.int8)
    axis.row_faults(start, across, lone.start, lone.step, stays, moves)
    return choice(stays == 0, moves == 0)


def choose_columns(start: Ints, down: Ints) -> Choice | None:
    """The same for lone columns and multiples of `down`."""
    from cpmines.problems.reconstruction.kernels import axis

    lone = lone_lines(start.shape[1])
    if len(down) % 3 != 2:
        return unmoved(len(range(start.shape[1])[lone]))
    stays, moves = np.empty((2, start.shape[1]), np.int8)
    axis.column_faults(start, down, stays, moves)
    return choice(stays[lone] == 0, moves[lone] == 0)


def choice(stays: Mask, moves: Mask) -> Choice | None:
    """What is left to each line; None if a line fits neither as it is nor shifted."""
    return Choice((~stays).view(np.int8), stays & moves) if (stays | moves).all() else None


def unmoved(lines: int) -> Choice:
    """No line can be shifted."""
    return Choice(np.zeros(lines, np.int8), np.zeros(lines, np.bool_))


def core_pattern(start: Ints, down: Ints, across: Ints) -> Ints:
    """The cells that depend on both shifts, those where the shifts are subtracted as 1 - cell."""
    from cpmines.problems.reconstruction.kernels import core

    pattern = np.empty((np.count_nonzero(down), np.count_nonzero(across)), np.int8)
    core.inner_pattern(start, down, across, pattern)
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
