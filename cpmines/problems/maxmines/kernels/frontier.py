"""Kernels of the frontier: its layers.

A layer is a hash table with open addressing: uint64 of shape (slots, 2), a state and its payload. The
payload is ``(mines so far + 1) << 32 | ancestor``, 0 in an empty slot. The larger of two payloads of a state
wins, so a layer does not depend on the order of insertions.

States and their codes are described in `cpmines.problems.maxmines.steps`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel
from cpmines.problems.maxmines import steps

__all__ = ["CODE", "CONTENT", "NEEDS", "advance", "find", "gather", "settle"]

Layer = NDArray[np.uint64]
Numbers = NDArray[np.uint64]

BITS = np.uint64(steps.BITS)
CODE = np.uint64((1 << steps.BITS) - 1)
NEEDS = np.uint64(steps.NEEDS)
CONTENT = np.uint64(steps.CONTENT)
ONE = np.uint64(1)
HALF = np.uint64(32)
MINE = np.uint64(1 << 32)
ANCESTOR = np.uint64((1 << 32) - 1)
DEAD = np.uint64((1 << 64) - 1)
SCRAMBLE = np.uint64(0x9E3779B97F4A7C15)


@kernel
def find(layer: Layer, state: np.uint64) -> np.int64:
    """The slot of `state`, or the empty slot where it belongs."""
    mixed = (state ^ (state >> HALF)) * SCRAMBLE
    slot = np.int64(((mixed >> HALF) * np.uint64(len(layer))) >> HALF)
    while layer[slot, 1] != 0 and layer[slot, 0] != state:
        slot += 1
        if slot == len(layer):
            slot = np.int64(0)
    return slot


@kernel
def insert(layer: Layer, state: np.uint64, payload: np.uint64) -> int:
    """Put `state` into `layer`, or raise its payload; 1 if it is new."""
    slot = find(layer, state)
    new = layer[slot, 1] == 0
    layer[slot, 0] = state
    layer[slot, 1] = max(layer[slot, 1], payload)
    return int(new)


@kernel
def with_mine(state: np.uint64, near: Numbers, left: Numbers, mine: np.uint64) -> np.uint64:
    """The state after a mine, `DEAD` if a finished cell breaks a rule; `mine` is its code at first."""
    code = mine
    for k in range(len(near)):
        cell = (state >> near[k]) & CODE
        if cell < NEEDS:
            if cell == 0:
                return DEAD
            state -= ONE << near[k]
            code = CONTENT
        elif cell == NEEDS and left[k] == 0:
            return DEAD
    if code == NEEDS and left[-1] == 0:
        return DEAD
    return (state << BITS) | code


@kernel
def with_empty(state: np.uint64, near: Numbers, left: Numbers, most: np.uint64) -> np.uint64:
    """The state after an empty cell, `DEAD` if it has more than `most` mines around."""
    mines = np.uint64(0)
    for k in range(len(near)):
        cell = (state >> near[k]) & CODE
        if cell >= NEEDS:
            mines += ONE
            state += (CONTENT - cell) << near[k]
        elif cell > left[k]:
            state -= (cell - left[k]) << near[k]
    if mines > most:
        return DEAD
    code: np.uint64 = min(most - mines, left[-1])
    return (state << BITS) | code


@kernel
def dominated(layer: Layer, state: np.uint64, payload: np.uint64, better: Numbers) -> bool:
    """Is there a state in `layer` that differs in one cell, allows more, and has as many mines?

    An empty cell that may get more mines allows all that one with fewer does; a mine that has its empty
    neighbour, all that one without does; and an empty cell that may get any number, all that a mine does:
    to the cells to come it is one mine less and one empty neighbour more. This is a partial order, so every
    state left out is below one that stays.
    """
    for k in range(len(better)):
        cell = (state >> (BITS * np.uint64(k))) & CODE
        change = better[k, cell]
        if change != 0 and layer[find(layer, state + change), 1] >> HALF >= payload >> HALF:
            return True
    return False


@kernel
def advance(
    layer: Layer,
    start: int,
    stop: int,
    target: Layer,
    better: Numbers,
    near: Numbers,
    left: Numbers,
    keep: np.uint64,
    mine: np.uint64,
    most: np.uint64,
) -> int:
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
    new = 0
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
            new += insert(target, mined & keep, payload + MINE)
    return new


@kernel
def gather(layer: Layer, slots: NDArray[np.int64], target: Layer) -> None:
    """Put the states of `slots` into the empty `target`."""
    for slot in slots:
        insert(target, layer[slot, 0], layer[slot, 1])


@kernel
def settle(layer: Layer, width: int, ancestors: NDArray[np.uint32], lines: NDArray[np.uint32]) -> None:
    """Number the states of a whole line, and note for each its ancestor and the mines of the line.

    Afterwards the number of a state is its ancestor. `ancestors` and `lines` have one entry a state.
    """
    number = 0
    for slot in range(len(layer)):
        state, payload = layer[slot, 0], layer[slot, 1]
        if payload == 0:
            continue
        line = 0
        for cell in range(width):
            line |= int((state >> (BITS * np.uint64(cell))) & CODE >= NEEDS) << (width - 1 - cell)
        ancestors[number] = payload & ANCESTOR
        lines[number] = line
        layer[slot, 1] = (payload & ~ANCESTOR) | np.uint64(number)
        number += 1
