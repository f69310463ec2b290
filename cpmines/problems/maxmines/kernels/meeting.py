"""Kernels of `cpmines.problems.maxmines.meeting`: two frontiers, one from each end of a board, together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel
from cpmines.problems.maxmines.kernels.frontier import BITS, CODE, CONTENT, HALF, NEEDS, Layer, find

__all__ = ["first_pair", "totals"]


@kernel
def totals(layer: Layer, start: int, stop: int, beyond: Layer, width: int, out: NDArray[np.int32]) -> None:
    """Set ``out[slot]`` to the mines of each state and the most that the other side has on such a line.

    `beyond` is the other side's layer behind one more line, where states differ in that line's mines alone;
    -1 for empty slots and where the other side has nothing that fits.
    """
    for slot in range(start, stop):
        out[slot] = -1
        state, payload = layer[slot, 0], layer[slot, 1]
        if payload == 0:
            continue
        pattern = np.uint64(0)
        for place in range(width):
            shift = BITS * np.uint64(place)
            if (state >> shift) & CODE >= NEEDS:
                pattern |= CONTENT << shift
        other = beyond[find(beyond, pattern), 1]
        if other != 0:
            out[slot] = np.int32(payload >> HALF) + np.int32(other >> HALF) - 2


@kernel
def fits(state: np.uint64, other: np.uint64, width: int) -> bool:
    """Does the last line of `state` get from the last line of `other`, its neighbour, what it needs?"""
    for place in range(width):
        code = (state >> (BITS * np.uint64(place))) & CODE
        mines, empty = np.uint64(0), np.uint64(0)
        for near in range(max(place - 1, 0), min(place + 2, width)):
            if (other >> (BITS * np.uint64(near))) & CODE >= NEEDS:
                mines += np.uint64(1)
            else:
                empty += np.uint64(1)
        if (code < NEEDS and mines > code) or (code == NEEDS and empty == 0):
            return False
    return True


@kernel
def first_pair(upper: Layer, lower: Layer, start: int, stop: int, width: int, target: int) -> tuple[int, int]:
    """Indices of two states, the first from `start` to `stop`, that fit and have `target` mines; or -1, -1.

    Both arrays hold states and payloads as a layer does, without empty slots, by falling number of mines.
    """
    for i in range(start, stop):
        mines = np.int64(upper[i, 1] >> HALF) - 1
        for j in range(len(lower)):
            if mines + np.int64(lower[j, 1] >> HALF) - 1 < target:
                break
            if fits(upper[i, 0], lower[j, 0], width) and fits(lower[j, 0], upper[i, 0], width):
                return i, j
    return -1, -1
