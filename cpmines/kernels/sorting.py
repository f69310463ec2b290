"""Sorting inside kernels, O(n log n) at the worst: in place by heaps (Williams, 1964), stable by merging.

>>> import numpy as np
>>> numbers = np.array([3, 1, 2], np.int32)
>>> ascending(numbers)
>>> numbers.tolist()
[1, 2, 3]
"""

import cython
from cython.cimports.cpmines.kernels.arrays import Ints, Keys, Longs, int32, int64, uint64
from cython.cimports.cpmines.kernels.pulse import Pulse, beat

__all__ = ["ascending", "ascending_by", "order_of"]

RUN = cython.declare(int64, 16)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sink(values: Ints, first: int64, at: int64, count: int64) -> cython.void:
    """Move one value down in the heap of `count` values from `first` on, the largest on top."""
    value: int32 = values[first + at]
    down: int64 = 2 * at + 1
    while down < count:
        if down + 1 < count and values[first + down] < values[first + down + 1]:
            down += 1
        if value >= values[first + down]:
            break
        values[first + at] = values[first + down]
        at = down
        down = 2 * at + 1
    values[first + at] = value


def sort(values: Ints, first: int64, count: int64) -> cython.void:
    """Sort `count` values from `first` on."""
    at: int64
    value: int32
    for at in range(count // 2 - 1, -1, -1):
        sink(values, first, at, count)
    for at in range(count - 1, 0, -1):
        value = values[first + at]
        values[first + at] = values[first]
        values[first] = value
        sink(values, first, 0, at)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sink_by(keys: Longs, values: Ints, at: int64, count: int64) -> cython.void:
    """The same by keys, which the values go with."""
    key: int64 = keys[at]
    value: int32 = values[at]
    down: int64 = 2 * at + 1
    while down < count:
        if down + 1 < count and keys[down] < keys[down + 1]:
            down += 1
        if key >= keys[down]:
            break
        keys[at], values[at] = keys[down], values[down]
        at = down
        down = 2 * at + 1
    keys[at], values[at] = key, value


def sort_by(keys: Longs, values: Ints, count: int64) -> cython.void:
    """Sort the first `count` keys, and the values with them."""
    at: int64
    key: int64
    value: int32
    for at in range(count // 2 - 1, -1, -1):
        sink_by(keys, values, at, count)
    for at in range(count - 1, 0, -1):
        key, value = keys[at], values[at]
        keys[at], values[at] = keys[0], values[0]
        keys[0], values[0] = key, value
        sink_by(keys, values, 0, at)


def arrange(
    keys: cython.pointer(cython.const[uint64]),
    order: cython.pointer(int64),
    spare: cython.pointer(int64),
    count: int64,
    pulse: Pulse,
) -> cython.int:
    """Set `order` to the order of the keys, equal ones as they stand; `spare` is as long.

    By merging: runs of `RUN` are sorted by insertion, then merged two by two from one array into the other.
    """
    start: int64 = 0
    end: int64
    k: int64
    at: int64
    width: int64 = RUN
    here: cython.pointer(int64) = order
    there: cython.pointer(int64) = spare
    while start < count:
        beat(pulse)
        end = min(start + RUN, count)
        for k in range(start, end):
            at = k
            while at > start and keys[here[at - 1]] > keys[k]:
                here[at] = here[at - 1]
                at -= 1
            here[at] = k
        start = end
    while width < count:
        start = 0
        while start < count:
            end = min(start + 2 * width, count)
            merge(keys, here, there, start, min(start + width, count), end, pulse)
            start = end
        here, there = there, here
        width *= 2
    if here != order:
        for k in range(count):
            order[k] = here[k]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def merge(
    keys: cython.pointer(cython.const[uint64]),
    here: cython.pointer(int64),
    there: cython.pointer(int64),
    start: int64,
    middle: int64,
    end: int64,
    pulse: Pulse,
) -> cython.int:
    """Merge two sorted runs, of equal keys those of the first one before the others.

    A run may be as long as a table, so steps are counted inside; only some, as each takes nanoseconds.
    """
    i: int64 = start
    j: int64 = middle
    k: int64
    for k in range(start, end):
        if k & 15 == 0:
            beat(pulse)
        if i < middle and (j == end or keys[here[i]] <= keys[here[j]]):
            there[k] = here[i]
            i += 1
        else:
            there[k] = here[j]
            j += 1
    return 0


def order_of(keys: Keys, order: Longs, spare: Longs, pulse: Pulse) -> None:
    """Set `order` to the stable order of the uint64 `keys`."""
    with cython.nogil:
        if len(keys) > 0:
            arrange(
                cython.address(keys[0]),
                cython.address(order[0]),
                cython.address(spare[0]),
                len(keys),
                pulse,
            )


def ascending(values: Ints) -> None:
    """Sort int32 `values` in place."""
    with cython.nogil:
        sort(values, 0, len(values))


def ascending_by(keys: Longs, values: Ints) -> None:
    """Sort int64 `keys` in place, and int32 `values` with them."""
    with cython.nogil:
        sort_by(keys, values, len(keys))
