"""A puzzle as the network that `cpmines.inference` works on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import UNKNOWN, Position
from cpmines.grid import box_sums
from cpmines.inference.elimination import compile_circuit
from cpmines.inference.exact import Inference
from cpmines.inference.network import NO_SUM, Network
from cpmines.inference.propagation import propagate, steps_around
from cpmines.inference.reduction import Reduced
from cpmines.problems.mosaic.backbone import OPEN

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
    limits.require(BYTES_PER_CELL * sums.size, "the network")
    inside = np.ones(sums.shape, np.bool_) if known is None else known == OPEN
    need = sums if known is None else sums - box_sums(known == 1)
    shown = np.where((sums >= 0) & (box_sums(inside) > 0), need, NO_SUM)
    block = np.insert(steps_around(sums.shape[1] + 2), 4, 0)
    return Network.of_board(
        np.pad(shown, 1, constant_values=NO_SUM).ravel(), np.pad(inside, 1).ravel(), block, limits
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
