"""Tables over partial sums: their keys, and which of their rows go together.

A table belongs to a set of variables, and its scope are the sums in which some of these variables are, and
some others. A row is a vector of partial sums, one for each sum of the scope, packed into a 64-bit key; it
stands for all values of the variables that give these partial sums. Joining two tables adds keys. A sum that
only one table still has is closed: its rows must have the right sum, and its field is dropped.

A field has a bit more than the largest sum needs: bounds of all fields are then checked at once, by an
addition that carries into the free bit of each field out of bounds. Two partial sums never carry further.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel

__all__ = [
    "COUNTERS",
    "NOTHING",
    "ONE",
    "PAIRS",
    "ROWS",
    "SCOPES",
    "STEP",
    "TABLES",
    "WANTED",
    "WORK",
    "Builder",
    "Groups",
    "Meeting",
    "group",
    "match",
    "meet",
]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Keys = NDArray[np.uint64]

STEP, TABLES, ROWS, PAIRS, SCOPES, WORK, WANTED = range(7)
"""Entries of `counters`: next elimination, tables made, rows, pairs and scope entries in use, work
done, and how many pairs the join needs that found an array full."""
COUNTERS = 7

ONE = np.uint64(1)
NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)
"""The key of a row that breaks a sum."""


class Builder(NamedTuple):
    """All arrays of one construction; kernels modify them in place.

    Attributes
    ----------
    need, most, bits
        int32 (sums,): the right sum, the largest sum of all variables, and the bits of a field.
    live
        int32 (sums,): how many tables have the sum in their scope.
    bucket_starts, bucket_tables
        The names of the tables that elimination k joins; its result has the name ``leaves + k``.
    names
        int32 (names,): the number of the table that a name stands for.
    row_starts, scope_starts
        int64 (tables + 1,): rows and scope of each table.
    parents
        int32 (tables,): the table that a table was joined to, -1 if to none.
    scope, absorbed
        int32: the sums of the scope, ascending, and for each the most that the table's variables contribute.
    keys, pair_starts
        (rows,), (rows + 1,): key of each row; row r is the sum of products over its pairs.
    left, right
        int32: the two rows of each pair.
    """

    need: Ints
    most: Ints
    bits: Ints
    live: Ints
    bucket_starts: Longs
    bucket_tables: Ints
    names: Ints
    row_starts: Longs
    scope_starts: Longs
    parents: Ints
    scope: Ints
    absorbed: Ints
    keys: Keys
    pair_starts: Longs
    left: Ints
    right: Ints
    counters: Longs


class Meeting(NamedTuple):
    """The union of two scopes and its key.

    Attributes
    ----------
    sums, absorbed, shared, shifts
        For each sum of the union: as in a scope, whether both tables have it, and the place of its field.
    kept
        The bits of fields that stay; closed fields stand above them.
    common, guard, over, under
        The bits of shared fields, the highest bit of each, and what added to a key carries into that bit:
        `over` if a field is too large, `under` if it is large enough.
    width
        Bits of a key.
    """

    sums: Ints
    absorbed: Ints
    shared: NDArray[np.bool_]
    shifts: Ints
    kept: np.uint64
    common: np.uint64
    guard: np.uint64
    over: np.uint64
    under: np.uint64
    width: int


class Groups(NamedTuple):
    """The rows of a table in the key of a meeting, those with equal shared fields together.

    Attributes
    ----------
    keys, order, starts
        Key of each row; rows ordered by group; where each group begins in the order, and the end.
    """

    keys: Keys
    order: Longs
    starts: Longs


@kernel
def unite(builder: Builder, a: int, b: int) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """The union of two scopes: its sums, what the tables absorb of each, and which of them both have.

    Both scopes are ascending, and the union is: a merge. The tables have no variable in common, so what they
    absorb of a sum adds up.
    """
    i, end_a = builder.scope_starts[a], builder.scope_starts[a + 1]
    j, end_b = builder.scope_starts[b], builder.scope_starts[b + 1]
    room = end_a - i + end_b - j
    sums, absorbed = np.empty(room, np.int32), np.empty(room, np.int32)
    shared = np.zeros(room, np.bool_)
    count = 0
    while i < end_a or j < end_b:
        if j == end_b or (i < end_a and builder.scope[i] < builder.scope[j]):
            sums[count], absorbed[count] = builder.scope[i], builder.absorbed[i]
            i += 1
        elif i == end_a or builder.scope[j] < builder.scope[i]:
            sums[count], absorbed[count] = builder.scope[j], builder.absorbed[j]
            j += 1
        else:
            sums[count], absorbed[count] = builder.scope[i], builder.absorbed[i] + builder.absorbed[j]
            shared[count] = True
            i += 1
            j += 1
        count += 1
    return sums[:count], absorbed[:count], shared[:count]


@kernel
def meet(builder: Builder, a: int, b: int) -> Meeting:
    """Lay out the key of the join of two tables. Masks are only right if ``width`` is at most 63.

    The fields that stay come first, in the order of the scope that the joined table will have, so that
    ``key & kept`` is its key; those of sums that close, as no third table has them, stand above.

    A shared field must end between `low`, what the other variables can't supply, and the sum's need. With
    h = 2^(bits - 1) > need, a field v of two added keys is at most 2 need. So v + h - 1 - need stays below
    2 h, and reaches h if v is above the need. Where no field is, v + h - low stays below 2 h as well, and
    reaches h if v is at least low: `over` must be looked at before `under`.
    """
    sums, absorbed, shared = unite(builder, a, b)
    shifts = np.empty(len(sums), np.int32)
    kept = common = guard = over = under = np.uint64(0)
    width = 0
    for closing in (False, True):
        for u in range(len(sums)):
            s = sums[u]
            if (shared[u] and builder.live[s] == 2) != closing:
                continue
            shifts[u] = width
            # A shift by 64 or more is undefined: a key too wide has wrong masks, which nobody looks at.
            at, half = np.uint64(width & 63), ONE << np.uint64(builder.bits[s] - 1)
            field = ((half << ONE) - ONE) << at
            width += builder.bits[s]
            if not closing:
                kept |= field
            if shared[u]:
                low = max(0, builder.need[s] - (builder.most[s] - absorbed[u]))
                common |= field
                guard |= half << at
                over |= (half - ONE - np.uint64(builder.need[s])) << at
                under |= (half - np.uint64(low)) << at
    return Meeting(sums, absorbed, shared, shifts, kept, common, guard, over, under, width)


@kernel
def repack(builder: Builder, table: int, meeting: Meeting) -> Keys:
    """The keys of a table's rows with the fields at their places in a meeting.

    Its own fields stand one after the other in the order of its scope, the first one lowest.
    """
    first, count = builder.scope_starts[table], builder.scope_starts[table + 1] - builder.scope_starts[table]
    old, new, mask = np.empty(count, np.uint64), np.empty(count, np.uint64), np.empty(count, np.uint64)
    shift = u = 0
    for k in range(count):
        s = builder.scope[first + k]
        while meeting.sums[u] != s:  # both lists are ascending, and the meeting has all of the table's
            u += 1
        old[k], new[k] = np.uint64(shift), np.uint64(meeting.shifts[u])
        mask[k] = (ONE << np.uint64(builder.bits[s])) - ONE
        shift += builder.bits[s]
    start = builder.row_starts[table]
    keys = np.empty(builder.row_starts[table + 1] - start, np.uint64)
    for row in range(len(keys)):
        key = builder.keys[start + row]
        moved = np.uint64(0)
        for k in range(count):
            moved |= ((key >> old[k]) & mask[k]) << new[k]
        keys[row] = NOTHING if key == NOTHING else moved
    return keys


@kernel
def group(builder: Builder, table: int, meeting: Meeting) -> Groups:
    """The rows of a table in groups; those that break a sum are left out."""
    keys = repack(builder, table, meeting)
    order = np.argsort(keys & meeting.common, kind="mergesort")
    starts = np.empty(len(keys) + 1, np.int64)
    groups = end = 0
    for k in range(len(keys)):
        key = keys[order[k]]
        if key == NOTHING:
            continue
        if end == 0 or (key & meeting.common) != (keys[order[end - 1]] & meeting.common):
            starts[groups] = end
            groups += 1
        order[end] = order[k]
        end += 1
    starts[groups] = end
    return Groups(keys, order, starts[: groups + 1])


@kernel
def match(a: Groups, b: Groups, meeting: Meeting) -> tuple[Ints, int]:
    """Groups whose shared fields add up within bounds, int32 (matches, 2), and their pairs of rows."""
    found = np.empty((len(a.starts) + len(b.starts), 2), np.int32)
    matches = pairs = 0
    for x in range(len(a.starts) - 1):
        # The rows of a group agree in the shared fields, so one stands for all; see `meet` for the bounds.
        key_a = a.keys[a.order[a.starts[x]]] & meeting.common
        for y in range(len(b.starts) - 1):
            key = key_a + (b.keys[b.order[b.starts[y]]] & meeting.common)
            if (key + meeting.over) & meeting.guard or ~(key + meeting.under) & meeting.guard:
                continue
            if matches == len(found):
                found = np.concatenate((found, np.empty_like(found)))
            found[matches, 0], found[matches, 1] = x, y
            matches += 1
            pairs += (a.starts[x + 1] - a.starts[x]) * (b.starts[y + 1] - b.starts[y])
    return found[:matches], pairs
