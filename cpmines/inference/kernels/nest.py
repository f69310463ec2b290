"""Sums compared with each other: one within another is taken off it, two that overlap bound each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.inference.kernels.reduce import BROKEN, Reducer, decide, enqueue, find
from cpmines.jit import kernel

__all__ = ["index", "nest"]

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
Longs = NDArray[np.int64]


@kernel
def index(reducer: Reducer) -> tuple[Longs, Ints, Ints]:
    """The terms by root: where those of each root begin, and for each term its sum and its coefficient."""
    starts = np.zeros(len(reducer.parent) + 1, np.int64)
    for s in range(len(reducer.need)):
        for k in range(reducer.starts[s], reducer.starts[s] + reducer.lengths[s]):
            starts[reducer.cells[k] + 1] += 1
    starts = np.cumsum(starts)
    fill = starts.copy()
    sums, coefficients = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.int32)
    for s in range(len(reducer.need)):
        for k in range(reducer.starts[s], reducer.starts[s] + reducer.lengths[s]):
            place = fill[reducer.cells[k]]
            sums[place], coefficients[place] = s, reducer.coefficients[k]
            fill[reducer.cells[k]] += 1
    return starts, sums, coefficients


@kernel
def force(reducer: Reducer, s: int, common: Bytes, which: int, holds: int) -> None:
    """Give the literals of the terms of sum `s` that are marked `which` in `common` the value `holds`."""
    start, zero = reducer.starts[s], len(reducer.parent) - 1
    for k in range(reducer.lengths[s]):
        if common[k] != which:
            continue
        root, flip = find(reducer, reducer.cells[start + k])
        coefficient = reducer.coefficients[start + k]
        if root != zero:
            decide(reducer, root, -coefficient if flip else coefficient, holds)
        elif (holds if coefficient > 0 else 1 - holds) != flip:
            reducer.counters[BROKEN] = s


@kernel
def overlap(reducer: Reducer, s: int, t: int, in_s: Bytes, in_t: Bytes) -> tuple[int, int]:
    """Mark the terms that two sums have in common, and return their number and what they weigh."""
    in_s[:], in_t[:] = 0, 0
    count = weight = 0
    for i in range(reducer.lengths[s]):
        for j in range(reducer.lengths[t]):
            a, b = reducer.starts[s] + i, reducer.starts[t] + j
            if reducer.cells[a] == reducer.cells[b] and reducer.coefficients[a] == reducer.coefficients[b]:
                in_s[i] = in_t[j] = 1
                count += 1
                weight += abs(reducer.coefficients[a])
    return count, weight


@kernel
def weigh(reducer: Reducer, s: int) -> int:
    total = 0
    for k in range(reducer.starts[s], reducer.starts[s] + reducer.lengths[s]):
        total += abs(reducer.coefficients[k])
    return total


@kernel
def subtract(reducer: Reducer, s: int, t: int, in_t: Bytes) -> None:
    """Take the terms of `s`, all marked in `in_t`, off the sum `t`."""
    kept = start = reducer.starts[t]
    for k in range(reducer.lengths[t]):
        if not in_t[k]:
            reducer.cells[kept] = reducer.cells[start + k]
            reducer.coefficients[kept] = reducer.coefficients[start + k]
            kept += 1
    reducer.lengths[t] = kept - start
    reducer.need[t] -= reducer.need[s]
    enqueue(reducer, t)


@kernel
def bound(reducer: Reducer, s: int, t: int, weight: int, in_s: Bytes, in_t: Bytes) -> bool:
    """Decide what follows from the bounds that two sums set to their common terms, which weigh `weight`.

    The common terms C of S and T add up to S - (S without C), and no part is negative or above its weight.
    """
    need_s, need_t = reducer.need[s], reducer.need[t]
    rest_s, rest_t = weigh(reducer, s) - weight, weigh(reducer, t) - weight
    low = max(0, need_s - rest_s, need_t - rest_t)
    high = min(weight, need_s, need_t)
    if low > high:
        reducer.counters[BROKEN] = s
        return False
    found = False
    if high == 0 or low == weight:
        force(reducer, s, in_s, 1, int(low == weight))
        found = True
    # Beside C a sum has need - C: nothing if C is never below the need, all if C at its most leaves as much.
    if rest_s and (need_s == low or need_s - high == rest_s):
        force(reducer, s, in_s, 0, int(need_s != low))
        found = True
    if rest_t and (need_t == low or need_t - high == rest_t):
        force(reducer, t, in_t, 0, int(need_t != low))
        found = True
    return found


@kernel
def nest(reducer: Reducer, first: int, last: int) -> bool:
    """Compare the sums from `first` to `last` with those that they share cells with; true if that helped.

    A sum within another is taken off it; of two that overlap, each bounds what they share. Terms may be tied
    or decided on the way: then they are read as they stand, which stays true, and gathered again later. The
    index is not kept up to date either; what it names too much is found to have nothing in common.
    """
    starts, sums, _ = index(reducer)
    in_s, in_t = np.empty(9, np.int8), np.empty(9, np.int8)  # a sum is a block: at most nine terms
    seen = np.full(len(reducer.need), -1, np.int32)
    found = False
    for s in range(first, last):
        seen[s] = s
        for k in range(reducer.starts[s], reducer.starts[s] + reducer.lengths[s]):
            for place in range(starts[reducer.cells[k]], starts[reducer.cells[k] + 1]):
                t = sums[place]
                if seen[t] == s or reducer.counters[BROKEN] >= 0:
                    continue
                seen[t] = s
                count, weight = overlap(reducer, s, t, in_s, in_t)
                if count == 0:
                    continue
                if count == reducer.lengths[s]:
                    subtract(reducer, s, t, in_t)
                    found = True
                elif s < t and count < reducer.lengths[t]:  # T within S waits until T is the first of the two
                    found |= bound(reducer, s, t, weight, in_s, in_t)
    return found
