"""Put the clues that wait into components, and solve these."""

import cython
from cython.cimports.cpmines.analysis.kernels import frontier
from cython.cimports.cpmines.analysis.kernels.clues import decide, is_clue, settle
from cython.cimports.cpmines.analysis.kernels.components import collect, forget, group, link
from cython.cimports.cpmines.analysis.kernels.polynomials import (
    AFTER_LEAST,
    AFTER_MOST,
    certain,
    measure,
    sweep,
    write,
)
from cython.cimports.cpmines.analysis.kernels.state import (
    CELLS,
    CLASSES,
    CLUES,
    COMPONENTS,
    CONFLICT,
    FIELDS,
    INTS,
    INTS_AT,
    LEAST,
    LENGTH,
    LIVE,
    NONE,
    REALS,
    REALS_AT,
    SAFE,
    SEEDS,
    SOLVED,
    WIDTH,
    State,
    Work,
)
from cython.cimports.cpmines.kernels.arrays import int64
from cython.cimports.cpmines.kernels.cells import MINE, UNKNOWN
from cython.cimports.cpmines.kernels.pulse import Pulse

__all__ = ["compact", "refresh"]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def substitute(state: State) -> cython.void:
    """Decide the cells beside the waiting clues that are known to be certain."""
    counters = state.counters
    k: int64 = 0
    cell: int64
    while k < counters[SEEDS]:
        for i in range(8):
            cell = state.seeds[k] + state.around[i]
            if state.cells[cell] == UNKNOWN and state.certain[cell] != UNKNOWN:
                decide(state, cell, state.certain[cell])
        k += 1
    settle(state)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store(state: State, work: Work, clues: int64, cells: int64, classes: int64) -> cython.bint:
    """Begin a row of the table, and keep places and classes; false if there is no room."""
    counters = state.counters
    table = state.table
    here: int64 = counters[COMPONENTS]
    at: int64 = counters[INTS]
    if here == len(table) or at + clues + 2 * cells > len(state.ints):
        return False
    table[here, LIVE] = 1
    table[here, CLUES], table[here, CELLS], table[here, CLASSES] = clues, cells, classes
    table[here, INTS_AT], table[here, REALS_AT] = at, counters[REALS]
    table[here, LEAST] = table[here, LENGTH] = 0
    for k in range(clues):
        state.ints[at + k] = work.clue_at[k]
    for k in range(cells):
        state.ints[at + clues + k], state.ints[at + clues + cells + k] = work.cell_at[k], work.class_of[k]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(-9, check=True)
def solve(
    state: State, work: Work, clues: int64, classes: int64, last_try: cython.bint, pulse: Pulse
) -> int64:
    """Solve the component in the row that `store` began; the row counts only if the outcome is `DONE`.

    What can't be solved here keeps the length 0: too many cells for floats, too many open clues for a state,
    or on the `last_try` too many states. The general engine answers for it.
    """
    counters = state.counters
    here: int64 = counters[COMPONENTS]
    count: int64
    used: int64
    length: int64
    if state.table[here, CELLS] > MOST_CELLS:
        return DONE
    state.table[here, WIDTH] = frontier.arrange(work, clues, classes)
    # Above all indices of states: the hash table is empty again, also after an analysis that was broken off.
    work.clock[0] += len(work.states)
    count = frontier.expand(state, work, clues, classes, here, pulse)
    if count == frontier.FULL and not last_try:
        return WORK_FULL
    if count < 0:
        return DONE
    used = measure(work, classes, count)
    if used == 0:
        counters[CONFLICT] = 1
        return DONE
    if used > len(work.values):
        return DONE if last_try else WORK_FULL
    length = work.spans[0, AFTER_MOST] - work.spans[0, AFTER_LEAST] + 1
    if counters[REALS] + (classes + 1) * length > len(state.reals):
        return STORE_FULL
    state.table[here, LEAST], state.table[here, LENGTH] = work.spans[0, AFTER_LEAST], length
    sweep(work, classes, count, used, pulse)
    write(work, classes, cython.address(state.reals[counters[REALS]]), length, pulse)
    return DONE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark(state: State, work: Work, cells: int64, classes: int64) -> cython.void:
    """Note which cells of the solved component are certain."""
    for at in range(classes):
        mine, safe = certain(work, at)
        if mine and safe:
            work.left[work.order[at]] = UNKNOWN
        else:
            work.left[work.order[at]] = MINE if mine else SAFE
    for k in range(cells):
        state.certain[work.cell_at[k]] = work.left[work.class_of[k]]


