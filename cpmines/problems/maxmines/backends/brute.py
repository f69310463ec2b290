"""The definition: every board, every cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits, Stop
from cpmines.errors import LimitError
from cpmines.grid import neighbour_table
from cpmines.problem import Function
from cpmines.problems.maxmines.problem import MaxMines, Rectangle

__all__ = ["BACKEND", "best_boards"]

MOST_CELLS = 20
BATCH = 1 << 14


def best_boards(instance: Rectangle, limits: Limits) -> NDArray[np.bool_]:
    """All boards with the most mines, bool of shape (boards, rows, cols).

    Boards are numbered by their cells as binary digits and looked at `BATCH` at a time.

    Raises
    ------
    LimitError
    """
    rows, cols = instance.rows, instance.cols
    cells = rows * cols
    if cells > MOST_CELLS:
        raise LimitError(Stop.DECLINED, f"{cells} cells, at most {MOST_CELLS}")
    near = [cells_near[cells_near >= 0] for cells_near in neighbour_table(rows, cols)]
    digits = np.arange(cells, dtype=np.int32)[:, None]
    best, most = np.zeros((cells, 0), np.bool_), 0
    for first in range(0, 1 << cells, BATCH):
        limits.check()
        numbers = np.arange(first, min(first + BATCH, 1 << cells), dtype=np.int32)
        boards = (numbers >> digits & 1).astype(np.bool_)
        boards = boards[:, boards.sum(axis=0) >= most]
        for cell, around in enumerate(near):
            mines = boards[around].sum(axis=0)
            boards = boards[:, np.where(boards[cell], mines < len(around), mines <= instance.around)]
        sizes = boards.sum(axis=0)
        if sizes.max(initial=0) > most:
            best, most = best[:, :0], sizes.max()
        best = np.concatenate([best, boards[:, sizes == most]], axis=1)
    return best.T.reshape(-1, rows, cols)


def most(instance: Rectangle, limits: Limits) -> Answer[MaxMines]:
    return Answer.solved(MaxMines.of(best_boards(instance, limits)[0]))


def every(instance: Rectangle, limits: Limits) -> Answer[MaxMines]:
    boards = best_boards(instance, limits)
    different = len({min(_images(board)) for board in boards})
    value = replace(MaxMines.of(boards[0]), optimal_boards=len(boards), distinct_boards=different)
    return Answer.solved(replace(value, boards=boards))


def count(instance: Rectangle, limits: Limits) -> Answer[MaxMines]:
    value = every(instance, limits).value
    assert value is not None
    return Answer.solved(replace(value, boards=None))


def _images(board: NDArray[np.bool_]) -> Iterator[bytes]:
    """The board under every symmetry of its rectangle."""
    rows, cols = board.shape
    for turned in [board, board.T] if rows == cols else [board]:
        for down in (1, -1):
            for across in (1, -1):
                yield turned[::down, ::across].tobytes()


BACKEND = Function({"most": most, "count": count, "every": every}, f"every board of up to {MOST_CELLS} cells")
