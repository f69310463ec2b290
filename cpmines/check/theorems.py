"""Bounds and facts with a proof of a few lines, which hold for every size."""

from __future__ import annotations

__all__ = ["is_unique", "most_mines"]


def most_mines(rows: int, cols: int, around: int) -> tuple[int, str]:
    """A number of mines that no valid board exceeds, the least of three arguments, and the argument.

    Packing: of the cells whose row and column are multiples of 3, counted from 0, the 3x3 blocks are
    disjoint. Each has an empty cell: the middle, or one beside the mine in the middle.

    Counting: give each mine to an empty cell beside it. None is given more than M, so mines <= M * empty
    cells.

    Spacing, for M = 1 and at least two rows and columns: a 3x3 block has at most one mine. Two mines that are
    neighbours have common neighbours, which are mines, for an empty one would have two mines around. If the
    two are in one row, these are the cells above and below both, and so on up to the border; the pairs of one
    column pass this on to the next columns; in the end all cells are mines, and none has an empty neighbour.
    Two in a column are the same, and of two that touch at a corner the cells beside the corner are mines,
    which makes two in a row. Two that are not neighbours but in one block have a cell of the block beside
    both, which is no mine, as then it had a mine as neighbour, and is not empty.
    """
    thirds = -(-rows // 3) * -(-cols // 3)
    shared = around * rows * cols // (around + 1)
    bounds = [
        (rows * cols - thirds, f"each of {thirds} disjoint blocks has an empty cell"),
        (shared, f"each mine is beside an empty cell, which has at most {around}"),
    ]
    if around == 1 and min(rows, cols) >= 2:
        bounds.append(
            (thirds, f"each of the {thirds} blocks of 3x3 cells, the last cut off, has at most one")
        )
    return min(bounds)


def is_unique(rows: int, cols: int) -> bool:
    """Does a full table of 3x3 sums belong to at most one board, whatever its entries are?

    The table is T X T' with T the matrix of ones on three diagonals. If T y = 0, then y[k-1] + y[k] + y[k+1]
    = 0 for all k, with 0 beyond both ends: y = (a, -a, 0, a, -a, 0, ...), and the last sum is 0 only if a =
    0, or if the length is 2 (mod 3). So for other lengths on both sides X is determined.
    """
    return rows % 3 != 2 and cols % 3 != 2
