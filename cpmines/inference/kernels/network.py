"""From a board to a network of cells and sums, component by component.

All arrays of the board are flat with a border of one cell, so that a neighbour is a constant away and no step
leaves them: `shown` holds the sum at each place, negative where there is none; `inside` is 1 for the cells of
the network, 0 for those that are known and for the border. `around` holds the steps from a sum to its cells,
which lead back as well: with each step its opposite is there.
"""

import cython
import numpy as np
from cython.cimports.cpmines.kernels.arrays import ConstBytes, ConstInts, Ints, IntsTable, int64
from cython.cimports.cpmines.kernels.pulse import Pulse, beat

__all__ = ["classes", "connect", "fill_cells", "fill_sums"]


def connect(
    around: ConstInts,
    shown: ConstBytes,
    inside: ConstBytes,
    cell: Ints,
    total: Ints,
    cell_at: Ints,
    sum_at: Ints,
    ends: IntsTable,
    pulse: Pulse,
) -> tuple[int, int]:
    """Number the sums and their cells, a component after the other, breadth first.

    `sum_at` is the queue of the search: from `head` on it holds the sums whose cells are still to be looked
    at. A sum gets its number when it enters, so each enters once, and neighbours get numbers near each other,
    which keeps the work of all that follows in one part of memory.

    Parameters
    ----------
    cell, total
        int32, flat: -1 everywhere; set to the number of each cell and of each sum. Both may be the same array
        if no place is a cell and has a sum.
    cell_at, sum_at
        int32, large enough for all: set to their places.
    ends
        int32 (at least components, 2): set to the numbers of cells and of sums up to the end of each
        component.

    Returns
    -------
    tuple[int, int]
        Number of components, and of cells in all sums together.
    """
    cells: int64 = 0
    sums: int64 = 0
    components: int64 = 0
    members: int64 = 0
    head: int64
    start: int64
    place: int64
    other: int64
    i: int64
    j: int64
    with cython.nogil:
        for start in range(len(shown)):
            if shown[start] < 0 or total[start] >= 0:
                continue
            total[start], sum_at[sums] = sums, start
            head, sums = sums, sums + 1
            while head < sums:
                beat(pulse)
                for i in range(len(around)):
                    place = sum_at[head] + around[i]
                    if inside[place] == 0 or cell[place] >= 0:
                        continue
                    cell[place], cell_at[cells] = cells, place
                    cells += 1
                    for j in range(len(around)):
                        other = place + around[j]
                        if shown[other] < 0:
                            continue
                        members += 1  # once for each cell and sum, as a cell is numbered once
                        if total[other] < 0:
                            total[other], sum_at[sums] = sums, other
                            sums += 1
                head += 1
            ends[components, 0], ends[components, 1] = cells, sums
            components += 1
    return components, members


def fill_sums(
    around: ConstInts,
    inside: ConstBytes,
    cell: ConstInts,
    sum_at: ConstInts,
    starts: Ints,
    members: Ints,
    pulse: Pulse,
) -> None:
    """Set `starts` (sums + 1,) and `members` to the cells of each sum."""
    k: int64 = 0
    place: int64
    with cython.nogil:
        for index in range(len(sum_at)):
            starts[index] = k
            beat(pulse)
            # In the order of `around`, whatever the order in which `connect` has met the cells.
            for i in range(len(around)):
                place = sum_at[index] + around[i]
                if inside[place] != 0:
                    members[k] = cell[place]
                    k += 1
        starts[len(sum_at)] = k


def fill_cells(
    around: ConstInts,
    shown: ConstBytes,
    total: ConstInts,
    cell_at: ConstInts,
    starts: Ints,
    sums: Ints,
    pulse: Pulse,
) -> None:
    """Set `starts` (cells + 1,) and `sums` to the sums that each cell is in, in the order of `around`."""
    k: int64 = 0
    place: int64
    with cython.nogil:
        for index in range(len(cell_at)):
            starts[index] = k
            beat(pulse)
            # A step from a sum to a cell leads back as well: its opposite is among them.
            for i in range(len(around)):
                place = cell_at[index] + around[i]
                if shown[place] >= 0:
                    sums[k] = total[place]
                    k += 1
        starts[len(cell_at)] = k


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def same_sums(a: int64, b: int64, starts: ConstInts, sums: ConstInts) -> cython.bint:
    """Are cells `a` and `b` in the same sums? O(degree^2): the order of the sums may differ."""
    if starts[a + 1] - starts[a] != starts[b + 1] - starts[b]:
        return False
    i: int64
    j: int64
    found: cython.bint
    for i in range(starts[a], starts[a + 1]):
        found = False
        for j in range(starts[b], starts[b + 1]):
            found |= sums[i] == sums[j]
        if not found:
            return False
    return True


def classes(
    sum_starts: ConstInts, sum_cells: ConstInts, cell_starts: ConstInts, cell_sums: ConstInts, pulse: Pulse
) -> object:
    """For each cell, the lowest numbered cell that is in exactly the same sums; int32 (cells,)."""
    count: int64 = len(cell_starts) - 1
    numbers = np.empty(count, np.int32)
    first: Ints = numbers
    cell: int64
    total: int64
    other: int64
    k: int64
    with cython.nogil:
        for cell in range(count):
            beat(pulse)
            first[cell] = cell
            # Cells in the same sums share their first one: only its cells are compared.
            total = cell_sums[cell_starts[cell]]
            for k in range(sum_starts[total], sum_starts[total + 1]):
                other = sum_cells[k]
                if other < first[cell] and same_sums(cell, other, cell_starts, cell_sums):
                    first[cell] = other
    return numbers
