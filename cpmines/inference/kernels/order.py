"""An order of elimination: sums are closed one by one, next the one whose table promises to be small.

To close a sum, all tables that have it in their scope are joined. What a table promises is the product of
the numbers of partial sums that each sum of its scope can have, or of the sizes of the tables joined, if that
is less; what counts is how much larger it is than the largest of these tables. No order is the best one on
all boards (to find it is NP-hard); greedy choice of the smallest table is what does best in practice
(Kjaerulff, 1990), and `luck` gives others to try.
"""

import cython
from cython.cimports.cpmines.kernels.arrays import int32, int64
from cython.cimports.cpmines.kernels.pulse import Pulse, beat
from cython.cimports.cpmines.kernels.sorting import sort
from cython.cimports.cpmines.kernels.structure import Structure
from cython.cimports.libc.math import INFINITY, exp2, log2

__all__ = ["Planner", "begin", "plan"]

CLOSED = cython.declare(cython.double, INFINITY)
"""The score of a sum that is no longer there."""
LARGEST = cython.declare(cython.double, 500.0)


class Planner(Structure):
    """All arrays of one plan; kernels modify them in place.

    Attributes
    ----------
    need, most
        int32 (sums,): what each sum has to be, and the most that its terms can add up to.
    sum_starts, sum_lengths, sum_tables
        The tables that have the sum in their scope.
    scope_starts, scope, absorbed
        The scope of each table, and the most that its own variables contribute to each sum of it.
    sizes
        float64 (tables,): binary logarithm of the expected number of rows.
    luck
        float64 (sums,): factors of the scores, so that other orders can be had.
    thrift
        How much of the largest table joined is taken off what a table promises, 0 to 1.
    scores
        float64 (sums,): what counts for the order.
    heap_scores, heap_sums
        A heap that may hold old scores besides the present ones.
    seen, taken, found, touched
        Scratch of `survey`: the number of the last survey that met a sum, what the tables contribute to it,
        how many tables have it, and the sums met.
    bucket_starts, bucket_tables
        The tables that each elimination joins; the result of elimination k is table ``leaves + k``.
    """


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def push(planner: Planner, s: int64) -> cython.void:
    """Put a sum into the heap with its present score."""
    scores = planner.heap_scores
    sums = planner.heap_sums
    score: cython.double = planner.scores[s]
    at: int64 = planner.counters[HEAP]
    up: int64
    planner.counters[HEAP] += 1
    while at > 0:
        up = (at - 1) >> 1
        if scores[up] <= score:
            break
        scores[at], sums[at] = scores[up], sums[up]
        at = up
    scores[at], sums[at] = score, s


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pop(planner: Planner) -> int64:
    """Take the sum with the lowest score from the heap; -1 if that score is an old one.

    The last entry takes the place of the first, and sinks to where no entry below it is lower.
    """
    scores = planner.heap_scores
    sums = planner.heap_sums
    best: int64 = sums[0] if planner.scores[sums[0]] == scores[0] else -1
    planner.counters[HEAP] -= 1
    size: int64 = planner.counters[HEAP]
    score: cython.double = scores[size]
    s: int32 = sums[size]
    at: int64 = 0
    down: int64
    while 2 * at + 1 < size:
        down = 2 * at + 1
        if down + 1 < size and scores[down + 1] < scores[down]:
            down += 1
        if scores[down] >= score:
            break
        scores[at], sums[at] = scores[down], sums[down]
        at = down
    scores[at], sums[at] = score, s
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def survey(planner: Planner, s: int64) -> tuple[int64, cython.double, cython.double]:
    """How many sums the tables of `s` have in their scopes; sizes of their join and of the largest one.

    Sizes are binary logarithms: products become sums, and stay within floats.
    """
    planner.counters[EPOCH] += 1
    epoch: int64 = planner.counters[EPOCH]
    count: int64 = 0
    product: cython.double = 0.0
    largest: cython.double = 0.0
    ranges: cython.double = 0.0
    table: int64
    place: int64
    t: int64
    low: int64
    high: int64
    k: int64
    for k in range(planner.sum_starts[s], planner.sum_starts[s] + planner.sum_lengths[s]):
        table = planner.sum_tables[k]
        product += planner.sizes[table]
        largest = max(largest, planner.sizes[table])
        for place in range(planner.scope_starts[table], planner.scope_starts[table + 1]):
            t = planner.scope[place]
            if planner.seen[t] != epoch:  # scratch of an earlier survey: begun anew, never cleared
                planner.seen[t] = epoch
                planner.taken[t] = planner.found[t] = 0
                planner.touched[count] = t
                count += 1
            planner.taken[t] += planner.absorbed[place]
            planner.found[t] += 1
    for k in range(count):
        t = planner.touched[k]
        # A sum that no other table has closes; any other keeps a partial sum, of so many values.
        if planner.found[t] < planner.sum_lengths[t]:
            low = max(0, planner.need[t] - (planner.most[t] - planner.taken[t]))
            high = min(planner.need[t], planner.taken[t])
            ranges += log2(max(1, high - low + 1))
    return count, min(product, ranges), largest


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def rate(planner: Planner, s: int64, pulse: Pulse) -> cython.int:
    """Score a sum, and put it into the heap; a heap that is full is first rid of old scores."""
    beat(pulse)
    found = survey(planner, s)
    score: cython.double = exp2(min(found[1], LARGEST)) - planner.thrift * exp2(min(found[2], LARGEST))
    planner.scores[s] = planner.luck[s] * score
    if planner.counters[HEAP] < len(planner.heap_sums):
        push(planner, s)
        return 0
    planner.counters[HEAP] = 0
    for t in range(len(planner.need)):
        if planner.scores[t] != CLOSED:
            push(planner, t)
    return 0


