"""What each number of mines in a component is worth, given the total.

Let P_c be the polynomial of component c, f the number of cells that touch no open clue, and m the mines that
are left. With a mines in all components the other cells have binomial(f, m - a) placements. Prefix products
of the P_c from the left, and these binomials carried through the P_c from the right, give for every component
the weight of each number of mines in it: all components together cost about three products.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.analysis.kernels.state import LENGTH, REALS_AT, Ints, Reals, State
from cpmines.jit import kernel

__all__ = ["dot", "polynomial", "prefixes", "rest", "weigh"]


@kernel
def polynomial(state: State, c: int, index: int) -> Reals:
    """Coefficients of a component, `index` 0, or of its class `index` - 1 with a certain cell a mine."""
    row = state.table[c]
    start = row[REALS_AT] + index * row[LENGTH]
    return state.reals[start : start + row[LENGTH]]


@kernel
def dot(a: Reals, b: Reals) -> float:
    total = 0.0
    for k in range(len(a)):
        total += a[k] * b[k]
    return total


@kernel
def rest(free: int, left: int, least: int, span: int) -> Reals:
    """binomial(free, left - least - a) for a from 0 to span - 1, divided by the largest of them."""
    ways = np.zeros(span)
    first, last = max(0, left - least - free), min(span - 1, left - least)
    if first > last:
        return ways
    top = min(max(first, left - least - free // 2), last)
    ways[top] = 1.0
    for a in range(top, last):
        mines = left - least - a
        ways[a + 1] = ways[a] * mines / (free - mines + 1)
    for a in range(top, first, -1):
        mines = left - least - a
        ways[a - 1] = ways[a] * (free - mines) / (mines + 1)
    return ways


@kernel
def scale(values: Reals, precise: bool) -> float:
    """1, or 1 / the largest value where a zero need not be a true zero and values may be out of range."""
    if precise:
        return 1.0
    largest = 0.0
    for value in values:
        largest = max(largest, value)
    return 1 / largest


@kernel
def prefixes(state: State, live: Ints, span: int, precise: bool) -> NDArray[np.float64]:
    """Row i: coefficients of the product of the first i components; float64 (components + 1, span)."""
    products = np.zeros((len(live) + 1, span))
    products[0, 0] = 1.0
    length = 1
    for i in range(len(live)):
        own = polynomial(state, live[i], 0)
        factor = scale(own, precise)
        for k in range(len(own)):
            for a in range(length):
                products[i + 1, a + k] += products[i, a] * (factor * own[k])
        length += len(own) - 1
        factor = scale(products[i + 1], precise)
        for a in range(length):
            products[i + 1, a] *= factor
    return products


@kernel
def weigh(
    state: State, c: int, before: Reals, after: Reals, length: int, precise: bool
) -> tuple[Reals, Reals]:
    """The weight of each number of mines in component c, and `after` carried through it.

    With k mines in c and a in those before it, all but c have ``before[a] * after[a + k]`` placements. Both
    results are correlations, not products: the index of `after` counts all mines up to c.

    Parameters
    ----------
    before, after
        By mines in the components before c, of which there are up to `length` - 1, and up to and with c.
    """
    own = polynomial(state, c, 0)
    factor = scale(own, precise)
    weights, carried = np.zeros(len(own)), np.zeros(length)
    for k in range(len(own)):
        for a in range(length):
            weights[k] += before[a] * after[a + k]
            carried[a] += factor * own[k] * after[a + k]
    factor = scale(carried, precise)
    for a in range(length):
        carried[a] *= factor
    return weights, carried
