"""From the board that propagation leaves open to a network of cells and sums, component by component.

`cells`, `need`, `spare` are the flat arrays with a border of `cpmines.inference.kernels.board`, at a fixed
point; `around` holds the steps to the eight neighbours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.board import UNKNOWN
from cpmines.inference.kernels.board import SAFE
from cpmines.jit import kernel

__all__ = ["classes", "connect", "fill_cells", "fill_sums"]

Cells = NDArray[np.int8]
Ints = NDArray[np.int32]


@kernel
def connect(
    around: Ints,
    cells: Cells,
    need: Cells,
    spare: Cells,
    number: Ints,
    cell_at: Ints,
    clue_at: Ints,
    ends: Ints,
) -> int:
    """Number the open clues and their unknown neighbours, a component after the other, breadth first.

    Parameters
    ----------
    number
        int32, flat: -1 everywhere; set to the number of each cell or clue that is met.
    cell_at, clue_at
        int32, large enough for all: set to their places on the flat board.
    ends
        int32 (at least components, 2): set to the numbers of cells and of clues up to the end of each
        component.

    Returns
    -------
    int
        Number of components.
    """
    cell_count = clue_count = components = 0
    for start in range(len(cells)):
        code = cells[start]
        if code < 0 or code == SAFE or number[start] >= 0 or need[start] + spare[start] == 0:
            continue
        number[start] = clue_count
        clue_at[clue_count] = start
        head = clue_count
        clue_count += 1
        while head < clue_count:
            for step in around:
                cell = clue_at[head] + step
                if cells[cell] != UNKNOWN or number[cell] >= 0:
                    continue
                number[cell] = cell_count
                cell_at[cell_count] = cell
                cell_count += 1
                for step in around:
                    clue = cell + step
                    code = cells[clue]
                    if code >= 0 and code != SAFE and number[clue] < 0:
                        number[clue] = clue_count
                        clue_at[clue_count] = clue
                        clue_count += 1
            head += 1
        ends[components, 0], ends[components, 1] = cell_count, clue_count
        components += 1
    return components


@kernel
def fill_sums(around: Ints, cells: Cells, number: Ints, clue_at: Ints, starts: Ints, members: Ints) -> None:
    """Set `starts` (sums + 1,) and `members` to the cells of each sum."""
    k = 0
    for index in range(len(clue_at)):
        starts[index] = k
        for step in around:
            cell = clue_at[index] + step
            if cells[cell] == UNKNOWN:
                members[k] = number[cell]
                k += 1
    starts[len(clue_at)] = k


@kernel
def fill_cells(around: Ints, cells: Cells, number: Ints, cell_at: Ints, starts: Ints, sums: Ints) -> None:
    """Set `starts` (cells + 1,) and `sums` to the sums that each cell is in, in the order of `around`."""
    k = 0
    for index in range(len(cell_at)):
        starts[index] = k
        for step in around:
            clue = cell_at[index] + step
            if cells[clue] >= 0 and cells[clue] != SAFE:
                sums[k] = number[clue]
                k += 1
    starts[len(cell_at)] = k


@kernel
def same_sums(a: int, b: int, starts: Ints, sums: Ints) -> bool:
    """Are cells `a` and `b` in the same sums? O(degree^2): the order of the sums may differ."""
    if starts[a + 1] - starts[a] != starts[b + 1] - starts[b]:
        return False
    for i in range(starts[a], starts[a + 1]):
        found = False
        for j in range(starts[b], starts[b + 1]):
            found |= sums[i] == sums[j]
        if not found:
            return False
    return True


@kernel
def classes(sum_starts: Ints, sum_cells: Ints, cell_starts: Ints, cell_sums: Ints) -> Ints:
    """For each cell, the lowest numbered cell that is in exactly the same sums; int32 (cells,)."""
    count = len(cell_starts) - 1
    first = np.empty(count, np.int32)
    for cell in range(count):
        first[cell] = cell
        s = cell_sums[cell_starts[cell]]
        for k in range(sum_starts[s], sum_starts[s + 1]):
            other = sum_cells[k]
            if other < first[cell] and same_sums(cell, other, cell_starts, cell_sums):
                first[cell] = other
    return first
