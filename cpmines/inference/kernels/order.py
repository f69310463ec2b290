"""An order of elimination: sums are closed one by one, next the one whose table promises to be small.

To close a sum, all tables that have it in their scope are joined. What a table promises is the product of
the numbers of partial sums that each sum of its scope can have, or of the sizes of the tables joined, if that
is less; what counts is how much larger it is than the largest of these tables. No order is the best one on
all boards (to find it is NP-hard); greedy choice of the smallest table is what does best in practice
(Kjaerulff, 1990), and `luck` gives others to try.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel

__all__ = ["COUNTERS", "STEPS", "Planner", "begin", "plan"]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

STEPS, HEAP, EPOCH, FILLED = range(4)
"""Entries of `counters`: eliminations planned, entries of the heap, surveys made, and tables in buckets."""
COUNTERS = 4

CLOSED = np.inf
"""The score of a sum that is no longer there."""
LARGEST = 500.0


class Planner(NamedTuple):
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

    need: Ints
    most: Ints
    sum_starts: Longs
    sum_lengths: Ints
    sum_tables: Ints
    scope_starts: Longs
    scope: Ints
    absorbed: Ints
    sizes: Floats
    luck: Floats
    thrift: float
    scores: Floats
    heap_scores: Floats
    heap_sums: Ints
    seen: Longs
    taken: Ints
    found: Ints
    touched: Ints
    bucket_starts: Longs
    bucket_tables: Ints
    counters: Longs


@kernel
def push(planner: Planner, s: int) -> None:
    """Put a sum into the heap with its present score."""
    scores, sums = planner.heap_scores, planner.heap_sums
    score, at = planner.scores[s], planner.counters[HEAP]
    planner.counters[HEAP] += 1
    while at > 0:
        up = (at - 1) >> 1
        if scores[up] <= score:
            break
        scores[at], sums[at] = scores[up], sums[up]
        at = up
    scores[at], sums[at] = score, s


@kernel
def pop(planner: Planner) -> int:
    """Take the sum with the lowest score from the heap; -1 if that score is an old one."""
    scores, sums = planner.heap_scores, planner.heap_sums
    best = sums[0] if planner.scores[sums[0]] == scores[0] else -1
    planner.counters[HEAP] -= 1
    size = planner.counters[HEAP]
    score, s = scores[size], sums[size]
    at = 0
    while 2 * at + 1 < size:
        down = 2 * at + 1
        if down + 1 < size and scores[down + 1] < scores[down]:
            down += 1
        if scores[down] >= score:
            break
        scores[at], sums[at] = scores[down], sums[down]
        at = down
    scores[at], sums[at] = score, s
    return int(best)


@kernel
def survey(planner: Planner, s: int) -> tuple[int, float, float]:
    """How many sums the tables of `s` have in their scopes; sizes of their join and of the largest one.

    Sizes are binary logarithms: products become sums, and stay within floats.
    """
    planner.counters[EPOCH] += 1
    epoch = planner.counters[EPOCH]
    count, product, largest, ranges = 0, 0.0, 0.0, 0.0
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
            ranges += np.log2(max(1, high - low + 1))
    return count, min(product, ranges), largest


@kernel
def rate(planner: Planner, s: int) -> None:
    """Score a sum, and put it into the heap; a heap that is full is first rid of old scores."""
    _, size, largest = survey(planner, s)
    score = 2.0 ** min(size, LARGEST) - planner.thrift * 2.0 ** min(largest, LARGEST)
    planner.scores[s] = planner.luck[s] * score
    if planner.counters[HEAP] < len(planner.heap_sums):
        push(planner, s)
        return
    planner.counters[HEAP] = 0
    for t in range(len(planner.need)):
        if planner.scores[t] != CLOSED:
            push(planner, t)


@kernel
def begin(planner: Planner) -> None:
    """Score all sums that tables have in their scopes."""
    for s in range(len(planner.need)):
        planner.scores[s] = CLOSED
    for s in range(len(planner.need)):
        if planner.sum_lengths[s] > 0:
            rate(planner, s)


@kernel
def replace(planner: Planner, s: int, first: int, last: int, table: int) -> None:
    """In the list of tables of a sum, put `table` for those of a bucket."""
    kept = planner.sum_starts[s]
    for k in range(kept, kept + planner.sum_lengths[s]):
        joined = False
        for place in range(first, last):
            joined |= planner.bucket_tables[place] == planner.sum_tables[k]
        if not joined:
            planner.sum_tables[kept] = planner.sum_tables[k]
            kept += 1
    planner.sum_tables[kept] = table
    planner.sum_lengths[s] = kept + 1 - planner.sum_starts[s]


@kernel
def eliminate(planner: Planner, s: int) -> bool:
    """Plan to join the tables of `s`; false, with nothing changed, if there is no room for the new scope.

    Only the sums of the new scope change their score: the heap gets a new entry for each, and `pop` passes
    over those that are out of date.
    """
    counters = planner.counters
    count, size, _ = survey(planner, s)
    step, first = counters[STEPS], counters[FILLED]
    # Room is for a table for each variable, and for one for each sum: the latter are numbered from here on.
    table = len(planner.scope_starts) - 1 - (len(planner.bucket_starts) - 1) + step
    place = planner.scope_starts[table]
    if place + count > len(planner.scope):
        return False
    last = first + planner.sum_lengths[s]
    planner.bucket_tables[first:last] = planner.sum_tables[planner.sum_starts[s] :][: last - first]
    touched = planner.touched[:count]
    touched.sort()
    for k in range(count):
        t = touched[k]
        if planner.found[t] == planner.sum_lengths[t]:
            planner.scores[t] = CLOSED
            continue
        planner.scope[place], planner.absorbed[place] = t, planner.taken[t]
        place += 1
        replace(planner, t, first, last, table)
    planner.scope_starts[table + 1], planner.sizes[table] = place, size
    planner.bucket_starts[step + 1] = last
    counters[STEPS], counters[FILLED] = step + 1, last
    for k in range(planner.scope_starts[table], place):
        rate(planner, planner.scope[k])
    return True


@kernel
def plan(planner: Planner, budget: int) -> int:
    """Plan up to `budget` eliminations: 0 when no sum is left, 1 if some are, 2 if `scope` has no room."""
    while planner.counters[HEAP] > 0:
        if budget == 0:
            return 1
        s = pop(planner)
        if s >= 0 and planner.scores[s] != CLOSED:
            budget -= 1
            if not eliminate(planner, s):
                push(planner, s)
                return 2
    return 0
