"""A greedy board."""

import cython
from cython.cimports.cpmines.kernels.arrays import BytesTable, FlagsTable, int64

__all__ = ["greedy"]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fits(board: FlagsTable, mines: BytesTable, row: int64, col: int64, most: int64) -> cython.bint:
    """May the empty cell become a mine? `mines` counts those around each cell."""
    rows: int64 = board.shape[0]
    cols: int64 = board.shape[1]
    empty: int64 = 0
    around: int64
    r: int64
    c: int64
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(col - 1, 0), min(col + 2, cols)):
            if r == row and c == col:
                continue
            around = (min(r + 2, rows) - max(r - 1, 0)) * (min(c + 2, cols) - max(c - 1, 0)) - 1
            if mines[r, c] + 1 > (around - 1 if board[r, c] else most):
                return False
            empty += not board[r, c]
    return empty > 0


def greedy(board: FlagsTable, mines: BytesTable, start: int64, stop: int64, most: int64) -> None:
    """Turn cells of the rows from `start` to `stop` into mines in reading order, where the rules allow."""
    rows: int64 = board.shape[0]
    cols: int64 = board.shape[1]
    row: int64
    col: int64
    r: int64
    c: int64
    with cython.nogil:
        for row in range(start, stop):
            for col in range(cols):
                if not board[row, col] and fits(board, mines, row, col, most):
                    board[row, col] = 1
                    for r in range(max(row - 1, 0), min(row + 2, rows)):
                        for c in range(max(col - 1, 0), min(col + 2, cols)):
                            mines[r, c] += r != row or c != col
