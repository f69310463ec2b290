"""Clues and mines one at a time, and what follows from one clue alone; the components they touch dissolve."""

import cython
from cython.cimports.cpmines.analysis.kernels.state import (
    CLUES,
    CONFLICT,
    INTS_AT,
    LIVE,
    MINES,
    NONE,
    QUEUED,
    SAFE,
    SEEDS,
    SHOWN,
    UNKNOWNS,
    State,
)
from cython.cimports.cpmines.kernels.arrays import Bytes, ConstBytesTable, int64
from cython.cimports.cpmines.kernels.cells import MINE, UNKNOWN

__all__ = ["reveal", "update"]


def dissolve(state: State, component: int64) -> cython.void:
    """Take a component apart: its clues become seeds."""
    first: int64 = state.table[component, INTS_AT]
    seeds: int64 = state.counters[SEEDS]
    clue: int64
    k: int64
    state.table[component, LIVE] = 0
    for k in range(first, first + state.table[component, CLUES]):
        clue = state.ints[k]
        state.component[clue] = NONE
        state.seeds[seeds] = clue
        seeds += 1
    state.counters[SEEDS] = seeds


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def enqueue(state: State, clue: int64) -> cython.void:
    state.queue[state.counters[QUEUED]] = clue
    state.counters[QUEUED] += 1


def decide(state: State, cell: int64, value: int64) -> cython.void:
    """An unknown cell becomes `MINE` or `SAFE`; clues that decide their other neighbours now are queued."""
    state.cells[cell] = value
    state.counters[UNKNOWNS] -= 1
    state.counters[MINES] += value == MINE
    taken: Bytes = state.need if value == MINE else state.spare
    at: int64
    for i in range(8):
        at = cell + state.around[i]
        taken[at] -= 1
        if not is_clue(state.cells[at]):
            continue
        if state.component[at] != NONE:
            dissolve(state, state.component[at])
        if taken[at] == 0:
            enqueue(state, at)
        elif taken[at] < 0:
            state.counters[CONFLICT] = 1


def settle(state: State) -> cython.void:
    """Work off the queue. Each cell is decided once: linear."""
    counters = state.counters
    clue: int64
    value: int64
    while counters[QUEUED] > 0:
        counters[QUEUED] -= 1
        clue = state.queue[counters[QUEUED]]
        value = MINE if state.need[clue] > 0 else SAFE
        if value == MINE and state.spare[clue] > 0:
            continue
        for i in range(8):
            if state.cells[clue + state.around[i]] == UNKNOWN:
                decide(state, clue + state.around[i], value)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_clue(state: State, at: int64, clue: int64) -> cython.void:
    """Show a clue, which makes its cell safe; it is to be put into a component, or decides what is around it.

    A cell that was known to be safe has no `need` yet: that comes with the number that it shows.
    """
    code: int64 = state.cells[at]
    mines: int64 = 0
    unknowns: int64 = 0
    need: int64
    if code == UNKNOWN:
        decide(state, at, SAFE)
    elif code != SAFE:  # a clue already, or a mine
        if code != clue:
            state.counters[CONFLICT] = 1
        return
    state.cells[at] = clue
    for i in range(8):
        mines += state.cells[at + state.around[i]] == MINE
        unknowns += state.cells[at + state.around[i]] == UNKNOWN
    need = clue - mines
    state.need[at], state.spare[at] = need, unknowns - need
    if need < 0 or need > unknowns:
        state.counters[CONFLICT] = 1
    elif unknowns > 0:
        state.seeds[state.counters[SEEDS]] = at
        state.counters[SEEDS] += 1
        if need == 0 or need == unknowns:
            enqueue(state, at)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_mine(state: State, at: int64) -> cython.void:
    code: int64 = state.cells[at]
    if code == UNKNOWN:
        decide(state, at, MINE)
    elif code != MINE:
        state.counters[CONFLICT] = 1
        return
    state.certain[at] = SHOWN


def reveal(state: State, at: int64, code: int64) -> None:
    """Take one clue, or a mine, at a place of the flat board, and what follows from one clue at a time."""
    with cython.nogil:
        if code == MINE:
            add_mine(state, at)
        else:
            add_clue(state, at, code)
        settle(state)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take(state: State, board: ConstBytesTable) -> cython.bint:
    """`update` without the interpreter lock."""
    rows: int64 = board.shape[0]
    cols: int64 = board.shape[1]
    row: int64
    col: int64
    code: int64
    at: int64
    shown: cython.bint
    for row in range(rows):
        for col in range(cols):
            code = board[row, col]
            at = (row + 1) * (cols + 2) + col + 1
            shown = is_clue(state.cells[at]) or state.certain[at] == SHOWN
            if code == UNKNOWN:  # to the player, though it may be decided here
                if shown:
                    return False
            elif code == MINE:
                add_mine(state, at)
            elif code != state.cells[at]:
                add_clue(state, at, code)
    settle(state)
    return True


def update(state: State, board: ConstBytesTable) -> bool:
    """Take all clues and mines of `board`, int8 (rows, cols), that are new; false if it hides a shown one."""
    done: cython.bint
    with cython.nogil:
        done = take(state, board)
    return done
