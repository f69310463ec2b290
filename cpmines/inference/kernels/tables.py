"""Tables over partial sums, joined until all sums are closed: the construction of a circuit."""

import cython
from cython.cimports.cpmines.inference.kernels.keys import (
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
from cython.cimports.cpmines.kernels.arrays import ConstInts, ConstLongs, int64, magnitude, uint64
from cython.cimports.cpmines.kernels.buffers import IntBuffer, KeyBuffer, LongBuffer
from cython.cimports.cpmines.kernels.pulse import Pulse, beat

__all__ = ["Joins", "begin", "build"]

GOLDEN = cython.declare(uint64, 0x9E3779B97F4A7C15)


def begin(
    builder: Builder, starts: ConstLongs, sums: ConstInts, coefficients: ConstInts, sizes: ConstInts
) -> None:
    """Make the tables of single variables, a row for each of their values, from 0 on.

    Arguments are as in `cpmines.inference.reduction.Reduced`. Rows that break a sum get the key `NOTHING`. A
    sum of one variable is closed at once. Fields of a key follow each other in the order of the scope, the
    first lowest. If they don't fit into 64 bits the keys are wrong, and the first join of the table is WIDE.
    """
    scope: int64 = 0
    rows: int64 = 0
    count: int64 = len(sizes)
    shift: int64
    var: int64
    k: int64
    value: int64
    total: int64
    most: int64
    part: int64
    closed: cython.bint
    with cython.nogil:
        for var in range(count):
            builder.row_starts[var], builder.scope_starts[var] = rows, scope
            for value in range(sizes[var] + 1):
                builder.keys[rows + value] = 0
            shift = 0
            for k in range(starts[var], starts[var + 1]):
                total = sums[k]
                most = magnitude(coefficients[k]) * sizes[var]
                closed = builder.most[total] == most
                for value in range(sizes[var] + 1):
                    part = coefficients[k] * value + (
                        most if coefficients[k] < 0 else 0
                    )  # -c: c * (size - value)
                    if part > builder.need[total] or part + builder.most[total] - most < builder.need[total]:
                        builder.keys[rows + value] = NOTHING
                    elif builder.keys[rows + value] != NOTHING and not closed:
                        builder.keys[rows + value] |= cython.cast(uint64, part) << (shift & 63)
                if not closed:
                    builder.scope[scope], builder.absorbed[scope] = total, most
                    builder.live[total] += 1
                    shift += builder.bits[total]
                    scope += 1
            rows += sizes[var] + 1
        builder.row_starts[count], builder.scope_starts[count] = rows, scope
        builder.pair_starts[: rows + 1] = 0
        builder.counters[TABLES], builder.counters[ROWS], builder.counters[SCOPES] = count, rows, scope


class Joins:
    """Scratch of the joins: how two tables meet, their groups, which match, and the pairs of rows."""

    def __init__(self) -> None:
        self.meeting, self.left, self.right = Meeting(), Groups(), Groups()
        self.matches, self.tables, self.slots = IntBuffer(), IntBuffer(), IntBuffer()
        self.lefts, self.rights, self.sums = IntBuffer(), IntBuffer(), IntBuffer()
        self.made, self.fill = KeyBuffer(), LongBuffer()


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def slot_of(key: uint64, slots: IntBuffer, mask: int64, keys: KeyBuffer) -> int64:
    """Where `key` stands in a hash table of ``mask + 1`` places in `keys`, or where it is to be put."""
    spread: uint64 = (key ^ (key >> 32)) * GOLDEN
    slot: int64 = cython.cast(int64, spread >> 24) & mask
    while slots.at[slot] >= 0 and keys.at[slots.at[slot]] != key:
        slot = (slot + 1) & mask
    return slot


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def rehash(slots: IntBuffer, size: int64, keys: KeyBuffer, count: int64, pulse: Pulse) -> cython.int:
    """Make a hash table of `size` places with the first `count` keys."""
    slots.reserve(size)
    for slot in range(size):
        if slot & 15 == 0:
            beat(pulse)
        slots.at[slot] = -1
    for row in range(count):
        if row & 15 == 0:
            beat(pulse)
        slots.at[slot_of(keys.at[row], slots, size - 1, keys)] = row
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def multiply(joins: Joins, a: Groups, b: Groups, numbers: int64, pulse: Pulse) -> int64:
    """All pairs of rows in matching groups; the number of rows that they give.

    Set are the keys `made` of these rows, and of each pair its two rows and the row of its product. Different
    pairs may leave the same partial sums: then the row is the sum of their products. Matching groups keep
    all fields within bounds, so keys add without a carry between fields.
    """
    size: int64 = 64
    made: int64 = 0
    p: int64 = 0
    m: int64 = 0
    i: int64
    j: int64
    x: int64
    y: int64
    slot: int64
    key: uint64
    rehash(joins.slots, size, joins.made, 0, pulse)
    joins.made.reserve(size)
    while m < numbers:
        x, y = joins.matches.at[m], joins.matches.at[m + 1]
        m += 2
        for i in range(a.starts.at[x], a.starts.at[x + 1]):
            for j in range(b.starts.at[y], b.starts.at[y + 1]):
                beat(pulse)
                key = (a.keys.at[a.order.at[i]] + b.keys.at[b.order.at[j]]) & joins.meeting.kept
                slot = slot_of(key, joins.slots, size - 1, joins.made)
                if joins.slots.at[slot] < 0:
                    joins.slots.at[slot], joins.made.at[made] = made, key
                    made += 1
                joins.lefts.at[p], joins.rights.at[p] = a.order.at[i], b.order.at[j]
                joins.sums.at[p] = joins.slots.at[slot]
                p += 1
                if 2 * made > size:  # half empty at least, or probing takes long
                    size *= 2
                    joins.made.reserve(size)
                    rehash(joins.slots, size, joins.made, made, pulse)
    return made


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def store(
    builder: Builder, a: int64, b: int64, joins: Joins, pairs: int64, made: int64, pulse: Pulse
) -> cython.int:
    """Enter the rows of a new table, with the pairs of each row together.

    By counting: first how many pairs each row has, from that where its pairs begin, then each into its place.
    Some of the steps are counted for the pulse: each takes nanoseconds, but there may be a hundred million.
    """
    rows: int64 = builder.counters[ROWS]
    used: int64 = builder.counters[PAIRS]
    place: int64
    row: int64
    joins.fill.reserve(made + 1)
    for row in range(made):
        if row & 15 == 0:
            beat(pulse)
        builder.keys[rows + row] = joins.made.at[row]
        builder.pair_starts[rows + row + 1] = 0
    for p in range(pairs):
        if p & 15 == 0:
            beat(pulse)
        builder.pair_starts[rows + joins.sums.at[p] + 1] += 1
    builder.pair_starts[rows] = used
    for row in range(made):
        if row & 15 == 0:
            beat(pulse)
        joins.fill.at[row] = builder.pair_starts[rows + row]
        builder.pair_starts[rows + row + 1] += builder.pair_starts[rows + row]
    for p in range(pairs):
        if p & 15 == 0:
            beat(pulse)
        row = joins.sums.at[p]
        place = joins.fill.at[row]
        builder.left[place] = builder.row_starts[a] + joins.lefts.at[p]
        builder.right[place] = builder.row_starts[b] + joins.rights.at[p]
        joins.fill.at[row] = place + 1
    builder.counters[ROWS], builder.counters[PAIRS] = rows + made, used + pairs
    builder.row_starts[builder.counters[TABLES] + 1] = rows + made
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def enter(builder: Builder, a: int64, b: int64, meeting: Meeting) -> cython.void:
    """Enter the scope of a new table."""
    table: int64 = builder.counters[TABLES]
    place: int64 = builder.counters[SCOPES]
    total: int64
    for u in range(meeting.count):
        total = meeting.sums.at[u]
        if meeting.shared.at[u]:
            builder.live[total] -= 1
            if builder.live[total] == 1:
                continue
        builder.scope[place], builder.absorbed[place] = total, meeting.absorbed.at[u]
        place += 1
    builder.parents[a] = builder.parents[b] = table
    builder.parents[table] = -1
    builder.scope_starts[table + 1] = place
    builder.counters[TABLES], builder.counters[SCOPES] = table + 1, place


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def join(builder: Builder, a: int64, b: int64, joins: Joins, meeting: Meeting, pulse: Pulse) -> int64:
    """Join two tables to the next one; DONE, FULL, WIDE or EMPTY.

    Nothing but counters is changed unless DONE, so that a caller may make arrays larger and try again.
    """
    numbers: int64
    meet(builder, a, b, meeting)
    if meeting.width > 63:
        return WIDE
    group(builder, a, meeting, joins.left, pulse)
    group(builder, b, meeting, joins.right, pulse)
    numbers = match(joins.left, joins.right, meeting, joins.matches, pulse)
    pairs: int64 = meeting.pairs
    looks: int64 = (joins.left.count + 1) * (joins.right.count + 1)
    builder.counters[WORK] += pairs + looks // 8  # a look: 1/8 pair
    if pairs == 0:
        return EMPTY
    builder.counters[WANTED] = pairs
    if (
        builder.counters[PAIRS] + pairs > len(builder.left)
        or builder.counters[ROWS] + pairs >= len(builder.keys)
        or builder.counters[SCOPES] + meeting.count > len(builder.scope)
    ):
        return FULL
    joins.lefts.reserve(pairs)
    joins.rights.reserve(pairs)
    joins.sums.reserve(pairs)
    made: int64 = multiply(joins, joins.left, joins.right, numbers, pulse)
    store(builder, a, b, joins, pairs, made, pulse)
    enter(builder, a, b, meeting)
    return DONE


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def bucket(builder: Builder, step: int64, tables: IntBuffer) -> int64:
    """Set `tables` to the different tables that an elimination joins; how many these are."""
    first: int64 = builder.bucket_starts[step]
    last: int64 = builder.bucket_starts[step + 1]
    count: int64 = 0
    table: int64
    k: int64
    known: cython.bint
    tables.reserve(last - first)
    for k in range(first, last):
        table = builder.names[builder.bucket_tables[k]]
        known = False
        for i in range(count):
            known |= tables.at[i] == table
        if not known:
            tables.at[count] = table
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rows_of(builder: Builder, table: int64) -> int64:
    return builder.row_starts[table + 1] - builder.row_starts[table]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def smallest_first(builder: Builder, tables: IntBuffer, count: int64) -> cython.void:
    """Move the two smallest tables to the front."""
    least: int64
    table: int64
    for place in range(2):
        least = place
        for k in range(place + 1, count):
            if rows_of(builder, tables.at[k]) < rows_of(builder, tables.at[least]):
                least = k
        table = tables.at[least]
        tables.at[least], tables.at[place] = tables.at[place], table


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def run(builder: Builder, joins: Joins, tables: IntBuffer, budget: int64, pulse: Pulse) -> int64:
    """`build`; `tables` are the ones that the present elimination joins."""
    counters = builder.counters
    steps: int64 = len(builder.bucket_starts) - 1
    end: int64 = counters[WORK] + budget
    count: int64
    outcome: int64
    name: int64
    a: int64
    b: int64
    k: int64
    while counters[STEP] < steps:
        count = bucket(builder, counters[STEP], tables)
        while count > 1:
            if counters[WORK] > end:
                return PAUSED
            smallest_first(builder, tables, count)
            a, b = tables.at[0], tables.at[1]
            outcome = join(builder, a, b, joins, joins.meeting, pulse)
            if outcome != DONE:
                return outcome
            # Both are now one; a table that was planned is named by all that went into it.
            for k in range(builder.bucket_starts[counters[STEP]], builder.bucket_starts[counters[STEP] + 1]):
                name = builder.bucket_tables[k]
                if builder.names[name] == a or builder.names[name] == b:
                    builder.names[name] = counters[TABLES] - 1
            count = bucket(builder, counters[STEP], tables)
        builder.names[len(builder.names) - steps + counters[STEP]] = tables.at[0]
        counters[STEP] += 1
    return DONE


def build(builder: Builder, joins: Joins, budget: int64, pulse: Pulse) -> int:
    """Make the joins of the eliminations, in order, small tables first, until `budget` pairs are made.

    Bucket elimination (Dechter, 1999): a sum is closed by joining the tables that have it. All that is done
    stands in the arrays, so it goes on where it stopped: what is left of a bucket is found by its names.
    """
    outcome: int64
    with cython.nogil:
        outcome = run(builder, joins, joins.tables, budget, pulse)
    return outcome
