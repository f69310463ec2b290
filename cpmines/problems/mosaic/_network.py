"""A puzzle as the network that `cpmines.inference` works on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import UNKNOWN, Position
from cpmines.inference.elimination import compile_circuit
from cpmines.inference.exact import Inference
from cpmines.inference.network import Network
from cpmines.inference.propagation import propagate
from cpmines.inference.reduction import reduce

__all__ = ["infer", "network_of"]

BYTES_PER_CELL = 170


def network_of(sums: NDArray[np.int8], limits: Limits) -> Network:
    """The shown sums and the cells of their blocks. Raises `LimitError`."""
    from cpmines.problems.mosaic import kernels

    limits.require(BYTES_PER_CELL * sums.size, "the network")
    rows, cols = sums.shape
    shown = np.pad(sums, 1, constant_values=kernels.OUTSIDE).ravel()
    around = np.array([down * (cols + 2) + right for down in (-1, 0, 1) for right in (-1, 0, 1)], np.int32)
    cell, total = (np.full(len(shown), -1, np.int32) for _ in range(2))
    cell_at, sum_at = np.empty(sums.size, np.int32), np.empty(sums.size, np.int32)
    cell_ends, sum_ends = np.ascontiguousarray(kernels.connect(around, shown, cell, total, cell_at, sum_at).T)
    cell_at, sum_at = cell_at[: cell_ends[-1]], sum_at[: sum_ends[-1]]
    row, col = np.divmod(sum_at, np.int32(cols + 2))
    height = 3 - (row == 1) - (row == rows)
    size = int((height * (3 - (col == 1) - (col == cols))).sum())
    sum_starts, sum_cells = np.empty(len(sum_at) + 1, np.int32), np.empty(size, np.int32)
    kernels.fill_sums(around, shown, cell, sum_at, sum_starts, sum_cells)
    cell_starts, cell_sums = np.empty(len(cell_at) + 1, np.int32), np.empty(size, np.int32)
    kernels.fill_cells(around, shown, total, cell_at, cell_starts, cell_sums)
    need = shown[sum_at].astype(np.int32)
    places, clues = (
        (at // np.int32(cols + 2) - 1) * np.int32(cols) + at % np.int32(cols + 2) - 1
        for at in (cell_at, sum_at)
    )
    return Network(
        places, sum_starts, sum_cells, cell_starts, cell_sums, need, need, cell_ends, sum_ends, clues
    )


def infer(sums: NDArray[np.int8], limits: Limits) -> Inference | None:
    """All boards with the shown sums, as a circuit; None if there is none.

    Raises
    ------
    LimitError
        Time is up, or the tables of the elimination need more memory.
    """
    network = network_of(sums, limits)
    reduced = reduce(network, limits)
    circuit = None if reduced is None else compile_circuit(reduced, limits)
    if reduced is None or circuit is None:
        return None
    position = Position(np.full(sums.shape, UNKNOWN, np.int8))
    return Inference(position, None, limits, propagate(position, limits), network, reduced, circuit)
