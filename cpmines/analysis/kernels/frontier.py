"""A component class by class: states are the needs of the clues that are open, layer after layer.

Only states are kept in which every open clue can still be met by the cells to come.
"""

import cython
from cython.cimports.cpmines.analysis.kernels.state import NONE, STATES, State, Work
from cython.cimports.cpmines.kernels.arrays import int64, uint64
from cython.cimports.cpmines.kernels.pulse import Pulse, beat

Fields = cython.typedef(cython.pointer(int64))

GOLDEN = cython.declare(uint64, 0x9E3779B97F4A7C15)
"""2^64 / golden ratio, odd: Knuth, The Art of Computer Programming, 6.4."""


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def opening(work: Work, index: int64) -> int64:
    """How many clues placing a class opens, less those that it closes."""
    change: int64 = 0
    clue: int64
    k: int64
    for k in range(work.class_starts[index], work.class_starts[index + 1]):
        clue = work.class_clues[k]
        change += (work.shift[clue] == NONE) - (work.left[clue] == 1)
    return change


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose(work: Work, count: int64) -> int64:
    """The class beside an open clue that opens the fewest; among equals, beside the clue open for longest."""
    best: int64 = NONE
    fewest: int64 = 0
    clue: int64
    index: int64
    change: int64
    i: int64
    k: int64
    for i in range(count):
        clue = work.open_clues[i]
        for k in range(work.clue_starts[clue], work.clue_starts[clue + 1]):
            index = work.clue_classes[k]
            if work.rank[index] != NONE:
                continue
            change = opening(work, index)
            if best == NONE or change < fewest:
                best, fewest = index, change
    return best


def arrange(work: Work, clues: int64, classes: int64) -> int64:
    """Set the order in which classes are placed, greedily; returns the most clues that are open at once.

    It begins at the clue that was met last, which lies at an end: in breadth-first order no other is farther
    away, and from an end few clues are open at once (Cuthill and McKee, 1969, number matrices so).
    """
    clue: int64
    index: int64
    count: int64
    most: int64
    kept: int64
    at: int64
    i: int64
    k: int64
    for clue in range(clues):
        work.left[clue] = work.clue_starts[clue + 1] - work.clue_starts[clue]
        work.shift[clue] = NONE
    for index in range(classes):
        work.rank[index] = NONE
    work.open_clues[0] = clues - 1
    work.shift[clues - 1] = 0
    count, most = 1, 1
    for at in range(classes):
        index = choose(work, count)
        work.order[at] = index
        work.rank[index] = at
        for k in range(work.class_starts[index], work.class_starts[index + 1]):
            clue = work.class_clues[k]
            if work.shift[clue] == NONE:
                work.shift[clue] = 0
                work.open_clues[count] = clue
                count += 1
            work.left[clue] -= 1
        most = max(most, count)
        # Close what has no class to come; the others stay in the order in which they were opened.
        kept = 0
        for i in range(count):
            if work.left[work.open_clues[i]] > 0:
                work.open_clues[kept] = work.open_clues[i]
                kept += 1
        count = kept
    return most


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place(used: int64, need: int64) -> int64:
    """The lowest place in a state where the needs from 0 to `need` fit beside the used bits; or `NONE`."""
    mask: int64 = field(need)
    shift: int64
    for shift in range(BITS):
        if mask << shift >= cython.cast(int64, 1) << BITS:
            break
        if used & (mask << shift) == 0:
            return shift
    return NONE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def field(need: int64) -> int64:
    """Mask of the bits that hold 0 to `need`, which is at most 8."""
    return 1 if need < 2 else 3 if need < 4 else 7 if need < 8 else 15


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def enter(work: Work, packed: int64, start: int64, count: int64) -> int64:
    """Index of a state in the layer that begins at `start`; it is `count` if the state is new."""
    mask: int64 = len(work.hashed) - 1
    clock: int64 = work.clock[0]
    index: int64
    at: int64 = cython.cast(int64, (cython.cast(uint64, packed) * GOLDEN) >> HASH_SHIFT) & mask
    while work.hashed[at] >= clock + start:
        index = work.hashed[at] - clock
        if work.states[index] == packed:
            return index
        at = (at + 1) & mask
    work.hashed[at] = clock + count
    work.states[count] = packed
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def admit(
    state: State, work: Work, index: int64, used: int64, fields: Fields
) -> tuple[int64, int64, int64, int64]:
    """Open the clues of a class that is placed next, and take its cells off what they have left.

    Sets `fields`, three numbers a clue: shift and mask of its need, and how many cells it has left. Returns
    the number of clues, or `NONE` if a need does not fit; the used bits; the needs that are new, in their
    places; and a one in the place of each clue.

    The place of a clue that closes here is free again at once: `expand` keeps only states in which its need
    has come down to 0.
    """
    degree: int64 = 0
    opened: int64 = 0
    unit: int64 = 0
    closed: int64 = 0
    one: int64 = 1
    clue: int64
    need: int64
    shift: int64
    k: int64
    for k in range(work.class_starts[index], work.class_starts[index + 1]):
        clue = work.class_clues[k]
        need = state.need[work.clue_at[clue]]
        if work.shift[clue] == NONE:
            shift = place(used, need)
            if shift == NONE:
                return NONE, used, opened, unit
            work.shift[clue] = shift
            opened |= need << shift
            used |= field(need) << shift
        shift = work.shift[clue]
        work.left[clue] -= work.class_size[index]
        fields[3 * degree], fields[3 * degree + 1], fields[3 * degree + 2] = (
            shift,
            field(need),
            work.left[clue],
        )
        unit += one << shift
        if work.left[clue] == 0:
            closed |= field(need) << shift
        degree += 1
    return degree, used & ~closed, opened, unit


