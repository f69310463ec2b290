"""What a reduction leaves: cells tied together as groups, equal groups as variables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cpmines.inference.kernels.nest import index
from cpmines.inference.kernels.reduce import Reducer, find
from cpmines.jit import kernel

__all__ = ["Classes", "collect"]

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
Longs = NDArray[np.int64]


class Classes(NamedTuple):
    """What is left after the reduction, as `cpmines.inference.reduction.Reduced` holds it; set by `collect`.

    The arrays are as long as the network could require; `collect` says how much is used.
    """

    variable: Ints
    group: Bytes
    flipped: Bytes
    sizes: Ints
    ones: Ints
    zeros: Ints
    starts: Longs
    sums: Ints
    coefficients: Ints
    need: Ints
    number: Ints


@kernel
def same(a: int, b: int, starts: Longs, sums: Ints, coefficients: Ints) -> bool:
    """Have two roots the same terms? They stand in the order of their sums."""
    if starts[a + 1] - starts[a] != starts[b + 1] - starts[b]:
        return False
    for k in range(starts[a + 1] - starts[a]):
        i, j = starts[a] + k, starts[b] + k
        if sums[i] != sums[j] or coefficients[i] != coefficients[j]:
            return False
    return True


@kernel
def collect(reducer: Reducer, out: Classes) -> tuple[int, int]:
    """Set the arrays of `out`; the numbers of variables and of sums.

    Cells that are tied are a group, and groups that have the same terms in the same sums, and as many ones
    and zeros, can be exchanged: a variable counts how many of them hold.
    """
    zero = len(reducer.parent) - 1
    starts, sums, coefficients = index(reducer)
    ones, zeros = np.zeros(zero + 1, np.int32), np.zeros(zero + 1, np.int32)
    for cell in range(zero):
        root, flip = find(reducer, cell)
        if flip:
            zeros[root] += 1
        else:
            ones[root] += 1
    left = 0
    for s in range(len(reducer.need)):
        if reducer.lengths[s] > 0:
            out.need[left], out.number[left] = reducer.need[s], s
            reducer.waiting[s] = 0
            reducer.queue[s] = left  # nothing is queued any more: from here on the new number of each sum
            left += 1
    count = 0
    fill = np.int64(0)
    name = np.full(zero + 1, -1, np.int32)
    rank = np.zeros(zero + 1, np.int8)
    for root in range(zero):
        if reducer.parent[root] != root:
            continue
        # An equal group has the same first sum, and if it came earlier, a name.
        if starts[root] < starts[root + 1]:
            s = sums[starts[root]]
            for k in range(reducer.starts[s], reducer.starts[s] + reducer.lengths[s]):
                other = reducer.cells[k]
                alike = name[other] >= 0 and ones[other] == ones[root] and zeros[other] == zeros[root]
                if alike and same(root, other, starts, sums, coefficients):
                    name[root] = name[other]
        if name[root] >= 0:
            rank[root] = out.sizes[name[root]]
            out.sizes[name[root]] += 1
            continue
        name[root] = count
        out.sizes[count], out.ones[count], out.zeros[count] = 1, ones[root], zeros[root]
        out.starts[count] = fill
        for k in range(starts[root], starts[root + 1]):
            out.sums[fill], out.coefficients[fill] = reducer.queue[sums[k]], coefficients[k]
            fill += 1
        count += 1
    out.starts[count] = fill
    # Decided cells are tied to the last entry, which has no name: their variable is -1, `flip` their value.
    for cell in range(zero):
        root, flip = find(reducer, cell)
        out.variable[cell], out.group[cell], out.flipped[cell] = name[root], rank[root], flip
    return count, left
