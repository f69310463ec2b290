"""The most mines in a window of a board, whatever surrounds it: what strong models add to the rules."""

from __future__ import annotations

from functools import cache

from cpmines.answer import Limits
from cpmines.problems.maxmines.frontier import Frontier
from cpmines.problems.maxmines.steps import Sides, line_steps

__all__ = ["window_bound"]


@cache
def window_bound(down: tuple[int, int], across: tuple[int, int], around: int) -> int:
    """The most mines in a window of a valid board, by the frontier.

    Proof: of a valid board, the part in the window satisfies two conditions that the rest does not enter: an
    empty cell has at most M mines among its neighbours in the window; a mine none of whose neighbours lies
    outside the window has an empty neighbour in it. The maximum over all parts that satisfy them is a bound.

    Parameters
    ----------
    down, across
        The window's length, and how many of its two ends in that direction lie on the border of the board.
        Which of the two it is, and which direction, makes no difference by symmetry.
    """
    (width, ends_across), (length, ends_along) = sorted([down, across])
    sides = Sides(ends_along < 1, ends_along < 2, ends_across < 1, ends_across < 2)
    steps = line_steps(width, min(length, 3), sides)
    frontier = Frontier.start(width, around, Limits())
    for line in range(length):
        frontier.place_line(steps[0 if line == 0 else -1 if line == length - 1 else 1], line)
    return int(frontier.layer[:, 1].max() >> 32) - 1
