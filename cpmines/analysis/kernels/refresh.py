"""Put the clues that wait into components, and solve these."""

from __future__ import annotations

from cpmines.analysis.kernels import frontier
from cpmines.analysis.kernels.clues import decide, is_clue, settle
from cpmines.analysis.kernels.components import collect, forget, group, link
from cpmines.analysis.kernels.polynomials import AFTER_LEAST, AFTER_MOST, certain, measure, sweep, write
from cpmines.analysis.kernels.state import (
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
    STATES,
    WIDTH,
    State,
    Work,
    whole,
)
from cpmines.board import MINE, UNKNOWN
from cpmines.jit import kernel

__all__ = ["AGAIN", "DONE", "STORE_FULL", "WORK_FULL", "compact", "refresh"]

DONE, AGAIN, STORE_FULL, WORK_FULL = range(4)
"""Outcomes of `refresh`: all is solved; the budget is spent; the store is full, or the scratch."""

MOST_CELLS = 1000
"""The number of placements of so many cells is within the range of floats."""


@kernel
def substitute(state: State) -> None:
    """Decide the cells beside the waiting clues that are known to be certain."""
    counters = state.counters
    k = 0
    while k < counters[SEEDS]:
        for step in state.around:
            cell = state.seeds[k] + step
            if state.cells[cell] == UNKNOWN and state.certain[cell] != UNKNOWN:
                decide(state, whole(cell), whole(state.certain[cell]))
        k += 1
    settle(state)


@kernel
def store(state: State, work: Work, clues: int, cells: int, classes: int) -> bool:
    """Begin a row of the table, and keep places and classes; false if there is no room."""
    counters = state.counters
    here, at = counters[COMPONENTS], counters[INTS]
    if here == len(state.table) or at + clues + 2 * cells > len(state.ints):
        return False
    row = state.table[here]
    row[LIVE], row[CLUES], row[CELLS], row[CLASSES] = 1, clues, cells, classes
    row[INTS_AT], row[REALS_AT], row[LEAST], row[LENGTH] = at, counters[REALS], 0, 0
    for k in range(clues):
        state.ints[at + k] = work.clue_at[k]
    for k in range(cells):
        state.ints[at + clues + k], state.ints[at + clues + cells + k] = work.cell_at[k], work.class_of[k]
    return True


@kernel
def solve(state: State, work: Work, clues: int, classes: int, last_try: bool) -> int:
    """Solve the component in the row that `store` began; the row counts only if the outcome is `DONE`.

    What can't be solved here keeps the length 0: too many cells for floats, too many open clues for a state,
    or on the `last_try` too many states. The general engine answers for it.
    """
    counters = state.counters
    row = state.table[counters[COMPONENTS]]
    if row[CELLS] > MOST_CELLS:
        return DONE
    row[WIDTH] = frontier.arrange(work, clues, classes)
    count, row[STATES] = frontier.expand(state, work, clues, classes)
    work.clock[0] += len(work.states)  # above all indices of states: the hash table is empty again
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
    row[LEAST], row[LENGTH] = work.spans[0, AFTER_LEAST], length
    sweep(work, classes, count, used)
    write(work, classes, state.reals[counters[REALS] :], length)
    return DONE


@kernel
def mark(state: State, work: Work, cells: int, classes: int) -> None:
    """Note which cells of the solved component are certain."""
    for at in range(classes):
        mine, safe = certain(work, at)
        work.left[work.order[at]] = UNKNOWN if mine and safe else MINE if mine else SAFE
    for k in range(cells):
        state.certain[work.cell_at[k]] = work.left[work.class_of[k]]


@kernel
def refresh(state: State, work: Work, budget: int, last_try: bool) -> int:
    """Solve the components of the waiting clues, at most `budget` of them.

    Components that scratch is too small for are left unsolved, with length 0, if it is the `last_try`.

    It can be called again after any outcome: a component counts when its row is complete, and until then its
    clues, and those of components that it took apart, wait among the seeds.
    """
    substitute(state)
    counters = state.counters
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
        classes = group(state, work, cells)
        link(work, clues, classes)
        forget(state, work, clues, cells)
        if not store(state, work, clues, cells, classes):
            return STORE_FULL
        outcome = solve(state, work, clues, classes, last_try)
        if outcome != DONE:
            return outcome
        here = counters[COMPONENTS]
        row = state.table[here]
        if row[LENGTH] > 0:
            mark(state, work, cells, classes)
        for k in range(clues):
            state.component[work.clue_at[k]] = here
        counters[COMPONENTS] += 1
        counters[INTS] += clues + 2 * cells
        counters[REALS] += (classes + 1) * row[LENGTH]
        counters[SOLVED] += 1
    return DONE


@kernel
def compact(state: State) -> None:
    """Close the gaps that dissolved components have left in the store.

    Rows, places and coefficients keep their order and only move down, so nothing is written over before it is
    read. `row` is a view: where its row moves, it must be read before.
    """
    counters = state.counters
    rows = ints = reals = 0
    for old in range(counters[COMPONENTS]):
        row = state.table[old]
        if row[LIVE] == 0:
            continue
        size = row[CLUES] + 2 * row[CELLS]
        for k in range(size):
            state.ints[ints + k] = state.ints[row[INTS_AT] + k]
        for k in range(row[CLUES]):
            state.component[state.ints[ints + k]] = rows
        length = (row[CLASSES] + 1) * row[LENGTH]
        for k in range(length):
            state.reals[reals + k] = state.reals[row[REALS_AT] + k]
        for k in range(FIELDS):
            state.table[rows, k] = row[k]
        state.table[rows, INTS_AT], state.table[rows, REALS_AT] = ints, reals
        rows, ints, reals = rows + 1, ints + size, reals + length
    counters[COMPONENTS], counters[INTS], counters[REALS] = rows, ints, reals
