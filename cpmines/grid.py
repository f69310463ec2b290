"""3x3 arithmetic on arrays: box sums, neighbour counts, neighbour tables. Cells outside do not exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.errors import UsageError
from cpmines.numerals import plural

__all__ = [
    "above_block",
    "block_sizes",
    "box_sums",
    "many_first",
    "neighbour_counts",
    "neighbour_table",
    "neighbours",
    "numbered",
    "require_cell",
    "without_lines",
]

A = TypeVar("A", bound=np.generic)

OFFSETS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def box_sums(mask: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Number of true cells in the 3x3 block around each cell, itself included; int8, same shape.

    Separable: three shifted rows are added, then three shifted columns.
    """
    cells = mask.view(np.int8)
    across = cells.copy()
    across[:, 1:] += cells[:, :-1]
    across[:, :-1] += cells[:, 1:]
    sums = across.copy()
    sums[1:] += across[:-1]
    sums[:-1] += across[1:]
    return sums


def block_sizes(rows: int, cols: int) -> NDArray[np.int8]:
    """Number of cells in the 3x3 block around each cell, itself included: 4 to 9, less on thin boards.

    Raises `ValueError` if there are no cells.
    """
    if min(rows, cols) < 1:
        raise ValueError(f"{plural(rows, 'row')} and {plural(cols, 'column')}, expected at least 1")
    return np.multiply.outer(_near(rows), _near(cols))


def above_block(sums: NDArray[np.int8]) -> tuple[int, int, int] | None:
    """The first entry that is above the size of its block: row, column and that size; None if all fit.

    `sums` has entries of at most 9, so only those at the border are looked at.
    """
    height, width = map(_near, sums.shape)
    found = []
    for rows, cols in ((np.flatnonzero(height < 3), slice(None)), (slice(None), np.flatnonzero(width < 3))):
        sizes = np.multiply.outer(height[rows], width[cols])
        above = np.argwhere(sums[rows, :][:, cols] > sizes)
        if len(above):
            row, col = above[0]
            found.append((int(np.arange(len(height))[rows][row]), int(np.arange(len(width))[cols][col])))
    if not found:
        return None
    row, col = min(found)
    return row, col, int(height[row]) * int(width[col])


def _near(n: int) -> NDArray[np.int8]:
    """Along one side of n cells, the number of cells that are at most one away."""
    near = np.full(n, 3, np.int8)
    near[0] -= 1
    near[-1] -= 1
    return near


def neighbour_counts(mask: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Number of true cells among the up to eight neighbours of each cell; int8, same shape."""
    return box_sums(mask) - mask.view(np.int8)


def neighbours(cells: NDArray[np.int64], rows: int, cols: int) -> NDArray[np.int64]:
    """Flat index of the neighbours of `cells` (flat indices), shape (cells, 8), -1 where there is none."""
    row, col = np.divmod(cells, cols)
    down = {-1: row > 0, 0: np.ones(len(cells), np.bool_), 1: row < rows - 1}
    right = {-1: col > 0, 0: down[0], 1: col < cols - 1}
    table = np.empty((len(cells), 8), np.int64)
    for k, (rows_down, cols_right) in enumerate(OFFSETS):
        inside = down[rows_down] & right[cols_right]
        table[:, k] = np.where(inside, cells + (rows_down * cols + cols_right), -1)
    return table


def neighbour_table(rows: int, cols: int) -> NDArray[np.int64]:
    """`neighbours` of all cells in reading order."""
    return neighbours(np.arange(rows * cols), rows, cols)


def numbered(rows: int, cols: int) -> NDArray[np.int32]:
    """The cells of a board numbered from 1 in reading order; int32 of shape (rows, cols)."""
    return np.arange(1, rows * cols + 1, dtype=np.int32).reshape(rows, cols)


def many_first(items: NDArray[A]) -> Iterator[NDArray[A]]:
    """Parts to leave out of a list: all, its halves, its quarters, ..., in the end each one alone."""
    size = len(items)
    while size:
        yield from (items[first : first + size] for first in range(0, len(items), size))
        size = -(-size // 2) if size > 1 else 0


def without_lines(cells: NDArray[A]) -> Iterator[NDArray[A]]:
    """Boards with fewer rows or columns, the smallest first; never without any."""
    for axis, length in enumerate(cells.shape):
        for lines in many_first(np.arange(length)):
            if len(lines) < length:
                yield np.delete(cells, lines, axis)


def require_cell(row: int, col: int, shape: tuple[int, ...]) -> None:
    """Raises `UsageError` unless a board of this shape has the cell."""
    rows, cols = shape
    if not (0 <= row < rows and 0 <= col < cols):
        raise UsageError(f"row {row}, column {col}, expected a cell of a {rows} x {cols} board")