def expand(state: State, work: Work, clues: int64, classes: int64, row: int64, pulse: Pulse) -> int64:
    """Build all layers: states, and edges with the number of mines in the class that is placed.

    Returns the number of states, or what went wrong; sets the column `STATES` of the row.

    A state packs the needs of the open clues, each in bits that hold its first need; what is not in use is 0.
    So the clues of a class get their needs by one addition, and `mines` are taken off all of them by one
    subtraction, in which no place borrows from the next: `mines` is at most the least of the needs.
    """
    clue: int64
    index: int64
    k: int64
    size: int64
    degree: int64
    used: int64
    opened: int64
    unit: int64
    first: int64
    source: int64
    packed: int64
    fewest: int64
    largest: int64
    need: int64
    target: int64
    edges: int64
    i: int64
    mines: int64
    at: int64
    fields: int64[24]
    for clue in range(clues):
        work.left[clue], work.shift[clue] = 0, NONE
    for index in range(classes):
        for k in range(work.class_starts[index], work.class_starts[index + 1]):
            work.left[work.class_clues[k]] += work.class_size[index]
    work.states[0], work.layer_starts[0] = 0, 0
    start: int64 = 0
    count: int64 = 1
    most: int64 = 1
    edges = used = 0
    state.table[row, STATES] = most
    for at in range(classes):
        index, size = work.order[at], work.class_size[work.order[at]]
        degree, used, opened, unit = admit(state, work, index, used, fields)
        if degree == NONE:
            return TOO_WIDE
        first, start = start, count
        work.layer_starts[at + 1], work.edge_starts[at] = start, edges
        for source in range(first, start):
            beat(pulse)
            if count + size + 1 > len(work.states) or edges + size + 1 > len(work.sources):
                return FULL
            packed = work.states[source] + opened
            fewest, largest = 0, size
            # No clue gets more than it needs, nor is left to need more than it has cells to come.
            for i in range(degree):
                need = packed >> fields[3 * i] & fields[3 * i + 1]
                largest = min(largest, need)
                fewest = max(fewest, need - fields[3 * i + 2])
            for mines in range(fewest, largest + 1):
                target = enter(work, packed - mines * unit, start, count)
                count = max(count, target + 1)
                work.sources[edges], work.targets[edges], work.mines[edges] = source, target, mines
                edges += 1
        most = max(most, count - start)
        state.table[row, STATES] = most
    work.edge_starts[classes] = edges
    work.layer_starts[classes + 1] = count
    return count
