"""A network of 0/1 cells and sums of them, split into components."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import UNKNOWN
from cpmines.inference.propagation import Propagated, steps_around

__all__ = ["NO_SUM", "Network", "Sum", "inner"]

Ints = NDArray[np.int32]
Sum = tuple[tuple[int, ...], int]
"""Cells, and how many of them are mines."""

NO_SUM = np.int8(-1)
HIGHEST_CLUE = 8
BYTES_PER_PLACE = 7
"""The number of each cell and sum, what is shown, and two masks."""
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
        limits.require(len(known.cells) * BYTES_PER_PLACE + known.unknowns * BYTES_PER_CELL, "the network")
        # At a fixed point an open clue needs a mine; what is no clue is larger than one if read as unsigned.
        open_clue = (known.cells.view(np.uint8) <= HIGHEST_CLUE) & (known.need > 0)
        limits.check()
        shown = np.where(open_clue, known.need, NO_SUM)
        limits.check()
        return cls.of_board(shown, known.cells == UNKNOWN, steps_around(known.position.shape[1] + 2), limits)

    @classmethod
    def of_board(
        cls, shown: NDArray[np.int8], inside: NDArray[np.bool_], around: Ints, limits: Limits
    ) -> Network:
        """A sum for each place that shows one, of the cells around it.

        Parameters
        ----------
        shown, inside
            Flat, with a border of one cell: what the cells around each place add up to, `NO_SUM` where it is
            not said and where there are none; and which places are cells of the network.
        around
            `steps_around` such a place; with 0 among them, a place is a cell of its own sum.
        """
        from cpmines.inference.kernels import network as kernels
        from cpmines.kernels.pulse import Pulse

        pulse = Pulse(limits.check)
        stride = int(around[-1]) - 1
        sums, mask = int(np.count_nonzero(shown >= 0)), inside.view(np.int8)
        cell = np.full(len(shown), -1, np.int32)
        total = cell.copy() if 0 in around else cell
        cell_at, sum_at = np.empty(np.count_nonzero(inside), np.int32), np.empty(sums, np.int32)
        ends = np.zeros((sums + 1, 2), np.int32)
        limits.check()
        components, size = kernels.connect(around, shown, mask, cell, total, cell_at, sum_at, ends[1:], pulse)
        cell_ends, sum_ends = np.ascontiguousarray(ends[: components + 1].T)
        cell_at = cell_at[: cell_ends[-1]]
        limits.check()
        sum_starts, sum_cells = np.empty(sums + 1, np.int32), np.empty(size, np.int32)
        kernels.fill_sums(around, mask, cell, sum_at, sum_starts, sum_cells, pulse)
        cell_starts, cell_sums = np.empty(len(cell_at) + 1, np.int32), np.empty(size, np.int32)
        kernels.fill_cells(around, shown, total, cell_at, cell_starts, cell_sums, pulse)
        limits.check()
        need = shown[sum_at].astype(np.int32)
        limits.check()
        cells = inner(cell_at, stride)
        limits.check()
        clues = inner(sum_at, stride)
        return cls(
            cells, sum_starts, sum_cells, cell_starts, cell_sums, need, need, cell_ends, sum_ends, clues
        )

    @classmethod
    def of_sums(cls, sums: Sequence[Sum]) -> Network:
        """Sums of any cells, with its components in order.

        Cells keep their numbers in `cells`, and `clues` says which of the sums each one is.
        """
        holding: dict[int, list[int]] = {}
        for index, (cells, _) in enumerate(sums):
            for cell in cells:
                holding.setdefault(cell, []).append(index)
        cell_order, sum_order, ends = list[int](), list[int](), [(0, 0)]
        seen_cells, seen_sums = set[int](), set[int]()
        for first in range(len(sums)):
            if first in seen_sums:
                continue
            seen_sums.add(first)
            queue = [first]
            for index in queue:
                fresh = [cell for cell in sums[index][0] if cell not in seen_cells]
                seen_cells.update(fresh)
                cell_order += fresh
                near = dict.fromkeys(k for cell in fresh for k in holding[cell] if k not in seen_sums)
                seen_sums.update(near)
                queue += near
            sum_order += queue
            ends.append((len(cell_order), len(sum_order)))
        number = {cell: k for k, cell in enumerate(cell_order)}
        position = {index: k for k, index in enumerate(sum_order)}
        in_sum = rows([number[cell] for cell in sums[index][0]] for index in sum_order)
        of_cell = rows([position[index] for index in holding[cell]] for cell in cell_order)
        need = np.array([sums[index][1] for index in sum_order], np.int32)
        cell_ends, sum_ends = np.ascontiguousarray(np.array(ends, np.int32).T)
        order, clues = np.array(cell_order, np.int32), np.array(sum_order, np.int32)
        return cls(order, *in_sum, *of_cell, need, need, cell_ends, sum_ends, clues)

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

    def classes(self, limits: Limits) -> Ints:
        """For each cell the first cell that is in exactly the same sums, perhaps itself; int32 (cells,)."""
        from cpmines.inference.kernels import network as kernels
        from cpmines.kernels.pulse import Pulse

        lists = self.sum_starts, self.sum_cells, self.cell_starts, self.cell_sums
        first: Ints = kernels.classes(*lists, Pulse(limits.check))
        return first


def inner(places: Ints, stride: int) -> Ints:
    """Flat indices on the board of places in an array with a border of one cell, `stride` places a row."""
    found: Ints = places // np.int32(stride)  # rows; the rest in place: fresh memory is what takes time
    found *= -2
    found += places
    found -= np.int32(stride - 1)
    return found


def rows(lists: Iterable[list[int]]) -> tuple[Ints, Ints]:
    """Where each list begins, and all of them in a row."""
    found = list(lists)
    starts = np.zeros(len(found) + 1, np.int32)
    np.cumsum([len(row) for row in found], out=starts[1:])
    return starts, np.array([item for row in found for item in row], np.int32)
