"""Clues and mines one at a time, and what follows from one clue alone; the components they touch dissolve."""

from __future__ import annotations

from cpmines.analysis.kernels.state import (
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
    Cells,
    State,
    whole,
)
from cpmines.board import MINE, UNKNOWN
from cpmines.jit import kernel

__all__ = ["decide", "dissolve", "is_clue", "reveal", "settle", "update"]


@kernel
def is_clue(code: int) -> bool:
    return 0 <= code < SAFE


@kernel
def dissolve(state: State, component: int) -> None:
    """Take a component apart: its clues become seeds."""
    row = state.table[component]
    row[LIVE] = 0
    seeds = state.counters[SEEDS]
    for k in range(row[INTS_AT], row[INTS_AT] + row[CLUES]):
        clue = state.ints[k]
        state.component[clue] = NONE
        state.seeds[seeds] = clue
        seeds += 1
    state.counters[SEEDS] = seeds


@kernel
def enqueue(state: State, clue: int) -> None:
    state.queue[state.counters[QUEUED]] = clue
    state.counters[QUEUED] += 1


@kernel
def decide(state: State, cell: int, value: int) -> None:
    """An unknown cell becomes `MINE` or `SAFE`; clues that decide their other neighbours now are queued."""
    state.cells[cell] = value
    state.counters[UNKNOWNS] -= 1
    state.counters[MINES] += value == MINE
    taken = state.need if value == MINE else state.spare
    for step in state.around:
        at = cell + step
        taken[at] -= 1
        if not is_clue(state.cells[at]):
            continue
        if state.component[at] != NONE:
            dissolve(state, int(state.component[at]))
        if taken[at] == 0:
            enqueue(state, at)
        elif taken[at] < 0:
            state.counters[CONFLICT] = 1


@kernel
def settle(state: State) -> None:
    """Work off the queue. Each cell is decided once: linear."""
    counters = state.counters
    while counters[QUEUED] > 0:
        counters[QUEUED] -= 1
        clue = state.queue[counters[QUEUED]]
        value = MINE if state.need[clue] > 0 else SAFE
        if value == MINE and state.spare[clue] > 0:
            continue
        for step in state.around:
            if state.cells[clue + step] == UNKNOWN:
                decide(state, whole(clue + step), value)


@kernel
def add_clue(state: State, at: int, clue: int) -> None:
    """Show a clue, which makes its cell safe; it is to be put into a component, or decides what is around it.

    A cell that was known to be safe has no `need` yet: that comes with the number that it shows.
    """
    code = state.cells[at]
    if code == UNKNOWN:
        decide(state, at, whole(SAFE))
    elif code != SAFE:  # a clue already, or a mine
        if code != clue:
            state.counters[CONFLICT] = 1
        return
    state.cells[at] = clue
    mines = unknowns = 0
    for step in state.around:
        mines += state.cells[at + step] == MINE
        unknowns += state.cells[at + step] == UNKNOWN
    need = clue - mines
    state.need[at], state.spare[at] = need, unknowns - need
    if need < 0 or need > unknowns:
        state.counters[CONFLICT] = 1
    elif unknowns > 0:
        state.seeds[state.counters[SEEDS]] = at
        state.counters[SEEDS] += 1
        if need == 0 or need == unknowns:
            enqueue(state, at)


@kernel
def add_mine(state: State, at: int) -> None:
    code = state.cells[at]
    if code == UNKNOWN:
        decide(state, at, whole(MINE))
    elif code != MINE:
        state.counters[CONFLICT] = 1
        return
    state.certain[at] = SHOWN


@kernel
def reveal(state: State, at: int, code: int) -> None:
    """Take one clue, or a mine, at a place of the flat board, and what follows from one clue at a time."""
    if code == MINE:
        add_mine(state, at)
    else:
        add_clue(state, at, code)
    settle(state)


@kernel
def update(state: State, board: Cells) -> bool:
    """Take all clues and mines of `board`, int8 (rows, cols), that are new; false if it hides a shown one."""
    rows, cols = board.shape
    for row in range(rows):
        for col in range(cols):
            code = board[row, col]
            at = (row + 1) * (cols + 2) + col + 1
            shown = is_clue(state.cells[at]) or state.certain[at] == SHOWN
            if code == UNKNOWN:
                if shown:
                    return False
            elif code == MINE:
                add_mine(state, at)
            elif code != state.cells[at]:
                add_clue(state, at, whole(code))
    settle(state)
    return True
