"""The rules of play: a cell that shows 0 opens all around it."""

from __future__ import annotations

import numpy as np

from cpmines.analysis.kernels.state import Cells
from cpmines.board import UNKNOWN
from cpmines.jit import kernel

__all__ = ["open_cell"]


@kernel
def open_cell(clues: Cells, shown: Cells, row: int, col: int) -> int:
    """Show a safe cell, and all that opens with it; returns how many cells are new.

    `clues` and `shown` are int8 (rows, cols); `shown` is modified in place. A cell is shown before it is put
    on the stack, so it is put there once, and an entry for each cell suffices.
    """
    rows, cols = clues.shape
    if shown[row, col] != UNKNOWN:
        return 0
    stack = np.empty(rows * cols, np.int32)
    stack[0] = row * cols + col
    shown[row, col] = clues[row, col]
    waiting, opened = 1, 1
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
