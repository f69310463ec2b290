"""Sums of cells as a network for `cpmines.inference`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cpmines.inference.network import Network

__all__ = ["Sum", "network_of"]

Ints = NDArray[np.int32]
Sum = tuple[tuple[int, ...], int]
"""Cells, and how many of them are mines."""


def network_of(sums: Sequence[Sum]) -> Network:
    """The network of sums, with its components in order; cells keep their numbers in `Network.cells`."""
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
    members = [[number[cell] for cell in sums[index][0]] for index in sum_order]
    holds = [[position[index] for index in holding[cell]] for cell in cell_order]
    need = np.array([sums[index][1] for index in sum_order], np.int32)
    cell_ends, sum_ends = np.ascontiguousarray(np.array(ends, np.int32).T)
    places = np.array(sum_order, np.int32)
    order = np.array(cell_order, np.int32)
    return Network(order, *_rows(members), *_rows(holds), need, need, cell_ends, sum_ends, places)


def _rows(lists: list[list[int]]) -> tuple[Ints, Ints]:
    """Where each list begins, and all of them in a row."""
    starts = np.zeros(len(lists) + 1, np.int32)
    np.cumsum([len(row) for row in lists], out=starts[1:])
    return starts, np.array([item for row in lists for item in row], np.int32)
