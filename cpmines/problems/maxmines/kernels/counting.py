"""Kernels of `cpmines.problems.maxmines.count`: how many boards lead to a state, and which ones.

Numbers of boards are rows of uint64, 64 bits each, the lowest first.
"""

import cython
import numpy as np
from cython.cimports.cpmines.kernels.arrays import ConstFlags, Flags, Keys, Longs, int64, uint64
from cython.cimports.cpmines.problems.maxmines.kernels.frontier import (
    ANCESTOR,
    DEAD,
    HALF,
    ONE_MINE,
    Layer,
    Numbers,
    find,
    with_empty,
    with_mine,
)

__all__ = ["Move", "advance_ways", "expand", "gather_ways", "mark"]


@cython.cclass
class Move:
    """How a cell is placed: near, left, keep, mine and most of `frontier.advance`."""

    near: Numbers
    left: Numbers
    keep: uint64
    mine: uint64
    most: uint64

    def __init__(self, near: Numbers, left: Numbers, keep: uint64, mine: uint64, most: uint64) -> None:
        self.near, self.left, self.keep, self.mine, self.most = near, left, keep, mine, most


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add(total: Layer, to: int64, ways: Layer, slot: int64) -> cython.void:
    """``total[to] += ways[slot]``; the sum fits."""
    carry: uint64 = 0
    before: uint64
    partial: uint64
    for limb in range(total.shape[1]):
        before = total[to, limb]
        partial = before + ways[slot, limb]
        total[to, limb] = partial + carry
        carry = (partial < before) | (total[to, limb] < partial)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def insert_ways(
    target: Layer, ways: Layer, state: uint64, payload: uint64, more: Layer, source: int64
) -> int64:
    """Add ``more[source]`` boards with the mines of `payload` to those of `state` with no fewer."""
    slot: int64 = find(target, state)
    known: uint64 = target[slot, 1]
    if known > payload:
        return 0
    if known < payload:
        target[slot, 0], target[slot, 1] = state, payload
        for limb in range(ways.shape[1]):
            ways[slot, limb] = 0
    add(ways, slot, more, source)
    return known == 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def successor(state: uint64, mine: cython.bint, move: Move) -> uint64:
    """The state after one more cell, `DEAD` if it breaks a rule."""
    then: uint64
    if mine:
        then = with_mine(state, move.near, move.left, move.mine)
    else:
        then = with_empty(state, move.near, move.left, move.most)
    return then if then == DEAD else then & move.keep


def advance_ways(
    layer: Layer, ways: Layer, start: int64, stop: int64, target: Layer, target_ways: Layer, move: Move
) -> int64:
    """Place one cell in the states of the slots from `start` to `stop`; how many states are new."""
    new: int64 = 0
    state: uint64
    payload: uint64
    then: uint64
    slot: int64
    mine: int64
    with cython.nogil:
        for slot in range(start, stop):
            state, payload = layer[slot, 0], layer[slot, 1] & ~ANCESTOR
            if payload == 0:
                continue
            for mine in range(2):
                then = successor(state, mine == 1, move)
                if then != DEAD:
                    new += insert_ways(target, target_ways, then, payload + ONE_MINE * mine, ways, slot)
    return new


def gather_ways(layer: Layer, ways: Layer, slots: Longs, target: Layer, target_ways: Layer) -> None:
    """Put the states of `slots` into the empty `target`."""
    slot: int64
    with cython.nogil:
        for k in range(len(slots)):
            slot = slots[k]
            insert_ways(target, target_ways, layer[slot, 0], layer[slot, 1], ways, slot)


def mark(layer: Layer, alive: Flags, after: Layer, alive_after: ConstFlags, move: Move) -> None:
    """Set `alive` for the slots of `layer` that lead to an alive slot of `after` with all its mines."""
    state: uint64
    payload: uint64
    then: uint64
    slot: int64
    mine: int64
    found: int64
    same: cython.bint
    with cython.nogil:
        for slot in range(len(layer)):
            state, payload = layer[slot, 0], layer[slot, 1]
            if payload == 0:
                continue
            for mine in range(2):
                then = successor(state, mine == 1, move)
                if then != DEAD:
                    found = find(after, then)
                    same = after[found, 1] >> HALF == (payload >> HALF) + mine
                    alive[slot] |= same and alive_after[found] != 0


def expand(states: Numbers, mines: Longs, after: Layer, alive_after: ConstFlags, move: Move) -> object:
    """All ways to place one cell more on boards of `states` and `mines` to alive slots of `after`.

    A slot is alive if a best board goes through it with the mines that it holds: a board with fewer can't
    become one, as the rest of the board depends on the state alone.

    Returns
    -------
    list
        `parents`, `placed`, `states` and `mines`: for each way the board that it goes on from, the cell, and
        what the board has then.
    """
    size = 2 * len(states)
    arrays = (
        np.empty(size, np.int64),
        np.empty(size, np.uint8),
        np.empty(size, np.uint64),
        np.empty(size, np.int64),
    )
    parents: Longs = arrays[0]
    placed: Flags = arrays[1]
    grown: Keys = arrays[2]
    totals: Longs = arrays[3]
    count: int64 = 0
    then: uint64
    board: int64
    mine: int64
    found: int64
    total: int64
    with cython.nogil:
        for board in range(len(states)):
            for mine in range(2):
                then = successor(states[board], mine == 1, move)
                if then == DEAD:
                    continue
                found = find(after, then)
                total = mines[board] + mine
                # `find` gives an empty slot for a state that was left out; no empty slot is alive.
                if alive_after[found] and cython.cast(int64, after[found, 1] >> HALF) - 1 == total:
                    parents[count], placed[count] = board, mine == 1
                    grown[count], totals[count] = then, total
                    count += 1
    return [array[:count].copy() for array in arrays]
