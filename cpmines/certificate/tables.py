"""Tables of bounds on the mines of all placements, written from the last cell back to the first."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.certificate.refute import Uncertified
from cpmines.demands.tables import Filling, layers_of

__all__ = ["bounds_file"]

MOST_STATES = 30_000_000
"""States of all layers together; a board of 10 x 10 cells with M = 4 has 22 million."""

BYTES_PER_STATE = 12


def bounds_file(filling: Filling, limits: Limits) -> tuple[bytes, int]:
    """The tables as an ``.npz`` file, and the most mines that they show.

    Raises
    ------
    LimitError
    Uncertified
        There are too many states.
    """
    if filling.too_large:
        raise Uncertified(filling.too_large)
    layers: list[NDArray[np.uint64]] = []
    count = 0
    for states in layers_of(filling):
        limits.check(len(layers) / (2 * filling.cells + 2))
        count += len(states)
        if count > MOST_STATES:
            done = f"{len(layers)} of {filling.cells} cells"
            raise Uncertified(f"more than {MOST_STATES} states within {done}; larger tables are not written")
        limits.require(count * BYTES_PER_STATE, "the table of bounds")
        layers.append(states)
    bounds = np.ones(len(layers[-1]), np.uint16)
    tables = {f"before_{filling.cells}": bounds}
    for cell in reversed(range(filling.cells)):
        limits.check(1 - cell / (2 * filling.cells))
        states, after = layers[cell], layers.pop()
        best = np.zeros(len(states), np.uint16)
        for gain, reached, allowed in filling.step(states, cell):
            next_bound = bounds[np.searchsorted(after, reached[allowed])]
            best[allowed] = np.maximum(best[allowed], np.where(next_bound > 0, next_bound + gain, 0))
        bounds = best
        tables[f"before_{cell}"] = bounds
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **tables)
    return file.getvalue(), int(bounds[0]) - 1
