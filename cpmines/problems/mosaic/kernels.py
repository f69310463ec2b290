"""From a puzzle to a network of cells and sums, component by component.

`shown` and `inside` are flat with a border of one cell: the sum of a cell, negative where none is; 1 for
the cells of the network, 0 for those that are known and for the border. `around` holds the steps to the nine
cells of a block.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel

__all__ = ["connect", "fill_cells", "fill_sums"]

Cells = NDArray[np.int8]
Ints = NDArray[np.int32]


@kernel
def connect(
    around: Ints, shown: Cells, inside: Cells, cell: Ints, total: Ints, cell_at: Ints, sum_at: Ints
) -> Ints:
    """Number the sums and the cells of their blocks, a component after the other, breadth first.

    Parameters
    ----------
    cell, total
        int32, flat: -1 everywhere; set to the number of each cell and of each sum.
    cell_at, sum_at
        int32, large enough for all: set to their places.

    Returns
    -------
    Ints
        int32 (components + 1, 2): the numbers of cells and of sums up to the end of each component.
    """
    cells = sums = components = 0
    ends = np.zeros((len(shown) + 1, 2), np.int32)
    for start in range(len(shown)):
        if shown[start] < 0 or total[start] >= 0:
            continue
        total[start], sum_at[sums] = sums, start
        head, sums = sums, sums + 1
        while head < sums:
            for step in around:
                place = sum_at[head] + step
                if inside[place] == 0 or cell[place] >= 0:
                    continue
                cell[place], cell_at[cells] = cells, place
                cells += 1
                for step in around:
                    other = place + step
                    if shown[other] >= 0 and total[other] < 0:
                        total[other], sum_at[sums] = sums, other
                        sums += 1
            head += 1
        components += 1
        ends[components, 0], ends[components, 1] = cells, sums
    return ends[: components + 1].copy()


@kernel
def fill_sums(around: Ints, inside: Cells, cell: Ints, sum_at: Ints, starts: Ints, members: Ints) -> None:
    """Set `starts` (sums + 1,) and `members` to the cells of each sum."""
    k = 0
    for index in range(len(sum_at)):
        starts[index] = k
        for step in around:
            if inside[sum_at[index] + step] != 0:
                members[k] = cell[sum_at[index] + step]
                k += 1
    starts[len(sum_at)] = k


@kernel
def fill_cells(around: Ints, shown: Cells, total: Ints, cell_at: Ints, starts: Ints, sums: Ints) -> None:
    """Set `starts` (cells + 1,) and `sums` to the sums that each cell is in."""
    k = 0
    for index in range(len(cell_at)):
        starts[index] = k
        for step in around:
            if shown[cell_at[index] + step] >= 0:
                sums[k] = total[cell_at[index] + step]
                k += 1
    starts[len(cell_at)] = k