def begin(planner: Planner, pulse: Pulse) -> None:
    """Score all sums that tables have in their scopes."""
    with cython.nogil:
        for s in range(len(planner.need)):
            planner.scores[s] = CLOSED
        for s in range(len(planner.need)):
            if planner.sum_lengths[s] > 0:
                rate(planner, s, pulse)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def replace(planner: Planner, s: int64, first: int64, last: int64, table: int64) -> cython.void:
    """In the list of tables of a sum, put `table` for those of a bucket."""
    kept: int64 = planner.sum_starts[s]
    joined: cython.bint
    k: int64
    place: int64
    for k in range(kept, kept + planner.sum_lengths[s]):
        joined = False
        for place in range(first, last):
            joined |= planner.bucket_tables[place] == planner.sum_tables[k]
        if not joined:
            planner.sum_tables[kept] = planner.sum_tables[k]
            kept += 1
    planner.sum_tables[kept] = table
    planner.sum_lengths[s] = kept + 1 - planner.sum_starts[s]


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def eliminate(planner: Planner, s: int64, pulse: Pulse) -> cython.int:
    """Plan to join the tables of `s`; `CRAMPED`, with nothing changed, if there is no room for the new scope.

    Only the sums of the new scope change their score: the heap gets a new entry for each, and `pop` passes
    over those that are out of date.
    """
    counters = planner.counters
    found = survey(planner, s)
    count: int64 = found[0]
    step: int64 = counters[STEPS]
    first: int64 = counters[FILLED]
    last: int64 = first + planner.sum_lengths[s]
    t: int64
    k: int64
    # Room is for a table for each variable, and for one for each sum: the latter are numbered from here on.
    table: int64 = len(planner.scope_starts) - 1 - (len(planner.bucket_starts) - 1) + step
    place: int64 = planner.scope_starts[table]
    if place + count > len(planner.scope):
        return CRAMPED
    for k in range(last - first):
        planner.bucket_tables[first + k] = planner.sum_tables[planner.sum_starts[s] + k]
    sort(planner.touched, 0, count)
    for k in range(count):
        t = planner.touched[k]
        if planner.found[t] == planner.sum_lengths[t]:
            planner.scores[t] = CLOSED
            continue
        planner.scope[place], planner.absorbed[place] = t, planner.taken[t]
        place += 1
        replace(planner, t, first, last, table)
    planner.scope_starts[table + 1], planner.sizes[table] = place, found[1]
    planner.bucket_starts[step + 1] = last
    counters[STEPS], counters[FILLED] = step + 1, last
    for k in range(planner.scope_starts[table], place):
        rate(planner, planner.scope[k], pulse)
    return DONE


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def run(planner: Planner, most: int64, pulse: Pulse) -> cython.int:
    s: int64
    table: int64
    while planner.counters[HEAP] > 0:
        s = pop(planner)
        if s < 0 or planner.scores[s] == CLOSED:
            continue
        if eliminate(planner, s, pulse) == CRAMPED:
            push(planner, s)
            return CRAMPED
        table = len(planner.scope_starts) - len(planner.bucket_starts) + planner.counters[STEPS] - 1
        if planner.scope_starts[table + 1] - planner.scope_starts[table] > most:
            return WIDE
    return DONE


def plan(planner: Planner, most: int64, pulse: Pulse) -> int:
    """Plan eliminations: `DONE` when no sum is left, `CRAMPED` if `scope` has no room for the next one.

    `WIDE` as soon as a table has more than `most` sums in its scope.
    """
    outcome: cython.int
    with cython.nogil:
        outcome = run(planner, most, pulse)
    return outcome
