"""Which cells have the same value in all solutions, found by searching for solutions that differ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.inference.network import Network
from cpmines.inference.reduction import reduce
from cpmines.inference.search import search
from cpmines.sums.boards import OPEN

__all__ = ["OPEN", "backbone"]

Values = NDArray[np.int8]


def backbone(component: Network, values: Values, limits: Limits, most: int) -> Values | None:
    """`values`, a solution, with `OPEN` in the cells that have another value in another solution.

    Every solution found settles all cells in which it differs. A cell that is found to be forced is one more
    sum, and preprocessing tells what follows from it. None if that would take more than `most` searches.

    Raises
    ------
    LimitError
    """
    differs = np.zeros(len(values), np.bool_)
    for _ in range(most):
        reduced = reduce(component, limits)
        assert reduced is not None
        left = np.flatnonzero((reduced.variable >= 0) & ~differs)
        while len(left):
            cell = int(left[0])
            other = search(pinned(component, cell, 1 - int(values[cell])), limits, 1 - values)
            if other is None:
                component = pinned(component, cell, int(values[cell]))
                break
            differs |= other != values
            left = left[~differs[left]]
        else:
            return np.where(differs, np.int8(OPEN), values)
    return None


def pinned(component: Network, cell: int, value: int) -> Network:
    """The component with one more sum, of one cell."""
    return component.with_sum(np.array([cell], np.int32), value, value)
