"""A network of 0/1 cells and sums of them, split into components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.inference.propagation import Propagated, steps_around

__all__ = ["Network"]

Ints = NDArray[np.int32]

BYTES_PER_PLACE = 4
BYTES_PER_CELL = 150
"""An unknown cell with its up to eight sums, each stored in both directions, and its share of the clues."""


@dataclass(frozen=True)
class Network:
    """Cells with values 0 or 1, and sums ``least <= sum of cells <= most``. All arrays are int32.

    Attributes
    ----------
    cells
        Flat index of each cell on the board; shape (cells,).
    sum_starts, sum_cells
        The cells of sum s are ``sum_cells[sum_starts[s]:sum_starts[s + 1]]``.
    cell_starts, cell_sums
        The same the other way round: the sums of each cell.
    least, most
        Shape (sums,); equal where the sum comes from a clue.
    cell_ends, sum_ends
        Component c has the cells from ``cell_ends[c]`` to ``cell_ends[c + 1]``, and likewise its sums. Within
        a component, cells and sums are numbered breadth first.
    clues
        Flat index on the board of the clue that each sum comes from, -1 for the total; shape (sums,).
    """

    cells: Ints
    sum_starts: Ints
    sum_cells: Ints
    cell_starts: Ints
    cell_sums: Ints
    least: Ints
    most: Ints
    cell_ends: Ints
    sum_ends: Ints
    clues: Ints

    @classmethod
    def of(cls, known: Propagated, limits: Limits) -> Network:
        """The clues that propagation leaves open, and their unknown neighbours.

        Raises
        ------
        LimitError
        """
        from cpmines.inference.kernels import network as kernels

        limits.require(len(known.cells) * BYTES_PER_PLACE + known.unknowns * BYTES_PER_CELL, "the network")
        cols = known.position.shape[1]
        around = steps_around(cols + 2)
        number = np.full(len(known.cells), -1, np.int32)
        cell_at = np.empty(known.unknowns, np.int32)
        clue_at = np.empty(known.open_clues, np.int32)
        ends = np.empty((known.open_clues + 1, 2), np.int32)
        ends[0] = 0
        board = known.cells, known.need, known.spare
        components = kernels.connect(around, *board, number, cell_at, clue_at, ends[1:])
        ends = ends[: components + 1]
        cell_at = cell_at[: ends[-1, 0]]
        need = known.need[clue_at].astype(np.int32)
        size = int(need.sum() + known.spare[clue_at].sum(dtype=np.int64))
        sum_starts, sum_cells = np.empty(len(clue_at) + 1, np.int32), np.empty(size, np.int32)
        kernels.fill_sums(around, known.cells, number, clue_at, sum_starts, sum_cells)
        cell_starts, cell_sums = np.empty(len(cell_at) + 1, np.int32), np.empty(size, np.int32)
        kernels.fill_cells(around, known.cells, number, cell_at, cell_starts, cell_sums)
        cell_ends, sum_ends = np.ascontiguousarray(ends.T)
        places, clues = inner(cell_at, cols), inner(clue_at, cols)
        return cls(
            places, sum_starts, sum_cells, cell_starts, cell_sums, need, need, cell_ends, sum_ends, clues
        )

    @property
    def components(self) -> int:
        return len(self.cell_ends) - 1

    def part(self, first: int, last: int) -> Network:
        """The components from `first` to `last`, without the latter, as a network of their own."""
        cell, cell_end = self.cell_ends[first], self.cell_ends[last]
        total, total_end = self.sum_ends[first], self.sum_ends[last]
        member, member_end = self.sum_starts[total], self.sum_starts[total_end]
        return Network(
            self.cells[cell:cell_end],
            self.sum_starts[total : total_end + 1] - member,
            self.sum_cells[member:member_end] - cell,
            self.cell_starts[cell : cell_end + 1] - member,
            self.cell_sums[member:member_end] - total,
            self.least[total:total_end],
            self.most[total:total_end],
            self.cell_ends[first : last + 1] - cell,
            self.sum_ends[first : last + 1] - total,
            self.clues[total:total_end],
        )

    def blocks(self, size: int) -> list[tuple[int, int]]:
        """Ranges of components, all of them in order, each of up to `size` cells or a single component."""
        found, first = [], 0
        while first < self.components:
            reach = np.searchsorted(self.cell_ends, self.cell_ends[first] + size, "right")
            last = max(int(reach) - 1, first + 1)
            found.append((first, last))
            first = last
        return found

    def with_total(self, least: int, most: int) -> Network:
        """The network with one more sum, over all cells. Components are then no longer independent."""
        return self.with_sum(np.arange(len(self.cells), dtype=np.int32), least, most)

    def with_sum(self, members: Ints, least: int, most: int) -> Network:
        """The network with one more sum, over `members`, ascending; all of it is then one component."""
        count = len(self.cells)
        return Network(
            self.cells,
            np.append(self.sum_starts, self.sum_starts[-1] + np.int32(len(members))),
            np.concatenate([self.sum_cells, members]),
            self.cell_starts + np.searchsorted(members, np.arange(count + 1)).astype(np.int32),
            np.insert(self.cell_sums, self.cell_starts[members + 1], np.int32(len(self.least))),
            np.append(self.least, np.int32(least)),
            np.append(self.most, np.int32(most)),
            np.array([0, count], np.int32),
            np.array([0, len(self.least) + 1], np.int32),
            np.append(self.clues, np.int32(-1)),
        )

    def classes(self) -> Ints:
        """For each cell the first cell that is in exactly the same sums, perhaps itself; int32 (cells,)."""
        from cpmines.inference.kernels import network as kernels

        return kernels.classes(self.sum_starts, self.sum_cells, self.cell_starts, self.cell_sums)


def inner(places: Ints, cols: int) -> Ints:
    """Flat indices on the board of places in an array with a border of one cell."""
    row, col = np.divmod(places, np.int32(cols + 2))
    return (row - 1) * np.int32(cols) + col - 1
