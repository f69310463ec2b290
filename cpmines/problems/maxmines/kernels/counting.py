"""Kernels of `cpmines.problems.maxmines.count`: how many boards lead to a state, and which ones.

Numbers of boards are rows of uint64, 64 bits each, the lowest first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel
from cpmines.problems.maxmines.kernels.frontier import (
    ANCESTOR,
    DEAD,
    HALF,
    MINE,
    Layer,
    Numbers,
    find,
    with_empty,
    with_mine,
)

__all__ = ["Move", "advance_ways", "expand", "gather_ways", "mark"]

Move = tuple[Numbers, Numbers, np.uint64, np.uint64, np.uint64]
"""How a cell is placed: near, left, keep, mine and most of `frontier.advance`."""


@kernel
def add(total: Numbers, ways: Numbers) -> None:
    """``total += ways``; the sum fits."""
    carry = np.uint64(0)
    for limb in range(len(total)):
        before = total[limb]
        partial = before + ways[limb]
        total[limb] = partial + carry
        carry = np.uint64(partial < before) | np.uint64(total[limb] < partial)


@kernel
def insert_ways(target: Layer, ways: Numbers, state: np.uint64, payload: np.uint64, more: Numbers) -> int:
    """Add `more` boards, with as many mines as `payload` tells, to those of `state` with no fewer."""
    slot = find(target, state)
    known = target[slot, 1]
    if known > payload:
        return 0
    if known < payload:
        target[slot, 0], target[slot, 1] = state, payload
        ways[slot] = 0
    add(ways[slot], more)
    return int(known == 0)


@kernel
def successor(
    state: np.uint64,
    mine: bool,
    move: Move,
) -> np.uint64:
    """The state after one more cell, `DEAD` if it breaks a rule."""
    near, left, keep, first, most = move
    then = with_mine(state, near, left, first) if mine else with_empty(state, near, left, most)
    return then if then == DEAD else then & keep


@kernel
def advance_ways(
    layer: Layer,
    ways: Numbers,
    start: int,
    stop: int,
    target: Layer,
    target_ways: Numbers,
    move: Move,
) -> int:
    """Place one cell in the states of the slots from `start` to `stop`; how many states are new."""
    new = 0
    for slot in range(start, stop):
        state, payload = layer[slot, 0], layer[slot, 1] & ~ANCESTOR
        if payload == 0:
            continue
        for mine in range(2):
            then = successor(state, mine == 1, move)
            if then != DEAD:
                new += insert_ways(target, target_ways, then, payload + MINE * np.uint64(mine), ways[slot])
    return new


@kernel
def gather_ways(
    layer: Layer, ways: Numbers, slots: NDArray[np.int64], target: Layer, target_ways: Numbers
) -> None:
    """Put the states of `slots` into the empty `target`."""
    for slot in slots:
        insert_ways(target, target_ways, layer[slot, 0], layer[slot, 1], ways[slot])


@kernel
def mark(
    layer: Layer,
    alive: NDArray[np.bool_],
    after: Layer,
    alive_after: NDArray[np.bool_],
    move: Move,
) -> None:
    """Set `alive` for the slots of `layer` that lead to an alive slot of `after` with all its mines."""
    for slot in range(len(layer)):
        state, payload = layer[slot, 0], layer[slot, 1]
        if payload == 0:
            continue
        for mine in range(2):
            then = successor(state, mine == 1, move)
            if then != DEAD:
                found = find(after, then)
                same = after[found, 1] >> HALF == (payload >> HALF) + np.uint64(mine)
                alive[slot] |= same and alive_after[found]


@kernel
def expand(
    states: Numbers, mines: NDArray[np.int64], after: Layer, alive_after: NDArray[np.bool_], move: Move
) -> tuple[NDArray[np.int64], NDArray[np.bool_], Numbers, NDArray[np.int64]]:
    """All ways to place one cell more on boards of `states` and `mines` to alive slots of `after`.

    A slot is alive if a best board goes through it with the mines that it holds: a board with fewer can't
    become one, as the rest of the board depends on the state alone.

    Returns
    -------
    parents, placed, states, mines
        For each way the board that it goes on from, the cell, and what the board has then.
    """
    size = 2 * len(states)
    parents, placed = np.empty(size, np.int64), np.empty(size, np.bool_)
    grown, totals = np.empty(size, np.uint64), np.empty(size, np.int64)
    count = 0
    for board in range(len(states)):
        for mine in range(2):
            then = successor(states[board], mine == 1, move)
            if then == DEAD:
                continue
            found = find(after, then)
            total = mines[board] + mine
            # `find` gives an empty slot for a state that was left out; no empty slot is alive.
            if alive_after[found] and np.int64(after[found, 1] >> HALF) - 1 == total:
                parents[count], placed[count] = board, mine == 1
                grown[count], totals[count] = then, total
                count += 1
    return parents[:count].copy(), placed[:count].copy(), grown[:count].copy(), totals[:count].copy()
