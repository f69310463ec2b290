"""Sums compared with each other: one within another is taken off it, two that overlap bound each other."""

import cython
import numpy as np
from cython.cimports.cpmines.inference.kernels.reduce import BROKEN, LONG, Reducer, decide, enqueue, find
from cython.cimports.cpmines.kernels.arrays import Ints, Longs, int8, int64, magnitude
from cython.cimports.cpmines.kernels.pulse import Pulse, beat

__all__ = ["nest"]

Marks = cython.typedef(int8[::1])
"""Of the terms of a sum, which another one has."""


class TermIndex:
    """The terms of a reduction by root.

    Attributes
    ----------
    starts
        int64 (cells + 2,): where those of each root begin.
    sums, coefficients
        int32 (terms,): sum and coefficient of each term.
    """

    def __init__(self, reducer: Reducer, pulse: Pulse) -> None:
        starts = np.zeros(len(reducer.parent) + 1, np.int64)
        self.starts = starts
        with cython.nogil:
            count_terms(reducer, self.starts, pulse)
        np.cumsum(starts, out=starts)
        terms = int(starts.max())
        self.sums, self.coefficients = np.empty(terms, np.int32), np.empty(terms, np.int32)
        fill: Longs = starts.copy()
        with cython.nogil:
            fill_terms(reducer, fill, self, pulse)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def count_terms(reducer: Reducer, starts: Longs, pulse: Pulse) -> cython.int:
    total: int64
    k: int64
    for total in range(len(reducer.need)):
        beat(pulse)
        for k in range(reducer.starts[total], reducer.starts[total] + reducer.lengths[total]):
            starts[reducer.cells[k] + 1] += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def fill_terms(reducer: Reducer, fill: Longs, index: TermIndex, pulse: Pulse) -> cython.int:
    total: int64
    place: int64
    k: int64
    for total in range(len(reducer.need)):
        beat(pulse)
        for k in range(reducer.starts[total], reducer.starts[total] + reducer.lengths[total]):
            place = fill[reducer.cells[k]]
            index.sums[place], index.coefficients[place] = total, reducer.coefficients[k]
            fill[reducer.cells[k]] += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def force(reducer: Reducer, s: int64, common: Marks, which: int64, holds: int64) -> cython.void:
    """Give the literals of the terms of sum `s` that are marked `which` in `common` the value `holds`."""
    start: int64 = reducer.starts[s]
    zero: int64 = len(reducer.parent) - 1
    coefficient: int64
    k: int64
    for k in range(reducer.lengths[s]):
        if common[k] != which:
            continue
        root, flip = find(reducer, reducer.cells[start + k])
        coefficient = reducer.coefficients[start + k]
        if root != zero:
            decide(reducer, root, -coefficient if flip else coefficient, holds)
        elif (holds if coefficient > 0 else 1 - holds) != flip:
            reducer.counters[BROKEN] = s


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def overlap(
    reducer: Reducer, s: int64, first: int64, last: int64, t: int64, in_s: Marks, in_t: Marks
) -> tuple[int64, int64]:
    """Mark the terms `first` to `last` of `s` that `t` has, too; their number and what they weigh."""
    count: int64 = 0
    weight: int64 = 0
    a: int64
    b: int64
    i: int64
    j: int64
    for i in range(first, last):
        for j in range(reducer.lengths[t]):
            a, b = reducer.starts[s] + i, reducer.starts[t] + j
            if reducer.cells[a] == reducer.cells[b] and reducer.coefficients[a] == reducer.coefficients[b]:
                in_s[i] = in_t[j] = 1
                count += 1
                weight += magnitude(reducer.coefficients[a])
    return count, weight


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weigh(reducer: Reducer, s: int64) -> int64:
    total: int64 = 0
    k: int64
    for k in range(reducer.starts[s], reducer.starts[s] + reducer.lengths[s]):
        total += magnitude(reducer.coefficients[k])
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def subtract(reducer: Reducer, s: int64, t: int64, in_t: Marks) -> cython.void:
    """Take the terms of `s`, all marked in `in_t`, off the sum `t`."""
    start: int64 = reducer.starts[t]
    kept: int64 = start
    k: int64
    for k in range(reducer.lengths[t]):
        if not in_t[k]:
            reducer.cells[kept] = reducer.cells[start + k]
            reducer.coefficients[kept] = reducer.coefficients[start + k]
            kept += 1
    reducer.lengths[t] = kept - start
    reducer.need[t] -= reducer.need[s]
    enqueue(reducer, t)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bound(reducer: Reducer, s: int64, t: int64, weight: int64, in_s: Marks, in_t: Marks) -> cython.bint:
    """Decide what follows from the bounds that two sums set to their common terms, which weigh `weight`.

    The common terms C of S and T add up to S - (S without C), and no part is negative or above its weight.
    """
    need_s: int64 = reducer.need[s]
    need_t: int64 = reducer.need[t]
    rest_s: int64 = weigh(reducer, s) - weight
    rest_t: int64 = weigh(reducer, t) - weight
    low: int64 = max(0, need_s - rest_s, need_t - rest_t)
    high: int64 = min(weight, need_s, need_t)
    if low > high:
        reducer.counters[BROKEN] = s
        return False
    found: cython.bint = False
    if high == 0 or low == weight:
        force(reducer, s, in_s, 1, low == weight)
        found = True
    # Beside C a sum has need - C: nothing if C is never below the need, all if C at its most leaves as much.
    if rest_s and (need_s == low or need_s - high == rest_s):
        force(reducer, s, in_s, 0, need_s != low)
        found = True
    if rest_t and (need_t == low or need_t - high == rest_t):
        force(reducer, t, in_t, 0, need_t != low)
        found = True
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def compare(reducer: Reducer, s: int64, t: int64, in_s: Marks, in_t: Marks, pulse: Pulse) -> cython.int:
    """Compare two sums that share a cell; true if that helped.

    Long sums are compared in parts; a step of the pulse is `LONG` pairs of terms.
    """
    count: int64 = 0
    weight: int64 = 0
    first: int64 = 0
    last: int64
    for k in range(reducer.lengths[s]):
        in_s[k] = 0
    for k in range(reducer.lengths[t]):
        in_t[k] = 0
    while first < reducer.lengths[s]:
        last = min(first + LONG, reducer.lengths[s])
        more, heavier = overlap(reducer, s, first, last, t, in_s, in_t)
        count += more
        weight += heavier
        pulse.left -= (last - first) * reducer.lengths[t] // LONG
        beat(pulse)
        first = last
    if count == 0:
        return False
    if count == reducer.lengths[s]:
        subtract(reducer, s, t, in_t)
        return True
    # T within S waits until T is the first of the two.
    return s < t and count < reducer.lengths[t] and bound(reducer, s, t, weight, in_s, in_t)


