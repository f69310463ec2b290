"""Where the frontiers from both ends of a board meet.

A board read from its other end is a board: the frontier from below behind some lines is the frontier from
above behind as many. So the best board is the best pair of states, one behind the upper half of the lines and
one behind the lower, each of which gets from the other's last line what it still needs.

To find it, not all pairs are tried: place one more line behind one side, of which nothing is asked. What is
left is, for each placement of mines on that line, the most mines that the side has if it is met by it. That
bounds every state of the other side, and few are left of either.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.problems.maxmines.frontier import Frontier, in_slices

__all__ = ["meet"]

PAIRS = 1 << 24
"""Pairs of states from one check of the time to the next."""

Layer = NDArray[np.uint64]


def meet(upper: Frontier, lower: Frontier, floor: int) -> tuple[int, tuple[int, int] | None]:
    """The best board of an upper and a lower part, if it has more than `floor` mines.

    Returns
    -------
    mines, numbers
        The most mines, and the numbers of the two states (see `Frontier.board`); `floor` and None if there
        is no better pair.
    """
    most = [_totals(upper, lower), _totals(lower, upper)]
    for target in range(min(int(part.max()) for part in most), floor, -1):
        sides = [
            _by_mines(side.layer[part >= target]) for side, part in zip((upper, lower), most, strict=True)
        ]
        pair = _pair(sides[0], sides[1], upper.width, target, upper.limits)
        if pair is not None:
            return target, pair
    return floor, None


def _totals(side: Frontier, other: Frontier) -> NDArray[np.int32]:
    """For each slot the most mines of a board through it, by what the other side can have; -1 for none."""
    from cpmines.problems.maxmines.kernels import meeting as kernels

    out = np.empty(len(side.layer), np.int32)
    arguments = (other.one_more(), side.width, out)
    in_slices(partial(kernels.totals, side.layer), len(out), side.limits, *arguments)
    return out


def _by_mines(states: Layer) -> Layer:
    return np.ascontiguousarray(states[np.argsort(~(states[:, 1] >> np.uint64(32)), kind="stable")])


def _pair(upper: Layer, lower: Layer, width: int, target: int, limits: Limits) -> tuple[int, int] | None:
    from cpmines.problems.maxmines.kernels import meeting as kernels

    step = max(1, PAIRS // max(1, len(lower)))
    for start in range(0, len(upper), step):
        limits.check()
        i, j = kernels.first_pair(upper, lower, start, min(start + step, len(upper)), width, target)
        if i >= 0:
            return int(upper[i, 1] & 0xFFFFFFFF), int(lower[j, 1] & 0xFFFFFFFF)
    return None
