"""The board as a Model: one variable a cell, the rules as clauses and sums; the most mines are demanded.

``plain`` is the rules. The others add inequalities that every valid board satisfies and that a solver does
not find by itself: ``blocks`` what the rules allow in squares of 3x3 and 5x5 cells, ``tight`` what they allow
in bands from border to border, and on the whole board. ``symmetric`` also leaves out most boards that are
reflections of others, but never all of them: it keeps the optimum, not the number of boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cpmines.engine import Assignment
from cpmines.grid import neighbour_table, numbered
from cpmines.model import Model
from cpmines.problem import Modelling, Reading
from cpmines.problems.maxmines.problem import MaxMines, Rectangle
from cpmines.problems.maxmines.theorems import upper_bound
from cpmines.problems.maxmines.windows import window_bound

__all__ = ["FORMULATIONS", "MODELLING", "blocks", "plain", "symmetric", "tight"]

BAND_CELLS = 48
"""Cells of the largest band whose mines are bounded; the frontier takes milliseconds for one."""
SQUARES = (3, 5)


def plain(instance: Rectangle) -> Model:
    """Variables: a mine in each cell, in reading order."""
    model = Model()
    mine = model.variables(instance.rows * instance.cols)
    beside = neighbour_table(instance.rows, instance.cols)
    neighbours = np.where(beside >= 0, mine[beside], 0)
    model.between_rows(np.column_stack([-mine, -neighbours]), 1, 9)
    crowded = np.flatnonzero((beside >= 0).sum(axis=1) > instance.around)
    model.between_rows(neighbours[crowded], 0, instance.around, only_if=-mine[crowded])
    return model


def blocks(instance: Rectangle) -> Model:
    """`plain`, and for each square of 3x3 and 5x5 cells the most mines that it can have."""
    return _with_windows(instance, squares(instance))


def tight(instance: Rectangle) -> Model:
    """`blocks`, and the same for bands from border to border, and for the whole board by `upper_bound`."""
    model = _with_windows(instance, [*squares(instance), *bands(instance)])
    model.between(cells(instance).ravel(), 0, upper_bound(instance))
    return model


def symmetric(instance: Rectangle) -> Model:
    """`tight`, and no fewer mines in the upper half than in the lower, and in the left than in the right.

    Every board can be turned so: to exchange the upper and the lower rows leaves the numbers of the left and
    the right half as they are, and the other way round. So the optimum stays, not the number of solutions.
    """
    model, mine = tight(instance), cells(instance)
    upper, lower = _halves(mine)
    left, right = _halves(mine.T)
    _at_least(model, upper, lower)
    _at_least(model, left, right)
    return model


def cells(instance: Rectangle) -> NDArray[np.int32]:
    """The variables of the cells, as they lie on the board."""
    return numbered(instance.rows, instance.cols)


def squares(instance: Rectangle) -> list[tuple[int, int]]:
    """Heights and widths of the squares that are not the whole board, cut off where a side is shorter."""
    shapes = {(min(side, instance.rows), min(side, instance.cols)) for side in SQUARES}
    return sorted(shapes - {(instance.rows, instance.cols)})


def bands(instance: Rectangle) -> list[tuple[int, int]]:
    """Heights and widths of the bands of at most `BAND_CELLS` cells that are not the whole board."""
    rows, cols = instance.rows, instance.cols
    lying = [(height, cols) for height in range(1, min(rows - 1, BAND_CELLS // cols) + 1)]
    upright = [(rows, width) for width in range(1, min(cols - 1, BAND_CELLS // rows) + 1)]
    return lying + upright


def places(side: int, length: int) -> Iterator[tuple[int, int]]:
    """Where a window of `length` can begin on a side, and how many of its ends are then at the border."""
    for start in range(side - length + 1):
        yield start, (start == 0) + (start == side - length)


def _with_windows(instance: Rectangle, shapes: list[tuple[int, int]]) -> Model:
    model, mine = plain(instance), cells(instance)
    for height, width in shapes:
        for top, ends_down in places(instance.rows, height):
            for left, ends_across in places(instance.cols, width):
                most = window_bound((height, ends_down), (width, ends_across), instance.around)
                if most < height * width:
                    model.between(mine[top : top + height, left : left + width].ravel(), 0, most)
    return model


def _halves(lines: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    half = len(lines) // 2
    return lines[:half].ravel(), lines[len(lines) - half :].ravel()


def _at_least(model: Model, more: NDArray[np.int32], fewer: NDArray[np.int32]) -> None:
    """As many of the first literals are true as of the second, or more."""
    if len(more):
        model.between(np.concatenate([more, -fewer]), len(fewer), len(more) + len(fewer))


def decode(instance: Rectangle, assignments: Sequence[Assignment], complete: bool) -> MaxMines:
    return MaxMines.of(assignments[0].reshape(instance.rows, instance.cols))


def most(instance: Rectangle, model: Model) -> None:
    """Demand as many mines as possible."""
    model.maximise(cells(instance).ravel())


def literals(instance: Rectangle) -> int:
    """Of each cell: the rules, the squares around it, the bands through it."""
    return (20 + 9 + 25 + BAND_CELLS**2 // 4 + 3) * instance.rows * instance.cols


FORMULATIONS = {"symmetric": symmetric, "tight": tight, "blocks": blocks, "plain": plain}

MODELLING = Modelling(FORMULATIONS, {"most": Reading(decode, demand=most)}, literals, cells)
