"""Kernels of `cpmines.problems.maxmines.meeting`: two frontiers, one from each end of a board, together."""

import cython
from cython.cimports.cpmines.kernels.arrays import Ints, int64, uint64
from cython.cimports.cpmines.problems.maxmines.kernels.frontier import (
    BITS,
    CODE,
    CONTENT,
    HALF,
    NEEDS,
    ConstLayer,
    find,
)

__all__ = ["first_pair", "totals"]


def totals(layer: ConstLayer, start: int64, stop: int64, beyond: ConstLayer, width: int64, out: Ints) -> None:
    """Set ``out[slot]`` to the mines of each state and the most that the other side has on such a line.

    `beyond` is the other side's layer behind one more line, where states differ in that line's mines alone;
    -1 for empty slots and where the other side has nothing that fits.
    """
    slot: int64
    state: uint64
    payload: uint64
    pattern: uint64
    other: uint64
    shift: int64
    with cython.nogil:
        for slot in range(start, stop):
            out[slot] = -1
            state, payload = layer[slot, 0], layer[slot, 1]
            if payload == 0:
                continue
            pattern = 0
            for place in range(width):
                shift = BITS * place
                if (state >> shift) & CODE >= NEEDS:
                    pattern |= cython.cast(uint64, CONTENT) << shift
            other = beyond[find(beyond, pattern), 1]
            if other != 0:
                out[slot] = cython.cast(int64, payload >> HALF) + cython.cast(int64, other >> HALF) - 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fits(state: uint64, other: uint64, width: int64) -> cython.bint:
    """Does the last line of `state` get from the last line of `other`, its neighbour, what it needs?"""
    place: int64
    near: int64
    code: uint64
    mines: uint64
    empty: uint64
    for place in range(width):
        code = (state >> (BITS * place)) & CODE
        mines = empty = 0
        for near in range(max(place - 1, 0), min(place + 2, width)):
            if (other >> (BITS * near)) & CODE >= NEEDS:
                mines += 1
            else:
                empty += 1
        if (code < NEEDS and mines > code) or (code == NEEDS and empty == 0):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pair(
    upper: ConstLayer, lower: ConstLayer, start: int64, stop: int64, width: int64, target: int64
) -> tuple[int64, int64]:
    i: int64
    j: int64
    mines: int64
    for i in range(start, stop):
        mines = cython.cast(int64, upper[i, 1] >> HALF) - 1
        for j in range(len(lower)):
            if mines + cython.cast(int64, lower[j, 1] >> HALF) - 1 < target:
                break
            if fits(upper[i, 0], lower[j, 0], width) and fits(lower[j, 0], upper[i, 0], width):
                return i, j
    return -1, -1


def first_pair(
    upper: ConstLayer, lower: ConstLayer, start: int64, stop: int64, width: int64, target: int64
) -> tuple[int, int]:
    """Indices of two states, the first from `start` to `stop`, that fit and have `target` mines; or -1, -1.

    Both arrays hold states and payloads as a layer does, without empty slots, by falling number of mines.
    """
    with cython.nogil:
        found = pair(upper, lower, start, stop, width, target)
    return found
