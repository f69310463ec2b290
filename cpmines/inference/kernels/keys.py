"""Tables over partial sums: their keys, and which of their rows go together.

A table belongs to a set of variables, and its scope are the sums in which some of these variables are, and
some others. A row is a vector of partial sums, one for each sum of the scope, packed into a 64-bit key; it
stands for all values of the variables that give these partial sums. Joining two tables adds keys. A sum that
only one table still has is closed: its rows must have the right sum, and its field is dropped.

A field has a bit more than the largest sum needs: bounds of all fields are then checked at once, by an
addition that carries into the free bit of each field out of bounds. Two partial sums never carry further.
"""

import cython
from cython.cimports.cpmines.kernels.arrays import int64, uint64
from cython.cimports.cpmines.kernels.buffers import IntBuffer, KeyBuffer, LongBuffer
from cython.cimports.cpmines.kernels.pulse import Pulse, beat
from cython.cimports.cpmines.kernels.sorting import arrange
from cython.cimports.cpmines.kernels.structure import Structure

__all__ = ["Builder"]

ONE = cython.declare(uint64, 1)


class Builder(Structure):
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


class Meeting:
    """The union of two scopes and its key.

    Attributes
    ----------
    sums, absorbed, shared, shifts
        For each of the `count` sums of the union: as in a scope, whether both tables have it, and the place
        of its field.
    kept
        The bits of fields that stay; closed fields stand above them.
    common, guard, over, under
        The bits of shared fields, the highest bit of each, and what added to a key carries into that bit:
        `over` if a field is too large, `under` if it is large enough.
    width
        Bits of a key.
    """

    def __init__(self) -> None:
        self.sums, self.absorbed, self.shared, self.shifts = (
            IntBuffer(),
            IntBuffer(),
            IntBuffer(),
            IntBuffer(),
        )
        self.old, self.new, self.mask = LongBuffer(), LongBuffer(), KeyBuffer()


class Groups:
    """The rows of a table in the key of a meeting, those with equal shared fields together.

    Attributes
    ----------
    keys, order, starts
        Key of each row; rows ordered by group; where each of the `count` groups begins in the order, and the
        end.
    """

    def __init__(self) -> None:
        self.keys, self.common = KeyBuffer(), KeyBuffer()
        self.order, self.spare, self.starts = LongBuffer(), LongBuffer(), LongBuffer()


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def unite(builder: Builder, a: int64, b: int64, meeting: Meeting) -> cython.int:
    """Set the union of two scopes: its sums, what the tables absorb of each, and which of them both have.

    Both scopes are ascending, and the union is: a merge. The tables have no variable in common, so what they
    absorb of a sum adds up.
    """
    i: int64 = builder.scope_starts[a]
    end_a: int64 = builder.scope_starts[a + 1]
    j: int64 = builder.scope_starts[b]
    end_b: int64 = builder.scope_starts[b + 1]
    count: int64 = 0
    room: int64 = end_a - i + end_b - j
    meeting.sums.reserve(room)
    meeting.absorbed.reserve(room)
    meeting.shared.reserve(room)
    meeting.shifts.reserve(room)
    while i < end_a or j < end_b:
        meeting.shared.at[count] = 0
        if j == end_b or (i < end_a and builder.scope[i] < builder.scope[j]):
            meeting.sums.at[count], meeting.absorbed.at[count] = builder.scope[i], builder.absorbed[i]
            i += 1
        elif i == end_a or builder.scope[j] < builder.scope[i]:
            meeting.sums.at[count], meeting.absorbed.at[count] = builder.scope[j], builder.absorbed[j]
            j += 1
        else:
            meeting.sums.at[count] = builder.scope[i]
            meeting.absorbed.at[count] = builder.absorbed[i] + builder.absorbed[j]
            meeting.shared.at[count] = 1
            i += 1
            j += 1
        count += 1
    meeting.count = count
    return 0


