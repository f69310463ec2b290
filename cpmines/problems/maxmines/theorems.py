"""What is known of the most mines without a search: two closed forms, and bounds by counting."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.problems.maxmines.problem import Rectangle

__all__ = ["closed_form", "counting_bound", "domination_bound", "kings", "theorem_board", "upper_bound"]


def kings(rows: int, cols: int) -> int:
    """ceil(rows / 3) * ceil(cols / 3): the domination and the packing number of the king's graph.

    Domination: kings in the middles of the 3x3 blocks of the board, those at the border cut off or moved
    inwards, reach every cell. Packing: of the cells whose row and column are multiples of 3 (from 0), no cell
    has two within a king's move, so each needs a king of its own.
    """
    return -(-rows // 3) * -(-cols // 3)


def counting_bound(instance: Rectangle) -> int:
    """At most M mines for each empty cell.

    Proof: give every mine to one of its empty neighbours; there is one, and none is given more than M. So
    mines <= M * empty, and with mines + empty = cells: mines <= M * cells / (M + 1).
    """
    return instance.around * instance.rows * instance.cols // (instance.around + 1)


def domination_bound(instance: Rectangle) -> int:
    """All cells but `kings`, for every M.

    Proof: every mine has an empty neighbour, so the empty cells dominate the king's graph of the board.
    """
    return instance.rows * instance.cols - kings(instance.rows, instance.cols)


def upper_bound(instance: Rectangle) -> int:
    """The least of the bounds, and the closed form where there is one."""
    exact = closed_form(instance)
    return min(counting_bound(instance), domination_bound(instance)) if exact is None else exact


def closed_form(instance: Rectangle) -> int | None:
    """The most mines for M = 8, and for M = 1 on boards of at least 2 rows and 2 columns; None for others.

    M = 8: `domination_bound` is reached. With M = 8 no empty cell has too many mines, so the complement of
    any dominating set is a valid board.

    M = 1: `kings`. Two mines x and y of a valid board are never neighbours. If they are, every common
    neighbour is a mine, or it would have two mines around. If they are in one row, both cells above them
    and both below are common neighbours, so the mines go on to the borders, two columns wide; the cells of
    two columns are in pairs above each other, whose common neighbours are those left and right, so the
    mines go on over the whole board, where no mine has an empty neighbour. The same holds for a column; and
    if x and y touch at a corner, the two cells beside that corner are common neighbours, and mines in one
    row with them. Nor are x and y two king's moves apart: a cell between them, which is on the board, has
    both around; it is no mine, because no two mines are neighbours, and not empty, because M = 1. So all
    mines are at least three king's moves apart, a 3x3 block of the board has at most one, and there are at
    most `kings`. Mines on the cells whose row and column are multiples of 3 reach that number: each has an
    empty neighbour, since the board has at least 2 rows and columns, and no empty cell has two around.
    """
    rows, cols = instance.rows, instance.cols
    if instance.around == 8:
        return domination_bound(instance)
    if instance.around == 1 and min(rows, cols) >= 2:
        return kings(rows, cols)
    return None


def theorem_board(instance: Rectangle) -> NDArray[np.bool_]:
    """A board with as many mines as `closed_form` says, which must not be None."""
    rows, cols = instance.rows, instance.cols
    board = np.zeros((rows, cols), np.bool_)
    if instance.around == 1:
        board[::3, ::3] = True
        return board
    down, across = (np.minimum(3 * np.arange(-(-side // 3)) + 1, side - 1) for side in (rows, cols))
    board[np.ix_(down, across)] = True
    return ~board
