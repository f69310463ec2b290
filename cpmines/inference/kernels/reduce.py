"""Preprocessing of a network that keeps its solutions: cells are tied and decided, sums made shorter.

A cell is tied to its parent: it equals the parent, or is its opposite (``flipped``). The last entry stands
for the value 0, so that a decided cell is one tied to it. A sum is a list of terms ``coefficient * cell``,
where a negative coefficient -c stands for ``c * (1 - cell)``: no term is ever negative.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel

__all__ = ["BROKEN", "COUNTERS", "QUEUED", "Reducer", "decide", "enqueue", "find", "settle"]

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
Longs = NDArray[np.int64]

QUEUED, BROKEN = range(2)
"""Entries of `counters`: sums in the queue, and a sum that can't be met (-1: none)."""
COUNTERS = 2


class Reducer(NamedTuple):
    """All arrays of one reduction; kernels modify them in place.

    Attributes
    ----------
    parent, flipped
        int32, int8 (cells + 1,): the ties.
    following, members
        int32 (cells + 1,): the cells tied together as a ring, and at a root how many they are.
    cell_starts, cell_sums
        The sums of each cell, as in `cpmines.inference.network.Network`; not modified.
    starts, lengths, cells, coefficients
        Sum s has ``lengths[s]`` terms from place ``starts[s]`` on.
    need
        int32 (sums,): what the terms of each sum add up to.
    queue, waiting
        int32 (sums,), int8 (sums,): sums to be looked at, and which are among them.
    """

    parent: Ints
    flipped: Bytes
    following: Ints
    members: Ints
    cell_starts: Ints
    cell_sums: Ints
    starts: Ints
    lengths: Ints
    cells: Ints
    coefficients: Ints
    need: Ints
    queue: Ints
    waiting: Bytes
    counters: Longs


@kernel
def find(reducer: Reducer, cell: int) -> tuple[int, int]:
    """Root of a cell, and 1 if the cell is its opposite; paths are halved."""
    parent, flipped = reducer.parent, reducer.flipped
    flip = np.int8(0)
    while parent[cell] != cell:
        up = parent[cell]
        flipped[cell] ^= flipped[up]
        parent[cell] = parent[up]
        flip ^= flipped[cell]
        cell = parent[cell]
    return cell, int(flip)


@kernel
def enqueue(reducer: Reducer, s: int) -> None:
    if not reducer.waiting[s]:
        reducer.waiting[s] = 1
        reducer.queue[reducer.counters[QUEUED]] = s
        reducer.counters[QUEUED] += 1


@kernel
def tie(reducer: Reducer, a: int, b: int, opposite: int) -> None:
    """Make root `a` equal to root `b`, or the opposite; the sums of the smaller part are to be looked at."""
    zero = len(reducer.parent) - 1
    if a == zero or (b != zero and reducer.members[a] > reducer.members[b]):
        a, b = b, a
    cell = a
    while True:
        for k in range(reducer.cell_starts[cell], reducer.cell_starts[cell + 1]):
            enqueue(reducer, reducer.cell_sums[k])
        cell = reducer.following[cell]
        if cell == a:
            break
    reducer.parent[a], reducer.flipped[a] = b, opposite
    reducer.members[b] += reducer.members[a]
    reducer.following[a], reducer.following[b] = reducer.following[b], reducer.following[a]


@kernel
def decide(reducer: Reducer, cell: int, coefficient: int, holds: int) -> None:
    """Give the literal of a term the value `holds`."""
    tie(reducer, cell, len(reducer.parent) - 1, holds if coefficient > 0 else 1 - holds)


@kernel
def gather(reducer: Reducer, s: int) -> None:
    """Write the terms of a sum in roots, each at most once, without decided ones.

    In place: a term is read before its place can be written, as the terms written are never more.
    """
    start, zero = reducer.starts[s], len(reducer.parent) - 1
    count = 0
    for k in range(start, start + reducer.lengths[s]):
        root, flip = find(reducer, reducer.cells[k])
        coefficient = reducer.coefficients[k]
        size, positive = abs(coefficient), (coefficient > 0) != flip
        if root == zero:  # worth 0; its opposite is worth 1
            reducer.need[s] -= 0 if positive else size
            continue
        place = start
        while place < start + count and reducer.cells[place] != root:
            place += 1
        if place == start + count:
            reducer.cells[place], reducer.coefficients[place] = root, size if positive else -size
            count += 1
            continue
        before = reducer.coefficients[place]
        if (before > 0) == positive:
            reducer.coefficients[place] += size if positive else -size
            continue
        # c x + d (1 - x) = min(c, d) + the larger less the smaller of x or of 1 - x: the signed coefficients
        # add up to it, and the part that x does not matter for leaves the sum.
        reducer.need[s] -= min(abs(before), size)
        reducer.coefficients[place] += size if positive else -size
    kept = start
    for k in range(start, start + count):
        if reducer.coefficients[k] != 0:
            reducer.cells[kept], reducer.coefficients[kept] = reducer.cells[k], reducer.coefficients[k]
            kept += 1
    reducer.lengths[s] = kept - start


@kernel
def look(reducer: Reducer, s: int) -> bool:
    """Draw what follows from one gathered sum alone; true if anything was decided or tied.

    Two rules. *Bounds:* a term larger than the need can't hold, and one without which the others don't
    reach the need must. *Parity:* modulo 2 only odd coefficients matter, so a single odd term has the
    parity of the need, and of two, each has that of the need and the other: they are equal or opposite. It
    stops at the first thing it finds, since the terms are then to be gathered anew.
    """
    start, end = reducer.starts[s], reducer.starts[s] + reducer.lengths[s]
    need, total, odd = reducer.need[s], 0, 0
    first = second = -1
    for k in range(start, end):
        total += abs(reducer.coefficients[k])
        if reducer.coefficients[k] & 1:
            odd += 1
            first, second = k, first
    if need < 0 or need > total or (odd == 0 and need & 1):
        reducer.counters[BROKEN] = s
        return False
    for k in range(start, end):
        size = abs(reducer.coefficients[k])
        if size > need or size > total - need:  # if both, the sum is broken, and is found so when gathered
            decide(reducer, reducer.cells[k], reducer.coefficients[k], int(size <= need))
            return True
    if odd == 1:
        decide(reducer, reducer.cells[first], reducer.coefficients[first], need & 1)
        return True
    if odd == 2:
        # Of a term with a negative coefficient it is the opposite of the cell that is meant.
        flip = (reducer.coefficients[first] > 0) != (reducer.coefficients[second] > 0)
        tie(reducer, reducer.cells[first], reducer.cells[second], (need & 1) ^ flip)
        return True
    return False


@kernel
def settle(reducer: Reducer, budget: int) -> bool:
    """Look at queued sums, `budget` at most, until none is left or one is broken: then true."""
    counters = reducer.counters
    while counters[QUEUED] > 0 and counters[BROKEN] < 0:
        if budget <= 0:
            return False
        counters[QUEUED] -= 1
        s = reducer.queue[counters[QUEUED]]
        reducer.waiting[s] = 0
        while True:
            budget -= 1
            gather(reducer, s)
            if reducer.lengths[s] == 0:
                if reducer.need[s] != 0:
                    counters[BROKEN] = s
                break
            if not look(reducer, s):
                break
    return True
