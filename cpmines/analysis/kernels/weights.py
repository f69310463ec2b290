"""What each number of mines in a component is worth, given the total.

Let P_c be the polynomial of component c, f the number of cells that touch no open clue, and m the mines that
are left. With a mines in all components the other cells have binomial(f, m - a) placements. Prefix products
of the P_c from the left, and these binomials carried through the P_c from the right, give for every component
the weight of each number of mines in it: all components together cost about three products.
"""

import cython
from cython.cimports.cpmines.analysis.kernels.state import LENGTH, REALS_AT, State
from cython.cimports.cpmines.analysis.kernels.weights import Values
from cython.cimports.cpmines.kernels.arrays import int64
from cython.cimports.cpmines.kernels.buffers import IntBuffer, RealBuffer
from cython.cimports.cpmines.kernels.pulse import Pulse, beat


class Weights:
    """Scratch of an answer.

    Attributes
    ----------
    live
        The standing components.
    products
        Row i: coefficients of the product of the first i components; as wide as that of all of them.
    after, weights, carried
        The free cells carried through the components behind one; the weight of each number of mines in one;
        `after` carried through it.
    chances, verdicts
        Of the classes of a component.
    """

    def __init__(self) -> None:
        self.live, self.verdicts = IntBuffer(), IntBuffer()
        self.products, self.after, self.weights = RealBuffer(), RealBuffer(), RealBuffer()
        self.carried, self.chances = RealBuffer(), RealBuffer()


def polynomial(state: State, c: int64, index: int64) -> Values:
    """Coefficients of a component, `index` 0, or of its class `index` - 1 with a certain cell a mine."""
    return cython.address(state.reals[state.table[c, REALS_AT] + index * state.table[c, LENGTH]])


def dot(a: Values, b: Values, count: int64) -> cython.double:
    total: cython.double = 0.0
    for k in range(count):
        total += a[k] * b[k]
    return total


def rest(free: int64, left: int64, least: int64, span: int64, ways: Values) -> cython.void:
    """Set `ways` to binomial(free, left - least - a) for a below `span`, divided by the largest of them."""
    first: int64 = max(0, left - least - free)
    last: int64 = min(span - 1, left - least)
    top: int64 = min(max(first, left - least - free // 2), last)
    mines: int64
    a: int64
    for a in range(span):
        ways[a] = 0.0
    if first > last:
        return
    ways[top] = 1.0  # each of the others from its neighbour: no binomial is out of range
    for a in range(top, last):
        mines = left - least - a
        ways[a + 1] = ways[a] * mines / (free - mines + 1)
    for a in range(top, first, -1):
        mines = left - least - a
        ways[a - 1] = ways[a] * (free - mines) / (mines + 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scale(values: Values, count: int64, precise: cython.bint) -> cython.double:
    """1, or 1 / the largest value where a zero need not be a true zero and values may be out of range."""
    largest: cython.double = 0.0
    if precise:
        return 1.0
    for k in range(count):
        largest = max(largest, values[k])
    return 1 / largest


def prefixes(
    state: State, scratch: Weights, count: int64, span: int64, precise: cython.bint, pulse: Pulse
) -> cython.int:
    """Set `products`, of ``count + 1`` rows, for the first `count` components that are `live`."""
    length: int64 = 1
    size: int64
    i: int64
    a: int64
    k: int64
    factor: cython.double
    own: Values
    here: Values
    following: Values
    scratch.products.reserve((count + 1) * span)
    for k in range((count + 1) * span):
        scratch.products.at[k] = 0.0
    scratch.products.at[0] = 1.0
    for i in range(count):
        own = polynomial(state, scratch.live.at[i], 0)
        size = state.table[scratch.live.at[i], LENGTH]
        here = scratch.products.at + i * span
        following = here + span
        factor = scale(own, size, precise)
        for k in range(size):
            beat(pulse)
            for a in range(length):
                following[a + k] += here[a] * (factor * own[k])
        length += size - 1  # of the numbers of mines in the first components
        factor = scale(following, span, precise)
        for a in range(length):
            following[a] *= factor
    return 0


def weigh(
    state: State,
    scratch: Weights,
    c: int64,
    before: Values,
    length: int64,
    precise: cython.bint,
    pulse: Pulse,
) -> cython.int:
    """Set the weight of each number of mines in component c, and `after` to what it is carried through it.

    With k mines in c and a in those before it, all but c have ``before[a] * after[a + k]`` placements. Both
    results are correlations, not products: the index of `after` counts all mines up to c.

    Parameters
    ----------
    before
        By mines in the components before c, of which there are up to `length` - 1; `after`, up to and with c.
    """
    own: Values = polynomial(state, c, 0)
    size: int64 = state.table[c, LENGTH]
    k: int64
    a: int64
    factor: cython.double = scale(own, size, precise)
    total: cython.double
    scratch.weights.reserve(size)
    scratch.carried.reserve(length)
    after: Values = scratch.after.at
    carried: Values = scratch.carried.at
    for a in range(length):
        carried[a] = 0.0
    for k in range(size):
        beat(pulse)
        total = 0.0
        for a in range(length):
            total += before[a] * after[a + k]
            carried[a] += factor * own[k] * after[a + k]
        scratch.weights.at[k] = total
    factor = scale(carried, length, precise)
    for a in range(length):
        after[a] = carried[a] * factor
    return 0
