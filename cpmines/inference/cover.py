"""What is certain where elimination is too wide: by search for placements that show every cell both ways.

A cell that was a mine in one placement found and none in another is open. For each of the others a placement
is sought that has it the other way; that there is none proves it certain. The search tries first what has not
been seen of each cell, so that one placement often shows many.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import MINE, UNKNOWN
from cpmines.inference.exact import OPEN
from cpmines.inference.network import Network
from cpmines.inference.propagation import Propagated
from cpmines.inference.search import search
from cpmines.inference.witness import BLOCK

__all__ = ["certain"]

States = NDArray[np.int8]


def certain(known: Propagated, limits: Limits) -> States | None:
    """As `Inference.state` of a position without contradiction; None if it has no placement.

    Raises
    ------
    LimitError
    """
    network = Network.of(known, limits)
    rows, cols = known.position.shape
    board = known.cells.reshape(rows + 2, cols + 2)[1:-1, 1:-1]
    result = np.where(board == UNKNOWN, OPEN, board == MINE).astype(np.int8)
    left, free = known.mines_left, known.unknowns - len(network.cells)
    if left is None:
        states = cover_blocks(network, limits)
    else:
        states = cover(network.with_total(left - free, left), limits)
    if states is None:
        return None
    if left is not None and free:
        result.flat[np.flatnonzero(known.others(network.cells))] = outer(network, left, free, limits)
    result.flat[network.cells] = states
    return result


def outer(network: Network, left: int, free: int, limits: Limits) -> int:
    """State of the `free` cells beside no open clue: can one of them be safe, and can one be a mine?"""
    phase = np.zeros(len(network.cells), np.int8)
    safe = search(network.with_total(left - free + 1, left), limits, phase) is not None
    mine = search(network.with_total(left - free, left - 1), limits, phase) is not None
    return OPEN if safe and mine else int(mine)


def cover_blocks(network: Network, limits: Limits) -> States | None:
    """`cover` of a few components at a time."""
    result = np.empty(len(network.cells), np.int8)
    for first, last in network.blocks(BLOCK):
        states = cover(network.part(first, last), limits)
        if states is None:
            return None
        result[network.cell_ends[first] : network.cell_ends[last]] = states
    return result


@dataclass
class Seen:
    """The values seen of each class of cells: in exactly the same sums, so that they can be exchanged."""

    first: NDArray[np.int32]
    zero: NDArray[np.bool_]
    one: NDArray[np.bool_]

    def note(self, values: States) -> None:
        self.zero[self.first[values == 0]] = True
        self.one[self.first[values == 1]] = True


def cover(network: Network, limits: Limits) -> States | None:
    """1 for cells that are 1 in all solutions, 0 in none, else `OPEN`; int8 (cells,). None: no solution."""
    count = len(network.cells)
    values = search(network, limits, np.zeros(count, np.int8))
    if values is None:
        return None
    seen = Seen(network.classes(limits), np.zeros(count, np.bool_), np.zeros(count, np.bool_))
    seen.note(values)
    for done, cell in enumerate(np.unique(seen.first).tolist()):
        limits.check(done / count)
        if seen.zero[cell] and seen.one[cell]:
            continue
        wanted = int(seen.zero[cell])
        phase = np.where(seen.zero[seen.first] & ~seen.one[seen.first], 1, 0).astype(np.int8)
        itself = np.array([cell], np.int32)
        other = search(network.with_sum(itself, wanted, wanted), limits, phase)
        if other is None:
            network = network.with_sum(itself, 1 - wanted, 1 - wanted)
        else:
            seen.note(other)
    both = seen.zero & seen.one
    return np.where(both, OPEN, seen.one).astype(np.int8)[seen.first]
