"""What a reduction leaves: cells tied together as groups, equal groups as variables."""

import cython
import numpy as np
from cython.cimports.cpmines.inference.kernels.nest import TermIndex
from cython.cimports.cpmines.inference.kernels.reduce import Reducer, find
from cython.cimports.cpmines.kernels.arrays import Bytes, Ints, int64
from cython.cimports.cpmines.kernels.pulse import Pulse, beat
from cython.cimports.cpmines.kernels.structure import Structure

__all__ = ["Classes", "collect"]


class Classes(Structure):
    """What is left after the reduction, as `cpmines.inference.reduction.Reduced` holds it; set by `collect`.

    The arrays are as long as the network could require; `collect` says how much is used.
    """


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def same(a: int64, b: int64, index: TermIndex) -> cython.bint:
    """Have two roots the same terms? They stand in the order of their sums."""
    i: int64 = index.starts[a]
    j: int64 = index.starts[b]
    count: int64 = index.starts[a + 1] - i
    if count != index.starts[b + 1] - j:
        return False
    for k in range(count):
        if index.sums[i + k] != index.sums[j + k] or index.coefficients[i + k] != index.coefficients[j + k]:
            return False
    return True


def collect(reducer: Reducer, out: Classes, pulse: Pulse) -> tuple[int, int]:
    """Set the arrays of `out`; the numbers of variables and of sums.

    Cells that are tied are a group, and groups that have the same terms in the same sums, and as many ones
    and zeros, can be exchanged: a variable counts how many of them hold.
    """
    zero: int64 = len(reducer.parent) - 1
    index = TermIndex(reducer, pulse)
    ones: Ints = np.zeros(zero + 1, np.int32)
    zeros: Ints = np.zeros(zero + 1, np.int32)
    name: Ints = np.full(zero + 1, -1, np.int32)
    rank: Bytes = np.zeros(zero + 1, np.int8)
    left: int64 = 0
    count: int64 = 0
    fill: int64 = 0
    cell: int64
    total: int64
    root: int64
    flip: int64
    other: int64
    alike: cython.bint
    k: int64
    with cython.nogil:
        for cell in range(zero):
            beat(pulse)
            root, flip = find(reducer, cell)
            if flip:
                zeros[root] += 1
            else:
                ones[root] += 1
        left = 0
        for total in range(len(reducer.need)):
            beat(pulse)
            if reducer.lengths[total] > 0:
                out.need[left], out.number[left] = reducer.need[total], total
                reducer.waiting[total] = 0
                reducer.queue[total] = left  # nothing is queued any more: the new number of each sum
                left += 1
        for root in range(zero):
            beat(pulse)
            if reducer.parent[root] != root:
                continue
            # An equal group has the same first sum, and if it came earlier, a name.
            if index.starts[root] < index.starts[root + 1]:
                total = index.sums[index.starts[root]]
                for k in range(reducer.starts[total], reducer.starts[total] + reducer.lengths[total]):
                    other = reducer.cells[k]
                    alike = name[other] >= 0 and ones[other] == ones[root] and zeros[other] == zeros[root]
                    if alike and same(root, other, index):
                        name[root] = name[other]
            if name[root] >= 0:
                rank[root] = out.sizes[name[root]]
                out.sizes[name[root]] += 1
                continue
            name[root] = count
            out.sizes[count], out.ones[count], out.zeros[count] = 1, ones[root], zeros[root]
            out.starts[count] = fill
            for k in range(index.starts[root], index.starts[root + 1]):
                out.sums[fill], out.coefficients[fill] = reducer.queue[index.sums[k]], index.coefficients[k]
                fill += 1
            count += 1
        out.starts[count] = fill
        # Decided cells are tied to the last entry, which has no name: their variable is -1, `flip` the value.
        for cell in range(zero):
            beat(pulse)
            root, flip = find(reducer, cell)
            out.variable[cell], out.group[cell], out.flipped[cell] = name[root], rank[root], flip
    return count, left
