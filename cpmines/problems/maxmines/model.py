"""The board as a Model: one variable a cell, the rules as clauses and sums, as many mines as possible.

`tight` adds inequalities that every valid board satisfies and that a solver does not find by itself: what
the rules allow on a small window, and on the whole board by counting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cpmines.engine import Assignment
from cpmines.grid import neighbour_table
from cpmines.model import Model
from cpmines.problem import Modelling
from cpmines.problems.maxmines.problem import MaxMines, Rectangle

__all__ = ["MODELLING", "counting_bound", "plain", "tight", "window_bound"]

WINDOW_CELLS = 16
"""Boards of so many cells are enumerated in a hundredth of a second."""


def plain(instance: Rectangle) -> Model:
    """Variables: a mine in each cell, in reading order."""
    model = Model()
    mine = model.variables(instance.rows * instance.cols)
    around = neighbour_table(instance.rows, instance.cols)
    neighbours = np.where(around >= 0, mine[around], 0)
    model.between_rows(np.column_stack([-mine, -neighbours]), 1, 9)
    crowded = np.flatnonzero((around >= 0).sum(axis=1) > instance.bound)
    model.between_rows(neighbours[crowded], 0, instance.bound, only_if=-mine[crowded])
    model.maximise(mine)
    return model


def tight(instance: Rectangle) -> Model:
    """`plain`, and for each window and for the whole board the most mines that it can have."""
    model = plain(instance)
    mine = np.arange(1, model.variable_count + 1, dtype=np.int32).reshape(instance.rows, instance.cols)
    model.between(mine.ravel(), 0, counting_bound(instance))
    for height, width in window_shapes(instance):
        for top, ends_down in places(instance.rows, height):
            for left, ends_across in places(instance.cols, width):
                most = window_bound(*sorted([(height, ends_down), (width, ends_across)]), instance.bound)
                if most < height * width:
                    model.between(mine[top : top + height, left : left + width].ravel(), 0, most)
    return model


def counting_bound(instance: Rectangle) -> int:
    """At most M mines for each empty cell.

    Proof: give every mine to one of its empty neighbours; there is one, and none is given more than M. So
    mines <= M * empty, and with mines + empty = cells: mines <= M * cells / (M + 1).
    """
    return instance.bound * instance.rows * instance.cols // (instance.bound + 1)


def window_shapes(instance: Rectangle) -> list[tuple[int, int]]:
    """Heights and widths of the windows: for each height the widest of at most `WINDOW_CELLS` cells.

    Those that span the board from border to border do most for the proof.
    """
    heights = range(2, min(instance.rows, WINDOW_CELLS // 2) + 1)
    shapes = [(height, min(instance.cols, WINDOW_CELLS // height)) for height in heights]
    return [shape for shape in shapes if shape != (instance.rows, instance.cols)]


def places(side: int, length: int) -> Iterator[tuple[int, int]]:
    """Where a window of `length` can begin on a side, and how many of its ends are then at the border."""
    for start in range(side - length + 1):
        yield start, (start == 0) + (start == side - length)


@cache
def window_bound(down: tuple[int, int], across: tuple[int, int], bound: int) -> int:
    """The most mines in a window of a valid board, by looking at all its boards.

    Proof: of a valid board, the part in the window satisfies two conditions that the rest does not enter: an
    empty cell has at most M mines among its neighbours in the window; a mine none of whose neighbours lies
    outside the window has an empty neighbour in it. The maximum over all parts that satisfy them is a bound.

    Parameters
    ----------
    down, across
        The window's length, and how many of its two ends in that direction lie on the border of the board.
        Which of the two it is, and which direction, makes no difference by symmetry.
    """
    (height, ends_down), (width, ends_across) = down, across
    cells = height * width
    boards = (np.arange(1 << cells)[:, None] >> np.arange(cells) & 1).astype(np.int8)
    boards = boards.reshape(-1, height, width)
    mines = _box_sums(boards) - boards
    existing = _box_sums(np.ones((1, height, width), np.int8)) - 1
    inside = np.ones((height, width), np.bool_)
    inside[height - (ends_down < 2) :] = inside[: ends_down < 1] = False
    inside[:, width - (ends_across < 2) :] = inside[:, : ends_across < 1] = False
    content = ~inside | (mines < existing)
    allowed = np.where(boards == 1, content, mines <= bound).all(axis=(1, 2))
    return int(boards.sum(axis=(1, 2))[allowed].max())


def _box_sums(boards: NDArray[np.int8]) -> NDArray[np.int8]:
    """Sums over the 3x3 block around each cell of each board, int8 of shape (boards, rows, cols)."""
    padded = np.pad(boards, ((0, 0), (1, 1), (1, 1)))
    across: NDArray[np.int8] = padded[:, :, :-2] + padded[:, :, 1:-1] + padded[:, :, 2:]
    sums: NDArray[np.int8] = across[:, :-2] + across[:, 1:-1] + across[:, 2:]
    return sums


def decode(instance: Rectangle, assignments: Sequence[Assignment], complete: bool) -> MaxMines:
    return MaxMines.of(assignments[0].reshape(instance.rows, instance.cols))


def literals(instance: Rectangle) -> int:
    windows = WINDOW_CELLS * WINDOW_CELLS // 2
    return (20 + windows) * instance.rows * instance.cols


MODELLING = Modelling({"tight": tight, "plain": plain}, decode, literals)
