"""What a board of the most mines has to satisfy, and what shows that there is none with more."""

from __future__ import annotations

from functools import cache

from cpmines.demands.claims import Claim, Extreme, NotStated, Theorem
from cpmines.demands.rules import Rules
from cpmines.demands.statement import Allowed, Rule, Statement, block
from cpmines.numerals import plural
from cpmines.problems.maxmines.placing import Placing
from cpmines.problems.maxmines.problem import MaxMines, Rectangle
from cpmines.question import Asked

__all__ = ["RULES", "statement", "theorem"]


def statement(instance: Rectangle) -> Statement:
    """Around a mine not all cells are mines, around an empty cell at most M are."""
    rows, cols = instance.rows, instance.cols

    @cache
    def allowed(cells: int) -> Allowed:
        beside_mine = {(True, count) for count in range(cells)}
        return frozenset(beside_mine | {(False, count) for count in range(min(instance.around, cells) + 1)})

    def rule(centre: int) -> Rule:
        others = tuple(cell for cell in block(centre, rows, cols) if cell != centre)
        return Rule(centre, others, allowed(len(others)))

    return Statement(rows, cols, lambda cell: True, rule)


def theorem(rows: int, cols: int, around: int) -> Theorem:
    """The least number of mines that one of three arguments shows no valid board to exceed.

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
        (rows * cols - thirds, f"each of {plural(thirds, 'disjoint block')} has an empty cell"),
        (shared, f"each mine is beside an empty cell, which has at most {around}"),
    ]
    if around == 1 and min(rows, cols) >= 2:
        bounds.append(
            (thirds, f"each of {plural(thirds, 'block')} of 3x3 cells, the last cut off, has at most one")
        )
    return Theorem(*min(bounds))


def most(instance: Rectangle, asked: Asked, value: MaxMines) -> Claim:
    if value.board is None:
        return NotStated("the answer shows no board")
    if value.bound not in (None, value.mines):
        return NotStated(
            f"{plural(value.mines, 'mine')} claimed to be the most, and {value.bound} to be a bound"
        )
    if any(part is not None for part in (value.optimal_boards, value.distinct_boards, value.boards)):
        return NotStated(COUNTED)
    size = (instance.rows, instance.cols, instance.around)
    return Extreme(value.mines, theorem=theorem(*size), filling=Placing.of(*size))


COUNTED = "how many boards have the most mines is not proved"
RULES = Rules[Rectangle]({"most": most}, statement, unstated={"count": COUNTED, "every": COUNTED})
