"""State of the search: assignments on a trail, sums that count them, clauses with two watched literals.

A literal ``2 * cell + value`` says that the cell has the value; ``literal ^ 1`` says the opposite. A reason
is ``2 * sum`` or ``2 * clause + 1``, -1 for a decision; a clause is named by its place in the arena.
"""

import cython
from cython.cimports.cpmines.kernels.arrays import Ints, int64
from cython.cimports.cpmines.kernels.pulse import Pulse, beat
from cython.cimports.cpmines.kernels.structure import Structure

__all__ = ["Solver"]


class Solver(Structure):
    """All arrays of one search; every kernel modifies them in place.

    Attributes
    ----------
    sum_starts, sum_cells, cell_starts, cell_sums
        As in `cpmines.inference.network.Network`.
    need, spare
        int32 (sums,): how many more cells of the sum may be 1 and 0, below 0 if broken.
    value
        int8 (cells,): 0, 1 or `NONE`.
    level, place, reason, trail, level_starts
        Decision level, place on the trail and reason of each assigned cell; the trail, and where its levels
        begin. A level may be lower than those before it on the trail, never lower than those of the reason.
    older, newer, stamp
        The decision queue: a list of all cells, newest is the one bumped last (Biere and Froehlich, 2015).
    phase
        int8 (cells,): the value that a decision gives.
    watch, arena
        First link of the watch list of each literal; clauses. Link ``2 * clause + i`` stands for the i-th
        literal of a clause, of which the first two are watched.
    seen, marked, stamps, counted, learnt, because
        Scratch: marks of cells, the cells marked and their stamps, the conflict that last counted each level,
        the clause being learnt, the cells of an explanation.
    """


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def holds(solver: Solver, literal: int64) -> int64:
    """1 if the literal is true, 0 if it is false, `NONE` if its cell is unassigned."""
    value: int64 = solver.value[literal >> 1]
    return value if value < 0 else value == (literal & 1)


def assign(solver: Solver, cell: int64, value: int64, reason: int64, level: int64) -> cython.void:
    """Put an unassigned cell on the trail."""
    at: int64 = solver.counters[ASSIGNED]
    solver.value[cell] = value
    solver.level[cell] = level
    solver.reason[cell] = reason
    solver.place[cell] = at
    solver.trail[at] = cell
    solver.counters[ASSIGNED] = at + 1


def undo(solver: Solver, level: int64, pulse: Pulse) -> cython.int:
    """Take back what holds above `level`; the values stay as phases.

    Cells of lower levels that were assigned late stay on the trail, to be propagated again: what they forced
    may have had a higher level, and is gone. A cell is counted in its sums when it is propagated, so those
    not yet propagated are not taken off; those that stay are, as they will be counted again.
    """
    counters = solver.counters
    if counters[LEVEL] <= level:
        return 0
    start: int64 = solver.level_starts[level]
    kept: int64 = start
    at: int64
    cell: int64
    k: int64
    room: Ints
    for at in range(start, counters[ASSIGNED]):
        if not at & 63:  # some cells are a step: one alone takes less time than a beat
            beat(pulse)
        cell = solver.trail[at]
        if at < counters[PROPAGATED]:
            room = solver.need if solver.value[cell] == 1 else solver.spare
            for k in range(solver.cell_starts[cell], solver.cell_starts[cell + 1]):
                room[solver.cell_sums[k]] += 1
        if solver.level[cell] <= level:
            solver.trail[kept] = cell
            solver.place[cell] = kept
            kept += 1
            continue
        solver.phase[cell] = solver.value[cell]
        solver.value[cell] = NONE
        if solver.stamp[cell] > solver.stamp[counters[CURSOR]]:  # no cell newer than it is unassigned
            counters[CURSOR] = cell
    counters[ASSIGNED] = kept
    counters[PROPAGATED] = min(counters[PROPAGATED], start)
    counters[LEVEL] = level
    return 0