def meet(builder: Builder, a: int64, b: int64, meeting: Meeting) -> cython.int:
    """Lay out the key of the join of two tables. Masks are only right if ``width`` is at most 63.

    The fields that stay come first, in the order of the scope that the joined table will have, so that
    ``key & kept`` is its key; those of sums that close, as no third table has them, stand above.

    A shared field must end between `low`, what the other variables can't supply, and the sum's need. With
    h = 2^(bits - 1) > need, a field v of two added keys is at most 2 need. So v + h - 1 - need stays below
    2 h, and reaches h if v is above the need. Where no field is, v + h - low stays below 2 h as well, and
    reaches h if v is at least low: `over` must be looked at before `under`.
    """
    closing: cython.int
    closes: cython.bint
    width: int64 = 0
    total: int64
    low: int64
    at: int64
    half: uint64
    field: uint64
    unite(builder, a, b, meeting)
    meeting.kept = meeting.common = meeting.guard = meeting.over = meeting.under = 0
    for closing in range(2):
        for u in range(meeting.count):
            total = meeting.sums.at[u]
            closes = meeting.shared.at[u] != 0 and builder.live[total] == 2
            if closes != closing:
                continue
            meeting.shifts.at[u] = width
            # A shift by 64 or more is undefined: a key too wide has wrong masks, which nobody looks at.
            at = width & 63
            half = ONE << (builder.bits[total] - 1)
            field = ((half << 1) - ONE) << at
            width += builder.bits[total]
            if not closing:
                meeting.kept |= field
            if meeting.shared.at[u]:
                low = max(0, builder.need[total] - (builder.most[total] - meeting.absorbed.at[u]))
                meeting.common |= field
                meeting.guard |= half << at
                meeting.over |= (half - ONE - cython.cast(uint64, builder.need[total])) << at
                meeting.under |= (half - cython.cast(uint64, low)) << at
    meeting.width = width
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def repack(builder: Builder, table: int64, meeting: Meeting, keys: KeyBuffer, pulse: Pulse) -> int64:
    """Set `keys` to those of a table's rows with the fields at their places in a meeting; how many there are.

    Its own fields stand one after the other in the order of its scope, the first one lowest.
    """
    first: int64 = builder.scope_starts[table]
    count: int64 = builder.scope_starts[table + 1] - first
    start: int64 = builder.row_starts[table]
    rows: int64 = builder.row_starts[table + 1] - start
    shift: int64 = 0
    u: int64 = 0
    total: int64
    key: uint64
    moved: uint64
    meeting.old.reserve(count)
    meeting.new.reserve(count)
    meeting.mask.reserve(count)
    for k in range(count):
        total = builder.scope[first + k]
        while meeting.sums.at[u] != total:  # both lists are ascending, and the meeting has all of the table's
            u += 1
        meeting.old.at[k], meeting.new.at[k] = shift, meeting.shifts.at[u]
        meeting.mask.at[k] = (ONE << builder.bits[total]) - ONE
        shift += builder.bits[total]
    keys.reserve(rows)
    for row in range(rows):
        beat(pulse)
        key = builder.keys[start + row]
        moved = 0
        for k in range(count):
            moved |= ((key >> meeting.old.at[k]) & meeting.mask.at[k]) << meeting.new.at[k]
        keys.at[row] = NOTHING if key == NOTHING else moved
    return rows


def group(builder: Builder, table: int64, meeting: Meeting, groups: Groups, pulse: Pulse) -> cython.int:
    """Set the rows of a table in groups; those that break a sum are left out.

    The order is stable, so that what is made of it depends on the rows alone. In it, the places of rows that
    are left out are taken by those that follow: `end` never overtakes `k`.
    """
    rows: int64 = repack(builder, table, meeting, groups.keys, pulse)
    end: int64 = 0
    count: int64 = 0
    row: int64
    groups.common.reserve(rows)
    groups.order.reserve(rows)
    groups.spare.reserve(rows)
    groups.starts.reserve(rows + 1)
    for k in range(rows):
        groups.common.at[k] = groups.keys.at[k] & meeting.common
    arrange(groups.common.at, groups.order.at, groups.spare.at, rows, pulse)
    for k in range(rows):
        if k & 15 == 0:
            beat(pulse)
        row = groups.order.at[k]
        if groups.keys.at[row] == NOTHING:
            continue
        if end == 0 or groups.common.at[row] != groups.common.at[groups.order.at[end - 1]]:
            groups.starts.at[count] = end
            count += 1
        groups.order.at[end] = row
        end += 1
    groups.starts.at[count] = end
    groups.count = count
    return 0


def match(a: Groups, b: Groups, meeting: Meeting, found: IntBuffer, pulse: Pulse) -> int64:
    """Set `found` to pairs of groups whose shared fields add up within bounds; how many numbers these are.

    How many pairs of rows they have is in `pairs` of the meeting.
    """
    count: int64 = 0
    key_a: uint64
    key: uint64
    meeting.pairs = 0
    for x in range(a.count):
        # The rows of a group agree in the shared fields, so one stands for all; see `meet` for the bounds.
        key_a = a.common.at[a.order.at[a.starts.at[x]]]
        for y in range(b.count):
            beat(pulse)
            key = key_a + b.common.at[b.order.at[b.starts.at[y]]]
            if (key + meeting.over) & meeting.guard or ~(key + meeting.under) & meeting.guard:
                continue
            found.reserve(count + 2)
            found.at[count], found.at[count + 1] = x, y
            count += 2
            meeting.pairs += (a.starts.at[x + 1] - a.starts.at[x]) * (b.starts.at[y + 1] - b.starts.at[y])
    return count
