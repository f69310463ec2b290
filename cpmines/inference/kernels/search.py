"""Conflict-driven search (Marques-Silva and Sakallah, 1999) that propagates sums as they are, not as clauses.

A sum explains what it forced by the cells that filled it; clauses are learnt at the first unique implication
point, shortened by what their own literals imply, and drive back-jumping; restarts follow the Luby sequence.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.inference.kernels.trail import (
    ASSIGNED,
    CLOCK,
    CONFLICTS,
    CURSOR,
    GIVEN,
    HEADER,
    LEVEL,
    NEWEST,
    NEXT_RESTART,
    NONE,
    RESTART_UNIT,
    RESTARTS,
    USED,
    Solver,
    add_clause,
    assign,
    propagate,
    undo,
    watch,
)
from cpmines.jit import kernel

__all__ = ["FULL", "REFUTED", "SATISFIED", "UNDECIDED", "forget", "search"]

SATISFIED, REFUTED, UNDECIDED, FULL = range(4)
LONG_WAY = 50
KEPT_LEVELS = 3
"""Learnt clauses over so few levels are never forgotten (Audemard and Simon, 2009)."""


@kernel
def explain(solver: Solver, reason: int, cell: int) -> int:
    """Set `because` to the cells whose values forced `cell`, or made the conflict (`NONE`); their number.

    A sum forces a cell to be 0 because others are 1 and fill it, and to be 1 because others are 0. Only those
    that stood on the trail before it count: an explanation by later cells could go in a circle. The cells of
    a conflict may be more than are needed.
    """
    count = 0
    if reason & 1:
        clause = reason >> 1
        for k in range(clause + HEADER, clause + HEADER + solver.arena[clause]):
            other = solver.arena[k] >> 1
            if other != cell:
                solver.because[count] = other
                count += 1
        return count
    s = reason >> 1
    if cell == NONE:
        value, before = (1 if solver.need[s] < 0 else 0), solver.counters[ASSIGNED]
    else:
        value, before = 1 - solver.value[cell], solver.place[cell]
    for k in range(solver.sum_starts[s], solver.sum_starts[s + 1]):
        other = solver.sum_cells[k]
        if solver.value[other] == value and solver.place[other] < before:
            solver.because[count] = other
            count += 1
    return count


@kernel
def conflict_level(solver: Solver, count: int) -> int:
    """The highest level among the `count` cells of an explanation."""
    level = 0
    for k in range(count):
        level = max(level, solver.level[solver.because[k]])
    return level


@kernel
def analyse(solver: Solver, count: int) -> tuple[int, int]:
    """From the `count` cells of a conflict to the clause to learn.

    Back along the trail, each cell of the present level is replaced by what forced it, until one is left: the
    first unique implication point, a cell without whose value the conflict would not have come about.
    `open_paths` counts the marked cells of this level that are not yet replaced. All cells of the conflict
    are at this level or below, and one at least is at it: `learn` has seen to that.

    Sets `learnt` to its cells, the implication point first, and `marked` to all cells met, which have their
    mark in `seen`; returns both numbers.
    """
    level = solver.counters[LEVEL]
    at = solver.counters[ASSIGNED]
    size, met, open_paths = 1, 0, 0
    while True:
        for k in range(count):
            other = solver.because[k]
            if solver.seen[other] or solver.level[other] == 0:  # level 0 holds anyway
                continue
            solver.seen[other] = 1
            solver.marked[met] = other
            met += 1
            if solver.level[other] == level:
                open_paths += 1
            else:
                solver.learnt[size] = other
                size += 1
        at -= 1
        while not (solver.seen[solver.trail[at]] and solver.level[solver.trail[at]] == level):
            at -= 1
        cell = solver.trail[at]
        open_paths -= 1
        if open_paths == 0:
            solver.learnt[0] = cell
            return size, met
        count = explain(solver, solver.reason[cell], cell)


@kernel
def implied(solver: Solver, cell: int) -> bool:
    """Do other marked cells, and what holds anyway, force the value of `cell`?"""
    if solver.reason[cell] == NONE:
        return False
    for k in range(explain(solver, solver.reason[cell], cell)):
        other = solver.because[k]
        if not solver.seen[other] and solver.level[other] > 0:
            return False
    return True


@kernel
def bump(solver: Solver, cells: NDArray[np.int32]) -> None:
    """Move `cells` to the new end of the decision queue, in their present order."""
    counters = solver.counters
    for cell in cells[np.argsort(solver.stamp[cells])]:
        counters[CLOCK] += 1
        solver.stamp[cell] = counters[CLOCK]
        if cell != counters[NEWEST]:
            older, newer = solver.older[cell], solver.newer[cell]
            solver.older[newer] = older
            if older != NONE:
                solver.newer[older] = newer
            solver.older[cell], solver.newer[cell] = counters[NEWEST], NONE
            solver.newer[counters[NEWEST]] = cell
            counters[NEWEST] = cell
        if solver.value[cell] == NONE:
            counters[CURSOR] = cell


@kernel
def shorten(solver: Solver, size: int) -> int:
    """Drop cells of `learnt` that the others imply, and move one of the highest level left to place 1."""
    kept, highest = 1, 0
    for k in range(1, size):
        cell = solver.learnt[k]
        if implied(solver, cell):
            continue
        solver.learnt[kept] = cell
        if solver.level[cell] > highest:
            highest = solver.level[cell]
            solver.learnt[1], solver.learnt[kept] = cell, solver.learnt[1]
        kept += 1
    return kept


@kernel
def learn(solver: Solver, conflict: int) -> bool:
    """Learn a clause from a conflict, go back and assign what it forces; false if the conflict is at level 0.

    A long way back is not gone (chronological backtracking, Nadel and Ryvchin, 2018): the cell gets its low
    level in the middle of what holds, so that one forced cell does not cost a new pass over the component. A
    conflict may then lie below the present level, and is first gone back to.
    """
    count = explain(solver, conflict, NONE)
    level = conflict_level(solver, count)
    if level == 0:
        return False
    undo(solver, level)
    size, met = analyse(solver, count)
    size = shorten(solver, size)
    marked, cells = solver.marked[:met], solver.learnt[:size]
    solver.seen[marked] = 0
    literals = 2 * cells + (1 - solver.value[cells])
    levels = len(np.unique(solver.level[cells]))  # few levels: a clause that will be of use
    back = solver.level[cells[1]] if size > 1 else 0
    undo(solver, back if level - back < LONG_WAY else level - 1)
    bump(solver, marked)  # behind `undo`: the next decision is looked for among the unassigned ones of them
    reason = NONE if size == 1 else 2 * add_clause(solver, literals.astype(np.int32), levels) + 1
    assign(solver, literals[0] >> 1, literals[0] & 1, reason, back)
    return True


@kernel
def luby(k: int) -> int:
    """The k-th number, from 1, of the sequence 1 1 2 1 1 2 4 ... (Luby, Sinclair and Zuckerman, 1993)."""
    while True:
        power = 1
        while power - 1 < k:
            power *= 2
        if power - 1 == k:
            return power // 2
        k -= power // 2 - 1


@kernel
def decide(solver: Solver) -> None:
    """Open a level with the newest unassigned cell of the queue."""
    counters = solver.counters
    cell = counters[CURSOR]
    while solver.value[cell] != NONE:
        cell = solver.older[cell]
    counters[CURSOR] = cell
    solver.level_starts[counters[LEVEL]] = counters[ASSIGNED]
    counters[LEVEL] += 1
    assign(solver, cell, solver.phase[cell], NONE, counters[LEVEL])


@kernel
def search(solver: Solver, budget: int) -> int:
    """Search until all cells are assigned, a refutation, `budget` conflicts, or a full arena.

    What is learnt follows from the sums alone, so a conflict at level 0 refutes them.
    """
    counters = solver.counters
    while True:
        # Room for the longest clause that may be learnt below, so that learning never fails half-way.
        if counters[USED] + HEADER + len(solver.value) > len(solver.arena):
            undo(solver, 0)
            return FULL
        conflict = propagate(solver)
        if conflict != NONE:
            if not learn(solver, conflict):
                return REFUTED
            counters[CONFLICTS] += 1
            budget -= 1
        elif counters[ASSIGNED] == len(solver.value):
            return SATISFIED
        elif budget <= 0:
            return UNDECIDED
        elif counters[CONFLICTS] >= counters[NEXT_RESTART]:
            undo(solver, 0)
            counters[RESTARTS] += 1
            counters[NEXT_RESTART] = counters[CONFLICTS] + counters[RESTART_UNIT] * luby(counters[RESTARTS])
        else:
            decide(solver)


@kernel
def forget(solver: Solver) -> None:
    """At level 0, drop the learnt clauses over more levels than the average, and close the gaps.

    Clauses move down within the arena, so that none is overwritten before it is read, and all watch lists
    are made anew. Reasons at level 0 may then name places that are no clauses: they are never asked for.
    """
    counters, arena = solver.counters, solver.arena
    total, count, clause = 0, 0, counters[GIVEN]
    while clause < counters[USED]:
        total += arena[clause + 1]
        count += 1
        clause += HEADER + arena[clause]
    bound = max(KEPT_LEVELS, total // max(count, 1))
    solver.watch[:] = NONE  # the links are in the clauses, see `HEADER`: `watch` enters each again
    end, clause = 0, 0
    used, counters[USED] = counters[USED], 0
    while clause < used:
        size = HEADER + arena[clause]
        if clause < counters[GIVEN] or arena[clause + 1] <= bound:
            for k in range(size):
                arena[end + k] = arena[clause + k]
            watch(solver, end)
            end += size
        clause += size
    counters[USED] = end


@kernel
def start(solver: Solver) -> None:
    """Watch the clauses given in the arena, and assign what sums force before anything is assigned."""
    forget(solver)
    for s in range(len(solver.need)):
        if solver.need[s] > 0 and solver.spare[s] > 0:
            continue
        for k in range(solver.sum_starts[s], solver.sum_starts[s + 1]):
            cell = solver.sum_cells[k]
            if solver.value[cell] == NONE:
                assign(solver, cell, 1 if solver.need[s] > 0 else 0, 2 * s, 0)
