"""Kernels of `direct`: wrong clues. `cells` is the int8 array of a Board, of shape (rows, cols)."""

import cython
import numpy as np
from cython.cimports.cpmines.kernels.arrays import (
    Bytes,
    ConstBytesTable,
    ConstLongs,
    IntsTable,
    Longs,
    int8,
    int64,
)
from cython.cimports.cpmines.kernels.pulse import Pulse, beat

__all__ = ["count_wrong", "list_wrong"]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def column_sums(cells: ConstBytesTable, row: int64, sums: Bytes) -> cython.void:
    """Set ``sums[1:-1]`` to the mines of the rows row - 1, row, row + 1 in each column; int8 (cols + 2,)."""
    rows: int64 = cells.shape[0]
    cols: int64 = cells.shape[1]
    above: int64 = max(row - 1, 0)
    below: int64 = min(row + 1, rows - 1)
    one: int8 = above != row  # a row beyond the board has no mines
    other: int8 = below != row
    for col in range(cols):
        sums[col + 1] = (
            (cells[row, col] < 0) + (one & (cells[above, col] < 0)) + (other & (cells[below, col] < 0))
        )


def count_wrong(cells: ConstBytesTable, pulse: Pulse) -> object:
    """Number of wrong clues in each row, int64 (rows,)."""
    cols: int64 = cells.shape[1]
    counts = np.zeros(cells.shape[0], np.int64)
    wrong: Longs = counts
    sums: Bytes = np.zeros(cols + 2, np.int8)
    some: int8
    mines: int8
    with cython.nogil:
        for row in range(cells.shape[0]):
            beat(pulse)
            column_sums(cells, row, sums)
            # Most rows have no wrong clue: bytes tell that much faster than a number of them.
            some = 0
            for col in range(cols):
                mines = sums[col] + sums[col + 1] + sums[col + 2]
                some |= (cells[row, col] >= 0) & (cells[row, col] != mines)
            if some == 0:
                continue
            for col in range(cols):
                mines = sums[col] + sums[col + 1] + sums[col + 2]
                wrong[row] += (cells[row, col] >= 0) & (cells[row, col] != mines)
    return counts


def list_wrong(cells: ConstBytesTable, wrong_by_row: ConstLongs, wrong: IntsTable, pulse: Pulse) -> None:
    """Fill `wrong`, int32 (wrong, 4), with row, column, clue, mines; only rows with a wrong clue are read."""
    cols: int64 = cells.shape[1]
    sums: Bytes = np.zeros(cols + 2, np.int8)
    k: int64 = 0
    mines: int8
    with cython.nogil:
        for row in range(cells.shape[0]):
            beat(pulse)
            if wrong_by_row[row] == 0:
                continue
            column_sums(cells, row, sums)
            for col in range(cols):
                mines = sums[col] + sums[col + 1] + sums[col + 2]
                if cells[row, col] >= 0 and cells[row, col] != mines:
                    wrong[k, 0], wrong[k, 1], wrong[k, 2], wrong[k, 3] = row, col, cells[row, col], mines
                    k += 1
