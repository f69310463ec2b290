"""A puzzle as the network that `cpmines.inference` works on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import UNKNOWN, Position
from cpmines.grid import box_sums
from cpmines.inference.elimination import compile_circuit
from cpmines.inference.exact import Inference
from cpmines.inference.network import Network
from cpmines.inference.propagation import propagate
from cpmines.inference.reduction import Reduced
from cpmines.problems.mosaic.backbone import OPEN
from cpmines.problems.mosaic.problem import GAP

__all__ = ["decided", "infer", "network_of"]

Sums = NDArray[np.int8]

BYTES_PER_CELL = 170


def network_of(sums: Sums, limits: Limits, known: Sums | None = None) -> Network:
    """The shown sums and the cells of their blocks.

    Parameters
    ----------
    known
        1 and 0 for cells that are left out of all sums, `OPEN` for the others; None if all are open.

    Raises
    ------
    LimitError
    """
    from cpmines.problems.mosaic import kernels

    limits.require(BYTES_PER_CELL * sums.size, "the network")
    cols = sums.shape[1]
    inside = np.ones(sums.shape, np.bool_) if known is None else known == OPEN
    size = box_sums(inside)
    need = sums if known is None else sums - box_sums(known == 1)
    shown = np.pad(np.where((sums >= 0) & (size > 0), need, np.int8(GAP)), 1, constant_values=GAP).ravel()
    inside = np.pad(inside, 1).view(np.int8).ravel()
    around = np.array([down * (cols + 2) + right for down in (-1, 0, 1) for right in (-1, 0, 1)], np.int32)
    cell, total = (np.full(len(shown), -1, np.int32) for _ in range(2))
    cell_at, sum_at = np.empty(sums.size, np.int32), np.empty(sums.size, np.int32)
    ends = kernels.connect(around, shown, inside, cell, total, cell_at, sum_at)
    cell_ends, sum_ends = np.ascontiguousarray(ends.T)
    cell_at, sum_at = cell_at[: cell_ends[-1]], sum_at[: sum_ends[-1]]
    places, clues = (
        (at // np.int32(cols + 2) - 1) * np.int32(cols) + at % np.int32(cols + 2) - 1
        for at in (cell_at, sum_at)
    )
    members = int(size.ravel()[clues].sum(dtype=np.int64))
    sum_starts, sum_cells = np.empty(len(sum_at) + 1, np.int32), np.empty(members, np.int32)
    kernels.fill_sums(around, inside, cell, sum_at, sum_starts, sum_cells)
    cell_starts, cell_sums = np.empty(len(cell_at) + 1, np.int32), np.empty(members, np.int32)
    kernels.fill_cells(around, shown, total, cell_at, cell_starts, cell_sums)
    exact = shown[sum_at].astype(np.int32)
    return Network(
        places, sum_starts, sum_cells, cell_starts, cell_sums, exact, exact, cell_ends, sum_ends, clues
    )


def decided(network: Network, reduced: Reduced, shape: tuple[int, int]) -> Sums:
    """What preprocessing decides: 1, 0, or `OPEN`, int8 of the puzzle's shape."""
    known = np.full(shape, OPEN, np.int8)
    sure = reduced.variable < 0
    known.flat[network.cells[sure]] = reduced.flipped[sure]
    return known


def infer(shape: tuple[int, int], network: Network, reduced: Reduced, limits: Limits) -> Inference | None:
    """All boards, as a circuit; None if there is none.

    Raises
    ------
    LimitError
        Time is up, or the tables of the elimination need more memory.
    """
    circuit = compile_circuit(reduced, limits)
    if circuit is None:
        return None
    position = Position(np.full(shape, UNKNOWN, np.int8))
    return Inference(position, None, limits, propagate(position, limits), network, reduced, circuit)