@cython.cfunc
@cython.nogil
@cython.exceptval(-9, check=True)
def run(state: State, work: Work, budget: int64, last_try: cython.bint, pulse: Pulse) -> int64:
    """`refresh` without the interpreter lock."""
    counters = state.counters
    start: int64
    classes: int64
    outcome: int64
    here: int64
    k: int64
    open_clue: cython.bint
    substitute(state)
    while counters[SEEDS] > 0 and counters[CONFLICT] == 0:
        start = state.seeds[counters[SEEDS] - 1]
        open_clue = is_clue(state.cells[start]) and state.need[start] + state.spare[start] > 0
        if not open_clue or state.component[start] != NONE:  # closed since, or in a component by now
            counters[SEEDS] -= 1
            continue
        if budget == 0:
            return AGAIN
        budget -= 1
        clues, cells = collect(state, work, start)
        classes = 0
        if cells <= MOST_CELLS:  # else it is not solved here
            classes = group(state, work, cells)
            link(work, clues, classes)
        forget(state, work, clues, cells)
        if not store(state, work, clues, cells, classes):
            return STORE_FULL
        outcome = solve(state, work, clues, classes, last_try, pulse)
        if outcome != DONE:
            return outcome
        here = counters[COMPONENTS]
        if state.table[here, LENGTH] > 0:
            mark(state, work, cells, classes)
        for k in range(clues):
            state.component[work.clue_at[k]] = here
        counters[COMPONENTS] += 1
        counters[INTS] += clues + 2 * cells
        counters[REALS] += (classes + 1) * state.table[here, LENGTH]
        counters[SOLVED] += 1
    return DONE


def refresh(state: State, work: Work, budget: int64, last_try: cython.bint, pulse: Pulse) -> int:
    """Solve the components of the waiting clues, at most `budget` of them.

    Components that scratch is too small for are left unsolved, with length 0, if it is the `last_try`.

    It can be called again after any outcome: a component counts when its row is complete, and until then its
    clues, and those of components that it took apart, wait among the seeds.
    """
    outcome: int64
    with cython.nogil:
        outcome = run(state, work, budget, last_try, pulse)
    return outcome


def compact(state: State) -> None:
    """Close the gaps that dissolved components have left in the store.

    Rows, places and coefficients keep their order and only move down, so nothing is written over before it is
    read.
    """
    counters = state.counters
    table = state.table
    rows: int64 = 0
    ints: int64 = 0
    reals: int64 = 0
    old: int64
    size: int64
    length: int64
    k: int64
    with cython.nogil:
        for old in range(counters[COMPONENTS]):
            if table[old, LIVE] == 0:
                continue
            size = table[old, CLUES] + 2 * table[old, CELLS]
            for k in range(size):
                state.ints[ints + k] = state.ints[table[old, INTS_AT] + k]
            for k in range(table[old, CLUES]):
                state.component[state.ints[ints + k]] = rows
            length = (table[old, CLASSES] + 1) * table[old, LENGTH]
            for k in range(length):
                state.reals[reals + k] = state.reals[table[old, REALS_AT] + k]
            for k in range(FIELDS):
                table[rows, k] = table[old, k]
            table[rows, INTS_AT], table[rows, REALS_AT] = ints, reals
            rows, ints, reals = rows + 1, ints + size, reals + length
        counters[COMPONENTS], counters[INTS], counters[REALS] = rows, ints, reals
