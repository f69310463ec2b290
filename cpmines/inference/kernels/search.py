"""Conflict-driven search (Marques-Silva and Sakallah, 1999) that propagates sums as they are, not as clauses.

A sum explains what it forced by the cells that filled it; clauses are learnt at the first unique implication
point, shortened by what their own literals imply, and drive back-jumping; restarts follow the Luby sequence.
"""

import cython
from cython.cimports.cpmines.inference.kernels.trail import (
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
from cython.cimports.cpmines.kernels.arrays import int64
from cython.cimports.cpmines.kernels.pulse import Pulse, beat
from cython.cimports.cpmines.kernels.sorting import sort_by

__all__ = ["forget", "search", "start"]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def explain(solver: Solver, reason: int64, cell: int64) -> int64:
    """Set `because` to the cells whose values forced `cell`, or made the conflict (`NONE`); their number.

    A sum forces a cell to be 0 because others are 1 and fill it, and to be 1 because others are 0. Only those
    that stood on the trail before it count: an explanation by later cells could go in a circle. The cells of
    a conflict may be more than are needed.
    """
    count: int64 = 0
    clause: int64
    other: int64
    value: int64
    before: int64
    total: int64
    k: int64
    if reason & 1:
        clause = reason >> 1
        for k in range(clause + HEADER, clause + HEADER + solver.arena[clause]):
            other = solver.arena[k] >> 1
            if other != cell:
                solver.because[count] = other
                count += 1
        return count
    total = reason >> 1
    if cell == NONE:
        value, before = solver.need[total] < 0, solver.counters[ASSIGNED]
    else:
        value, before = 1 - solver.value[cell], solver.place[cell]
    for k in range(solver.sum_starts[total], solver.sum_starts[total + 1]):
        other = solver.sum_cells[k]
        if solver.value[other] == value and solver.place[other] < before:
            solver.because[count] = other
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def conflict_level(solver: Solver, count: int64) -> int64:
    """The highest level among the `count` cells of an explanation."""
    level: int64 = 0
    for k in range(count):
        level = max(level, solver.level[solver.because[k]])
    return level


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def analyse(solver: Solver, count: int64) -> tuple[int64, int64]:
    """From the `count` cells of a conflict to the clause to learn.

    Back along the trail, each cell of the present level is replaced by what forced it, until one is left: the
    first unique implication point, a cell without whose value the conflict would not have come about.
    `open_paths` counts the marked cells of this level that are not yet replaced. All cells of the conflict
    are at this level or below, and one at least is at it: `learn` has seen to that.

    Sets `learnt` to its cells, the implication point first, and `marked` to all cells met, which have their
    mark in `seen`; returns both numbers.
    """
    level: int64 = solver.counters[LEVEL]
    at: int64 = solver.counters[ASSIGNED]
    size: int64 = 1
    met: int64 = 0
    open_paths: int64 = 0
    other: int64
    cell: int64
    k: int64
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def implied(solver: Solver, cell: int64) -> cython.bint:
    """Do other marked cells, and what holds anyway, force the value of `cell`?"""
    if solver.reason[cell] == NONE:
        return False
    other: int64
    count: int64 = explain(solver, solver.reason[cell], cell)
    for k in range(count):
        other = solver.because[k]
        if not solver.seen[other] and solver.level[other] > 0:
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bump(solver: Solver, count: int64) -> cython.void:
    """Move the first `count` cells of `marked` to the new end of the decision queue, in their order.

    That is the order of their stamps: what was bumped together stays together (Biere and Froehlich, 2015).
    """
    counters = solver.counters
    cell: int64
    older: int64
    newer: int64
    k: int64
    for k in range(count):
        solver.stamps[k] = solver.stamp[solver.marked[k]]
    sort_by(solver.stamps, solver.marked, count)
    for k in range(count):
        cell = solver.marked[k]
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shorten(solver: Solver, size: int64) -> int64:
    """Drop cells of `learnt` that the others imply, and move one of the highest level left to place 1."""
    kept: int64 = 1
    highest: int64 = 0
    cell: int64
    k: int64
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


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def learn(solver: Solver, conflict: int64, pulse: Pulse) -> cython.int:
    """Learn a clause from a conflict, go back and assign what it forces; false if the conflict is at level 0.

    A long way back is not gone (chronological backtracking, Nadel and Ryvchin, 2018): the cell gets its low
    level in the middle of what holds, so that one forced cell does not cost a new pass over the component. A
    conflict may then lie below the present level, and is first gone back to.
    """
    count: int64 = explain(solver, conflict, NONE)
    level: int64 = conflict_level(solver, count)
    if level == 0:
        return False
    undo(solver, level, pulse)
    size, met = analyse(solver, count)
    size = shorten(solver, size)
    for k in range(met):
        solver.seen[solver.marked[k]] = 0
    levels: int64 = to_literals(solver, size)
    cell: int64 = solver.learnt[0] >> 1
    value: int64 = solver.learnt[0] & 1
    back: int64 = solver.level[solver.learnt[1] >> 1] if size > 1 else 0
    undo(solver, back if level - back < LONG_WAY else level - 1, pulse)
    bump(solver, met)  # behind `undo`: the next decision is looked for among the unassigned ones of them
    assign(solver, cell, value, NONE if size == 1 else 2 * add_clause(solver, size, levels) + 1, back)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def to_literals(solver: Solver, size: int64) -> int64:
    """Replace the cells of `learnt` by the opposite of their values; over how many levels they are.

    Few levels: a clause that will be of use.
    """
    now: int64 = solver.counters[CONFLICTS] + 1
    levels: int64 = 0
    cell: int64
    level: int64
    for k in range(size):
        cell = solver.learnt[k]
        level = solver.level[cell]
        levels += solver.counted[level] != now
        solver.counted[level] = now
        solver.learnt[k] = 2 * cell + (1 - solver.value[cell])
    return levels


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def luby(k: int64) -> int64:
    """The k-th number, from 1, of the sequence 1 1 2 1 1 2 4 ... (Luby, Sinclair and Zuckerman, 1993)."""
    power: int64
    while True:
        power = 1
        while power - 1 < k:
            power *= 2
        if power - 1 == k:
            return power // 2
        k -= power // 2 - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def decide(solver: Solver) -> cython.void:
    """Open a level with the newest unassigned cell of the queue."""
    counters = solver.counters
    cell: int64 = counters[CURSOR]
    while solver.value[cell] != NONE:
        cell = solver.older[cell]
    counters[CURSOR] = cell
    solver.level_starts[counters[LEVEL]] = counters[ASSIGNED]
    counters[LEVEL] += 1
    assign(solver, cell, solver.phase[cell], NONE, counters[LEVEL])


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def run(solver: Solver, budget: int64, pulse: Pulse) -> int64:
    """`search`."""
    counters = solver.counters
    conflict: int64
    while True:
        # Room for the longest clause that may be learnt below, so that learning never fails half-way.
        if counters[USED] + HEADER + len(solver.value) > len(solver.arena):
            undo(solver, 0, pulse)
            return FULL
        conflict = propagate(solver, pulse)
        if conflict != NONE:
            if not learn(solver, conflict, pulse):
                return REFUTED
            counters[CONFLICTS] += 1
            budget -= 1
        elif counters[ASSIGNED] == len(solver.value):
            return SATISFIED
        elif budget <= 0:
            return UNDECIDED
        elif counters[CONFLICTS] >= counters[NEXT_RESTART]:
            undo(solver, 0, pulse)
            counters[RESTARTS] += 1
            counters[NEXT_RESTART] = counters[CONFLICTS] + counters[RESTART_UNIT] * luby(counters[RESTARTS])
        else:
            decide(solver)


def search(solver: Solver, budget: int64, pulse: Pulse) -> int:
    """Search until all cells are assigned, a refutation, `budget` conflicts, or a full arena.

    What is learnt follows from the sums alone, so a conflict at level 0 refutes them. Returns one of
    `SATISFIED`, `REFUTED`, `UNDECIDED` and `FULL`.
    """
    outcome: int64
    with cython.nogil:
        outcome = run(solver, budget, pulse)
    return outcome


def forget(solver: Solver, pulse: Pulse) -> None:
    """At level 0, drop the learnt clauses over more levels than the average, and close the gaps.

    Clauses move down within the arena, so that none is overwritten before it is read, and all watch lists
    are made anew. Reasons at level 0 may then name places that are no clauses: they are never asked for.
    """
    with cython.nogil:
        tidy(solver, pulse)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def tidy(solver: Solver, pulse: Pulse) -> cython.int:
    """`forget`."""
    counters = solver.counters
    arena = solver.arena
    total: int64 = 0
    count: int64 = 0
    clause: int64 = counters[GIVEN]
    end: int64 = 0
    size: int64
    k: int64
    while clause < counters[USED]:
        beat(pulse)
        total += arena[clause + 1]
        count += 1
        clause += HEADER + arena[clause]
    bound: int64 = max(KEPT_LEVELS, total // max(count, 1))
    solver.watch[:] = NONE  # the links are in the clauses, see `HEADER`: `watch` enters each again
    clause = 0
    used: int64 = counters[USED]
    counters[USED] = 0
    while clause < used:
        beat(pulse)
        size = HEADER + arena[clause]
        if clause < counters[GIVEN] or arena[clause + 1] <= bound:
            for k in range(size):
                arena[end + k] = arena[clause + k]
            watch(solver, end)
            end += size
        clause += size
    counters[USED] = end
    return 0


def start(solver: Solver, pulse: Pulse) -> None:
    """Watch the clauses given in the arena, and assign what sums force before anything is assigned."""
    cell: int64
    total: int64
    k: int64
    with cython.nogil:
        tidy(solver, pulse)
        for total in range(len(solver.need)):
            beat(pulse)
            if solver.need[total] > 0 and solver.spare[total] > 0:
                continue
            for k in range(solver.sum_starts[total], solver.sum_starts[total + 1]):
                cell = solver.sum_cells[k]
                if solver.value[cell] == NONE:
                    assign(solver, cell, 1 if solver.need[total] > 0 else 0, 2 * total, 0)
