"""The rules of play: a cell that shows 0 opens all around it."""

import cython
import numpy as np
from cython.cimports.cpmines.kernels.arrays import BytesTable, ConstBytesTable, Ints, int64
from cython.cimports.cpmines.kernels.cells import UNKNOWN

__all__ = ["open_cell"]


def open_cell(clues: ConstBytesTable, shown: BytesTable, row: int64, col: int64) -> int64:
    """Show a safe cell, and all that opens with it; returns how many cells are new.

    `clues` and `shown` are int8 (rows, cols); `shown` is modified in place. A cell is shown before it is put
    on the stack, so it is put there once, and an entry for each cell suffices.
    """
    rows: int64 = clues.shape[0]
    cols: int64 = clues.shape[1]
    if shown[row, col] != UNKNOWN:
        return 0
    stack: Ints = np.empty(rows * cols, np.int32)
    waiting: int64 = 1
    opened: int64 = 1
    r: int64
    c: int64
    with cython.nogil:
        stack[0] = row * cols + col
        shown[row, col] = clues[row, col]
        while waiting > 0:
            waiting -= 1
            row, col = stack[waiting] // cols, stack[waiting] % cols
            if clues[row, col] != 0:
                continue
            for r in range(max(row - 1, 0), min(row + 2, rows)):
                for c in range(max(col - 1, 0), min(col + 2, cols)):
                    if shown[r, c] == UNKNOWN:
                        shown[r, c] = clues[r, c]
                        stack[waiting] = r * cols + c
                        waiting += 1
                        opened += 1
    return opened
