"""Kernels of the frontier: its layers.

A layer is a hash table with open addressing: uint64 of shape (slots, 2), a state and its payload. The
payload is ``(mines so far + 1) << 32 | ancestor``, 0 in an empty slot. The larger of two payloads of a state
wins, so a layer does not depend on the order of insertions.

States and their codes are described in `cpmines.problems.maxmines.steps`.
"""

import cython
from cython.cimports.cpmines.kernels.arrays import Longs, Words, int64, uint32, uint64
from cython.cimports.cpmines.problems.maxmines.kernels.frontier import (
    ANCESTOR,
    BITS,
    CODE,
    CONTENT,
    DEAD,
    HALF,
    NEEDS,
    ONE_MINE,
    Layer,
    Numbers,
)

__all__ = ["advance", "gather", "settle"]

ONE = cython.declare(uint64, 1)
SCRAMBLE = cython.declare(uint64, 0x9E3779B97F4A7C15)


def find(layer: ConstLayer, state: uint64) -> int64:
    """The slot of `state`, or the empty slot where it belongs."""
    mixed: uint64 = (state ^ (state >> HALF)) * SCRAMBLE
    slot: int64 = ((mixed >> HALF) * cython.cast(uint64, len(layer))) >> HALF
    while layer[slot, 1] != 0 and layer[slot, 0] != state:
        slot += 1
        if slot == len(layer):
            slot = 0
    return slot


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def insert(layer: Layer, state: uint64, payload: uint64) -> int64:
    """Put `state` into `layer`, or raise its payload; 1 if it is new."""
    slot: int64 = find(layer, state)
    new: int64 = layer[slot, 1] == 0
    layer[slot, 0] = state
    layer[slot, 1] = max(layer[slot, 1], payload)
    return new


def with_mine(state: uint64, near: Numbers, left: Numbers, mine: uint64) -> uint64:
    """The state after a mine, `DEAD` if a finished cell breaks a rule; `mine` is its code at first."""
    code: uint64 = mine
    cell: uint64
    for k in range(len(near)):
        cell = (state >> near[k]) & CODE
        if cell < NEEDS:
            if cell == 0:
                return DEAD
            state -= ONE << near[k]
            code = CONTENT
        elif cell == NEEDS and left[k] == 0:
            return DEAD
    if code == NEEDS and left[len(near)] == 0:
        return DEAD
    return (state << BITS) | code


def with_empty(state: uint64, near: Numbers, left: Numbers, most: uint64) -> uint64:
    """The state after an empty cell, `DEAD` if it has more than `most` mines around."""
    mines: uint64 = 0
    cell: uint64
    for k in range(len(near)):
        cell = (state >> near[k]) & CODE
        if cell >= NEEDS:
            mines += ONE
            state += (CONTENT - cell) << near[k]
        elif cell > left[k]:
            state -= (cell - left[k]) << near[k]
    if mines > most:
        return DEAD
    code: uint64 = min(most - mines, left[len(near)])
    return (state << BITS) | code


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def dominated(layer: Layer, state: uint64, payload: uint64, better: Layer) -> cython.bint:
    """Is there a state in `layer` that differs in one cell, allows more, and has as many mines?

    An empty cell that may get more mines allows all that one with fewer does; a mine that has its empty
    neighbour, all that one without does; and an empty cell that may get any number, all that a mine does:
    to the cells to come it is one mine less and one empty neighbour more. This is a partial order, so every
    state left out is below one that stays.
    """
    cell: uint64
    for k in range(len(better)):
        cell = (state >> (BITS * k)) & CODE
        change = better[k, cell]
        if change != 0 and layer[find(layer, state + change), 1] >> HALF >= payload >> HALF:
            return True
    return False


def advance(
    layer: Layer,
    start: int64,
    stop: int64,
    target: Layer,
    better: Layer,
    near: Numbers,
    left: Numbers,
    keep: uint64,
    mine: uint64,
    most: uint64,
) -> int64:
    """Place one cell in the states of the slots from `start` to `stop`; how many states are new in `target`.

    Profile dynamic programming: what is to come depends on the cells placed only through the state, so of all
    boards with one state the one with the most mines suffices.

    Parameters
    ----------
    better
        What to add to a state for the next better code of a cell, shape (width + 1, 8) by cell and code; 0 if
        there is none. Of shape (0, 8) if no state is to be left out.
    near
        Shifts of the new cell's neighbours in the state, shape (k,), k at most 4.
    left
        How many neighbours are to come after this cell, for each of `near` and for the cell itself, (k + 1,).
    keep
        Mask of the cells to be kept.
    mine
        The code of a mine before its neighbours are looked at.
    most
        M: the most mines around an empty cell.
    """
    new: int64 = 0
    slot: int64
    state: uint64
    payload: uint64
    empty: uint64
    mined: uint64
    with cython.nogil:
        for slot in range(start, stop):
            state, payload = layer[slot, 0], layer[slot, 1]
            # Asked now, not when a state enters: what is better than it may have entered later.
            if payload == 0 or dominated(layer, state, payload, better):
                continue
            empty = with_empty(state, near, left, most)
            if empty != DEAD:
                new += insert(target, empty & keep, payload)
            mined = with_mine(state, near, left, mine)
            if mined != DEAD:
                new += insert(target, mined & keep, payload + ONE_MINE)
    return new


def gather(layer: Layer, slots: Longs, target: Layer) -> None:
    """Put the states of `slots` into the empty `target`."""
    with cython.nogil:
        for k in range(len(slots)):
            insert(target, layer[slots[k], 0], layer[slots[k], 1])


def settle(layer: Layer, width: int64, ancestors: Words, lines: Words) -> None:
    """Number the states of a whole line, and note for each its ancestor and the mines of the line.

    Afterwards the number of a state is its ancestor. `ancestors` and `lines` have one entry a state.
    """
    number: uint32 = 0
    line: uint32
    with cython.nogil:
        for slot in range(len(layer)):
            state, payload = layer[slot, 0], layer[slot, 1]
            if payload == 0:
                continue
            line = 0
            for cell in range(width):
                line |= ((state >> (BITS * cell)) & CODE >= NEEDS) << (width - 1 - cell)
            ancestors[number] = payload & ANCESTOR
            lines[number] = line
            layer[slot, 1] = (payload & ~ANCESTOR) | number
            number += 1
