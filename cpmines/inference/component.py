"""The components of a position: what preprocessing leaves of it hangs together in several parts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cpmines.inference.compiled import Compiled

__all__ = ["Component", "components_of"]


@dataclass(frozen=True, eq=False)
class Component:
    """Unknown cells that hang together, after preprocessing.

    Attributes
    ----------
    cells, clues
        Flat indices on the board, int32, ascending.
    width
        Binary logarithm of the number of rows of its largest table, rounded up.
    """

    cells: NDArray[np.int32]
    clues: NDArray[np.int32]
    width: int


def components_of(found: Compiled) -> tuple[Component, ...]:
    """The components that preprocessing leaves, in the order of their first cells."""
    circuit, reduced = found.circuit, found.reduced
    of_table = circuit.components()
    rows = np.diff(circuit.row_starts)
    largest = np.zeros(len(circuit.roots), np.int64)
    np.maximum.at(largest, of_table, rows)
    inside = reduced.variable >= 0
    of_cell = of_table[reduced.variable[inside]]
    cells = _grouped(found.network.cells[inside], of_cell, len(circuit.roots))
    owners = np.repeat(np.arange(len(reduced.sizes)), np.diff(reduced.starts))
    of_sum = np.zeros(len(reduced.need), np.int32)
    of_sum[reduced.sums] = of_table[owners]
    clues = _grouped(found.network.clues[reduced.sources], of_sum, len(circuit.roots))
    parts = [
        Component(*pair, (size - 1).bit_length())
        for pair, size in zip(zip(cells, clues, strict=True), largest.tolist(), strict=True)
    ]
    return tuple(sorted(parts, key=lambda component: int(component.cells[0])))


def _grouped(items: NDArray[np.int32], groups: NDArray[np.int32], count: int) -> list[NDArray[np.int32]]:
    """The items of each group, ascending."""
    order = np.lexsort((items, groups))
    ends = np.searchsorted(groups[order], np.arange(count + 1))
    return [items[order[start:end]] for start, end in pairwise(ends.tolist())]