def watch(solver: Solver, clause: int64) -> cython.void:
    """Enter a clause of at least two literals into the watch lists of its first two."""
    literal: int64
    i: int64
    for i in range(2):
        literal = solver.arena[clause + HEADER + i]
        solver.arena[clause + 2 + i] = solver.watch[literal]
        solver.watch[literal] = 2 * clause + i


def add_clause(solver: Solver, size: int64, levels: int64) -> int64:
    """Store the first `size` literals of `learnt`, at least two, for which there is room; their place."""
    clause: int64 = solver.counters[USED]
    solver.arena[clause] = size
    solver.arena[clause + 1] = levels
    for k in range(size):
        solver.arena[clause + HEADER + k] = solver.learnt[k]
    solver.counters[USED] = clause + HEADER + size
    watch(solver, clause)
    return clause


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def propagate_sums(solver: Solver, cell: int64) -> int64:
    """Count a newly assigned cell in its sums and assign what they force; a conflicting reason, or `NONE`."""
    value: int64 = solver.value[cell]
    room: Ints = solver.need if value == 1 else solver.spare
    start: int64 = solver.cell_starts[cell]
    end: int64 = solver.cell_starts[cell + 1]
    k: int64
    m: int64
    total: int64
    other: int64
    for k in range(start, end):
        room[solver.cell_sums[k]] -= 1
    # All are counted before any is used: a conflict leaves in between, and going back takes the cell off all.
    for k in range(start, end):
        total = solver.cell_sums[k]
        if room[total] > 0:
            continue
        if room[total] < 0:
            return 2 * total
        for m in range(solver.sum_starts[total], solver.sum_starts[total + 1]):
            other = solver.sum_cells[m]
            if solver.value[other] == NONE:
                assign(solver, other, 1 - value, 2 * total, solver.counters[LEVEL])
    return NONE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def propagate_clauses(solver: Solver, false: int64) -> int64:
    """Visit the clauses that watch the literal `false`; a conflicting reason, or `NONE`.

    Two literals of each clause are watched (Moskewicz et al., 2001): while neither is false nothing can
    follow from the clause, so it is looked at no more often, and going back costs nothing. The list is linked
    through the clauses themselves: `before` is the place of the link that led here, `NONE` for the first.
    """
    arena = solver.arena
    link: int64 = solver.watch[false]
    before: int64 = NONE
    clause: int64
    i: int64
    here: int64
    following: int64
    other: int64
    literal: int64
    k: int64
    moved: cython.bint
    while link != NONE:
        clause, i = link >> 1, link & 1
        here = clause + 2 + i
        following = arena[here]
        other = arena[clause + HEADER + 1 - i]  # the other literal watched; if it is true, all is well
        moved = False
        if holds(solver, other) != 1:
            for k in range(clause + HEADER + 2, clause + HEADER + arena[clause]):
                literal = arena[k]
                if holds(solver, literal) != 0:  # watch it instead: into its list, out of this one
                    arena[clause + HEADER + i], arena[k] = literal, false
                    arena[here] = solver.watch[literal]
                    solver.watch[literal] = link
                    moved = True
                    break
            if not moved:
                if holds(solver, other) == 0:
                    return 2 * clause + 1
                assign(solver, other >> 1, other & 1, 2 * clause + 1, solver.counters[LEVEL])
        if not moved:
            before = here
        elif before == NONE:
            solver.watch[false] = following
        else:
            arena[before] = following
        link = following
    return NONE


def propagate(solver: Solver, pulse: Pulse) -> int64:
    """Propagate the trail to its end; a conflicting reason, or `NONE`."""
    counters = solver.counters
    cell: int64
    conflict: int64
    while counters[PROPAGATED] < counters[ASSIGNED]:
        cell = solver.trail[counters[PROPAGATED]]
        counters[PROPAGATED] += 1
        beat(pulse)
        conflict = propagate_sums(solver, cell)
        if conflict == NONE:
            conflict = propagate_clauses(solver, 2 * cell + 1 - solver.value[cell])
        if conflict != NONE:
            return conflict
    return NONE