def nest(reducer: Reducer, first: int64, last: int64, pulse: Pulse) -> bool:
    """Compare the sums from `first` to `last` with those that they share cells with; true if that helped.

    A sum within another is taken off it; of two that overlap, each bounds what they share. Terms may be tied
    or decided on the way: then they are read as they stand, which stays true, and gathered again later. The
    index is not kept up to date either; what it names too much is found to have nothing in common.
    """
    index = TermIndex(reducer, pulse)
    seen: Ints = np.full(len(reducer.need), -1, np.int32)
    longest = int(np.max(reducer.lengths, initial=0))
    in_s: Marks = np.empty(longest, np.int8)
    in_t: Marks = np.empty(longest, np.int8)
    found: cython.bint = False
    s: int64
    t: int64
    k: int64
    place: int64
    with cython.nogil:
        for s in range(first, last):
            beat(pulse)
            seen[s] = s
            for k in range(reducer.starts[s], reducer.starts[s] + reducer.lengths[s]):
                for place in range(index.starts[reducer.cells[k]], index.starts[reducer.cells[k] + 1]):
                    t = index.sums[place]
                    if seen[t] == s or reducer.counters[BROKEN] >= 0:
                        continue
                    seen[t] = s
                    found |= compare(reducer, s, t, in_s, in_t, pulse)
    return found
