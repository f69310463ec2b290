"""Tables over partial sums, joined until all sums are closed: the construction of a circuit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.inference.kernels.keys import (
    NOTHING,
    PAIRS,
    ROWS,
    SCOPES,
    STEP,
    TABLES,
    WANTED,
    WORK,
    Builder,
    Groups,
    Meeting,
    group,
    match,
    meet,
)
from cpmines.jit import kernel

__all__ = ["DONE", "EMPTY", "FULL", "PAUSED", "WIDE", "begin", "build"]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Keys = NDArray[np.uint64]

DONE, PAUSED, FULL, WIDE, EMPTY = range(5)
"""What `build` returns: all joins made; budget used; arrays too small; a key does not fit into 64 bits; a
table has no rows, so that nothing satisfies the sums."""


@kernel
def begin(builder: Builder, starts: Longs, sums: Ints, coefficients: Ints, sizes: Ints) -> None:
    """Make the tables of single variables, a row for each of their values, from 0 on.

    Arguments are as in `cpmines.inference.reduction.Reduced`. Rows that break a sum get the key `NOTHING`. A
    sum of one variable is closed at once. Fields of a key follow each other in the order of the scope, the
    first lowest. If they don't fit into 64 bits the keys are wrong, and the first join of the table is WIDE.
    """
    scope = rows = 0
    for var in range(len(sizes)):
        builder.row_starts[var], builder.scope_starts[var] = rows, scope
        keys = builder.keys[rows : rows + sizes[var] + 1]
        keys[:] = 0
        shift = 0
        for k in range(starts[var], starts[var + 1]):
            s, most = sums[k], abs(coefficients[k]) * sizes[var]
            closed = builder.most[s] == most
            for value in range(sizes[var] + 1):
                part = coefficients[k] * value + (
                    most if coefficients[k] < 0 else 0
                )  # -c: c * (size - value)
                if part > builder.need[s] or part + builder.most[s] - most < builder.need[s]:
                    keys[value] = NOTHING
                elif keys[value] != NOTHING and not closed:
                    keys[value] |= np.uint64(part) << np.uint64(shift)
            if not closed:
                builder.scope[scope], builder.absorbed[scope] = s, most
                builder.live[s] += 1
                shift += builder.bits[s]
                scope += 1
        rows += sizes[var] + 1
    count = len(sizes)
    builder.row_starts[count], builder.scope_starts[count] = rows, scope
    builder.pair_starts[: rows + 1] = 0
    builder.counters[TABLES], builder.counters[ROWS], builder.counters[SCOPES] = count, rows, scope


@kernel
def slot_of(key: np.uint64, slots: Ints, keys: Keys) -> int:
    """Where `key` stands in a hash table of places in `keys`, or where it is to be put."""
    spread = (key ^ (key >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64(spread >> np.uint64(24)) & (len(slots) - 1)
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & (len(slots) - 1)
    return int(slot)


@kernel
def grown(slots: Ints, keys: Keys, count: int) -> Ints:
    """A hash table of twice the size with the first `count` keys."""
    larger = np.full(2 * len(slots), -1, np.int32)
    for row in range(count):
        larger[slot_of(keys[row], larger, keys)] = row
    return larger


@kernel
def multiply(
    a: Groups, b: Groups, matches: Ints, kept: np.uint64, keys: Keys, lefts: Ints, rights: Ints, sums: Ints
) -> int:
    """All pairs of rows in matching groups; the number of rows that they give.

    Set are the `keys` of these rows, and of each pair its two rows and the row of its product. Different
    pairs may leave the same partial sums: then the row is the sum of their products. Matching groups keep
    all fields within bounds, so keys add without a carry between fields.
    """
    slots = np.full(64, -1, np.int32)
    made = p = 0
    for m in range(len(matches)):
        x, y = matches[m, 0], matches[m, 1]
        for i in range(a.starts[x], a.starts[x + 1]):
            for j in range(b.starts[y], b.starts[y + 1]):
                key = (a.keys[a.order[i]] + b.keys[b.order[j]]) & kept
                slot = slot_of(key, slots, keys)
                if slots[slot] < 0:
                    slots[slot], keys[made] = made, key
                    made += 1
                lefts[p], rights[p], sums[p] = a.order[i], b.order[j], slots[slot]
                p += 1
                if 2 * made > len(slots):  # half empty at least, or probing takes long
                    slots = grown(slots, keys, made)
    return made


@kernel
def store(builder: Builder, a: int, b: int, lefts: Ints, rights: Ints, sums: Ints, made: int) -> None:
    """Enter the rows of a new table, with the pairs of each row together."""
    rows, used = builder.counters[ROWS], builder.counters[PAIRS]
    starts = builder.pair_starts[rows : rows + made + 1]
    starts[:] = 0
    for p in range(len(sums)):
        starts[sums[p] + 1] += 1
    starts[0] = used
    for row in range(made):
        starts[row + 1] += starts[row]
    fill = starts.copy()
    for p in range(len(sums)):
        place = fill[sums[p]]
        builder.left[place] = builder.row_starts[a] + lefts[p]
        builder.right[place] = builder.row_starts[b] + rights[p]
        fill[sums[p]] += 1
    builder.counters[ROWS], builder.counters[PAIRS] = rows + made, used + len(sums)
    builder.row_starts[builder.counters[TABLES] + 1] = rows + made


@kernel
def enter(builder: Builder, a: int, b: int, meeting: Meeting) -> None:
    """Enter the scope of a new table."""
    table, place = builder.counters[TABLES], builder.counters[SCOPES]
    for u in range(len(meeting.sums)):
        s = meeting.sums[u]
        if meeting.shared[u]:
            builder.live[s] -= 1
            if builder.live[s] == 1:
                continue
        builder.scope[place], builder.absorbed[place] = s, meeting.absorbed[u]
        place += 1
    builder.parents[a] = builder.parents[b] = table
    builder.parents[table] = -1
    builder.scope_starts[table + 1] = place
    builder.counters[TABLES], builder.counters[SCOPES] = table + 1, place


@kernel
def join(builder: Builder, a: int, b: int) -> int:
    """Join two tables to the next one; DONE, FULL, WIDE or EMPTY.

    Nothing but counters is changed unless DONE, so that a caller may make arrays larger and try again.
    """
    meeting = meet(builder, a, b)
    if meeting.width > 63:
        return WIDE
    groups_a, groups_b = group(builder, a, meeting), group(builder, b, meeting)
    matches, pairs = match(groups_a, groups_b, meeting)
    builder.counters[WORK] += pairs + len(groups_a.starts) * len(groups_b.starts) // 8  # a look: 1/8 pair
    if pairs == 0:
        return EMPTY
    rows = builder.counters[ROWS]
    builder.counters[WANTED] = pairs
    if (
        builder.counters[PAIRS] + pairs > len(builder.left)
        or rows + pairs >= len(builder.keys)
        or builder.counters[SCOPES] + len(meeting.sums) > len(builder.scope)
    ):
        return FULL
    lefts, rights, sums = np.empty(pairs, np.int32), np.empty(pairs, np.int32), np.empty(pairs, np.int32)
    made = multiply(groups_a, groups_b, matches, meeting.kept, builder.keys[rows:], lefts, rights, sums)
    store(builder, a, b, lefts, rights, sums, made)
    enter(builder, a, b, meeting)
    return DONE


@kernel
def bucket(builder: Builder, step: int) -> Ints:
    """The different tables that an elimination joins."""
    first, last = builder.bucket_starts[step], builder.bucket_starts[step + 1]
    tables = np.empty(last - first, np.int32)
    count = 0
    for k in range(first, last):
        table = builder.names[builder.bucket_tables[k]]
        if (tables[:count] != table).all():
            tables[count] = table
            count += 1
    return tables[:count]


@kernel
def rows_of(builder: Builder, table: int) -> int:
    return int(builder.row_starts[table + 1] - builder.row_starts[table])


@kernel
def build(builder: Builder, budget: int) -> int:
    """Make the joins of the eliminations, in order, small tables first, until `budget` pairs are made.

    Bucket elimination (Dechter, 1999): a sum is closed by joining the tables that have it. All that is done
    stands in the arrays, so it goes on where it stopped: what is left of a bucket is found by its names.
    """
    counters = builder.counters
    steps = len(builder.bucket_starts) - 1
    end = counters[WORK] + budget
    while counters[STEP] < steps:
        tables = bucket(builder, counters[STEP])
        while len(tables) > 1:
            if counters[WORK] > end:
                return PAUSED
            sizes = np.array([rows_of(builder, table) for table in tables])
            small = np.argsort(sizes)
            a, b = tables[small[0]], tables[small[1]]
            outcome = join(builder, a, b)
            if outcome != DONE:
                return outcome
            # Both are now one; a table that was planned is named by all that went into it.
            for k in range(builder.bucket_starts[counters[STEP]], builder.bucket_starts[counters[STEP] + 1]):
                name = builder.bucket_tables[k]
                if builder.names[name] == a or builder.names[name] == b:
                    builder.names[name] = counters[TABLES] - 1
            tables = bucket(builder, counters[STEP])
        builder.names[len(builder.names) - steps + counters[STEP]] = tables[0]
        counters[STEP] += 1
    return DONE
