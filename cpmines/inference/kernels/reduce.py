"""Preprocessing of a network that keeps its solutions: cells are tied and decided, sums made shorter.

A cell is tied to its parent: it equals the parent, or is its opposite (``flipped``). The last entry stands
for the value 0, so that a decided cell is one tied to it. A sum is a list of terms ``coefficient * cell``,
where a negative coefficient -c stands for ``c * (1 - cell)``: no term is ever negative.
"""

import cython
from cython.cimports.cpmines.kernels.arrays import int8, int64, magnitude
from cython.cimports.cpmines.kernels.pulse import Pulse, beat
from cython.cimports.cpmines.kernels.structure import Structure

__all__ = ["Reducer", "settle"]


class Reducer(Structure):
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


def find(reducer: Reducer, cell: int64) -> tuple[int64, int64]:
    """Root of a cell, and 1 if the cell is its opposite; paths are halved."""
    parent = reducer.parent
    flipped = reducer.flipped
    flip: int8 = 0
    up: int64
    while parent[cell] != cell:
        up = parent[cell]
        flipped[cell] ^= flipped[up]
        parent[cell] = parent[up]
        flip ^= flipped[cell]
        cell = parent[cell]
    return cell, flip


def enqueue(reducer: Reducer, s: int64) -> cython.void:
    if not reducer.waiting[s]:
        reducer.waiting[s] = 1
        reducer.queue[reducer.counters[QUEUED]] = s
        reducer.counters[QUEUED] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tie(reducer: Reducer, a: int64, b: int64, opposite: int64) -> cython.void:
    """Make root `a` equal to root `b`, or the opposite; the sums of the smaller part are to be looked at."""
    zero: int64 = len(reducer.parent) - 1
    if a == zero or (b != zero and reducer.members[a] > reducer.members[b]):
        a, b = b, a
    cell: int64 = a
    while True:
        for k in range(reducer.cell_starts[cell], reducer.cell_starts[cell + 1]):
            enqueue(reducer, reducer.cell_sums[k])
        cell = reducer.following[cell]
        if cell == a:
            break
    reducer.parent[a], reducer.flipped[a] = b, opposite
    reducer.members[b] += reducer.members[a]
    reducer.following[a], reducer.following[b] = reducer.following[b], reducer.following[a]


def decide(reducer: Reducer, cell: int64, coefficient: int64, holds: int64) -> cython.void:
    """Give the literal of a term the value `holds`."""
    tie(reducer, cell, len(reducer.parent) - 1, holds if coefficient > 0 else 1 - holds)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def gather(reducer: Reducer, s: int64, pulse: Pulse) -> cython.int:
    """Write the terms of a sum in roots, each at most once, without decided ones.

    In place: a term is read before its place can be written, as the terms written are never more. Each is
    searched among those written: in a long sum that is a step, or several. Broken off, it is half written.
    """
    start: int64 = reducer.starts[s]
    zero: int64 = len(reducer.parent) - 1
    count: int64 = 0
    coefficient: int64
    size: int64
    positive: cython.bint
    place: int64
    before: int64
    k: int64
    for k in range(start, start + reducer.lengths[s]):
        if count >= LONG:
            pulse.left -= count // LONG
            beat(pulse)
        root, flip = find(reducer, reducer.cells[k])
        coefficient = reducer.coefficients[k]
        size, positive = magnitude(coefficient), (coefficient > 0) != flip
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
        reducer.need[s] -= min(magnitude(before), size)
        reducer.coefficients[place] += size if positive else -size
    kept: int64 = start
    for k in range(start, start + count):
        if reducer.coefficients[k] != 0:
            reducer.cells[kept], reducer.coefficients[kept] = reducer.cells[k], reducer.coefficients[k]
            kept += 1
    reducer.lengths[s] = kept - start
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def look(reducer: Reducer, s: int64) -> cython.bint:
    """Draw what follows from one gathered sum alone; true if anything was decided or tied.

    Two rules. *Bounds:* a term larger than the need can't hold, and one without which the others don't
    reach the need must. *Parity:* modulo 2 only odd coefficients matter, so a single odd term has the
    parity of the need, and of two, each has that of the need and the other: they are equal or opposite. It
    stops at the first thing it finds, since the terms are then to be gathered anew.
    """
    start: int64 = reducer.starts[s]
    end: int64 = start + reducer.lengths[s]
    need: int64 = reducer.need[s]
    total: int64 = 0
    odd: int64 = 0
    first: int64 = -1
    second: int64 = -1
    size: int64
    flip: int64
    k: int64
    for k in range(start, end):
        total += magnitude(reducer.coefficients[k])
        if reducer.coefficients[k] & 1:
            odd += 1
            first, second = k, first
    if need < 0 or need > total or (odd == 0 and need & 1):
        reducer.counters[BROKEN] = s
        return False
    for k in range(start, end):
        size = magnitude(reducer.coefficients[k])
        if size > need or size > total - need:  # if both, the sum is broken, and is found so when gathered
            decide(reducer, reducer.cells[k], reducer.coefficients[k], size <= need)
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


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def run(reducer: Reducer, pulse: Pulse) -> cython.int:
    counters = reducer.counters
    total: int64
    while counters[QUEUED] > 0 and counters[BROKEN] < 0:
        counters[QUEUED] -= 1
        total = reducer.queue[counters[QUEUED]]
        reducer.waiting[total] = 0
        while True:
            beat(pulse)
            gather(reducer, total, pulse)
            if reducer.lengths[total] == 0:
                if reducer.need[total] != 0:
                    counters[BROKEN] = total
                break
            if not look(reducer, total):
                break
    return 0


def settle(reducer: Reducer, pulse: Pulse) -> None:
    """Look at queued sums until none is left or one is broken."""
    with cython.nogil:
        run(reducer, pulse)
