"""Preprocessing of a network: what is left has the same solutions, told by fewer variables and sums.

In turns, until nothing changes:

- a sum decides terms that can't hold or must hold; where all but two of its terms are even, these two are
  equal or opposite (parity), and are tied together from then on;
- a sum within another is taken off it, and two that overlap bound what they have in common.

Then variables with the same terms in the same sums become one, which says how many of them hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.inference.network import Network

if TYPE_CHECKING:
    from cpmines.inference.kernels.reduce import Reducer

__all__ = ["Reduced", "reduce"]

Ints = NDArray[np.int32]

BYTES_PER_CELL = 120
MOST_ROUNDS = 50
"""What more rounds would find is left to the elimination."""


@dataclass(frozen=True)
class Reduced:
    """Variables with values from 0 to their size, and exact sums of terms of them.

    A variable of size d stands for d groups of cells, of which as many as its value hold. In a group that
    holds, ``ones`` cells are 1 and ``zeros`` are 0; in one that does not, the other way round.

    Attributes
    ----------
    variable
        int32 (cells,): the variable that each cell of the network belongs to, -1 if the cell is decided.
    group
        int8 (cells,): which of the groups of the variable the cell belongs to, from 0 on.
    flipped
        int8 (cells,): 1 if the cell is 0 where its group holds; the value of a decided cell.
    sizes, ones, zeros
        int32 (variables,).
    starts, sums, coefficients
        The terms of variable v are those from ``starts[v]`` to ``starts[v + 1]``: in which sum, and with what
        coefficient; -c stands for ``c * (size - value)``.
    need
        int32 (sums,): what the terms add up to.
    sources
        int32 (sums,): the sum of the network that is left in each.
    """

    variable: Ints
    group: NDArray[np.int8]
    flipped: NDArray[np.int8]
    sizes: Ints
    ones: Ints
    zeros: Ints
    starts: NDArray[np.int64]
    sums: Ints
    coefficients: Ints
    need: Ints
    sources: Ints

    @property
    def decided(self) -> int:
        """Number of ones among the decided cells."""
        return int(self.flipped[self.variable < 0].sum(dtype=np.int64))


def reduce(network: Network, limits: Limits) -> Reduced | None:
    """Reduce a network whose sums are exact; None if a contradiction was found.

    Raises
    ------
    LimitError
    """
    from cpmines.inference.kernels.reduce import BROKEN

    limits.require(len(network.cells) * BYTES_PER_CELL, "the reduction")
    reducer = _begin(network)
    for _ in range(MOST_ROUNDS):
        _settle(reducer, limits)
        if reducer.counters[BROKEN] >= 0 or not _nest(reducer, limits):
            break
    _settle(reducer, limits)
    return None if reducer.counters[BROKEN] >= 0 else _collect(reducer, limits)


def _settle(reducer: Reducer, limits: Limits) -> None:
    from cpmines.inference.kernels.reduce import settle
    from cpmines.kernels.pulse import Pulse

    settle(reducer, Pulse(limits.check))
    limits.check()


def _nest(reducer: Reducer, limits: Limits) -> bool:
    from cpmines.inference.kernels.nest import nest
    from cpmines.kernels.pulse import Pulse

    found: bool = nest(reducer, 0, len(reducer.need), Pulse(limits.check))
    return found


def _begin(network: Network) -> Reducer:
    from cpmines.inference.kernels import reduce as kernels

    cells, sums = len(network.cells), len(network.most)
    return kernels.Reducer(
        parent=np.arange(cells + 1, dtype=np.int32),
        flipped=np.zeros(cells + 1, np.int8),
        following=np.arange(cells + 1, dtype=np.int32),
        members=np.ones(cells + 1, np.int32),
        cell_starts=network.cell_starts,
        cell_sums=network.cell_sums,
        starts=network.sum_starts,
        lengths=np.diff(network.sum_starts),
        cells=network.sum_cells.copy(),
        coefficients=np.ones(len(network.sum_cells), np.int32),
        need=network.most.copy(),
        queue=np.arange(sums - 1, -1, -1, dtype=np.int32),
        waiting=np.ones(sums, np.int8),
        counters=np.array([sums, -1], np.int64),
    )


def _collect(reducer: Reducer, limits: Limits) -> Reduced:
    from cpmines.inference.kernels import classes as kernels
    from cpmines.kernels.pulse import Pulse

    cells, sums, terms = len(reducer.parent) - 1, len(reducer.need), len(reducer.cells)
    out: dict[str, NDArray[Any]] = {
        "variable": np.empty(cells, np.int32),
        "group": np.empty(cells, np.int8),
        "flipped": np.empty(cells, np.int8),
        "sizes": np.empty(cells, np.int32),
        "ones": np.empty(cells, np.int32),
        "zeros": np.empty(cells, np.int32),
        "starts": np.empty(cells + 1, np.int64),
        "sums": np.empty(terms, np.int32),
        "coefficients": np.empty(terms, np.int32),
        "need": np.empty(sums, np.int32),
        "number": np.empty(sums, np.int32),
    }
    count, left = kernels.collect(reducer, kernels.Classes(**out), Pulse(limits.check))
    terms = int(out["starts"][count])
    return Reduced(
        out["variable"],
        out["group"],
        out["flipped"],
        out["sizes"][:count],
        out["ones"][:count],
        out["zeros"][:count],
        out["starts"][: count + 1],
        out["sums"][:terms],
        out["coefficients"][:terms],
        out["need"][:left],
        out["number"][:left],
    )
