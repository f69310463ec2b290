"""A component class by class: states are the needs of the clues that are open, layer after layer.

Only states are kept in which every open clue can still be met by the cells to come.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.analysis.kernels.state import NONE, State, Work, whole
from cpmines.jit import kernel

__all__ = ["FULL", "TOO_WIDE", "arrange", "expand"]

Places = NDArray[np.int64]

FULL, TOO_WIDE = -1, -2
"""Outcomes of `expand` besides success: scratch is full; the needs of the open clues do not fit a state."""

BITS = 62
HASH = -7046029254386353131  # 2^64 / golden ratio, odd: Knuth, The Art of Computer Programming, 6.4
HASH_SHIFT = 20


@kernel
def opening(work: Work, index: int) -> int:
    """How many clues placing a class opens, less those that it closes."""
    change = 0
    for k in range(work.class_starts[index], work.class_starts[index + 1]):
        clue = work.class_clues[k]
        change += (work.shift[clue] == NONE) - (work.left[clue] == 1)
    return change


@kernel
def choose(work: Work, count: int) -> int:
    """The class beside an open clue that opens the fewest; among equals, beside the clue open for longest."""
    best, fewest = NONE, 0
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


@kernel
def arrange(work: Work, clues: int, classes: int) -> int:
    """Set the order in which classes are placed, greedily; returns the most clues that are open at once.

    It begins at the clue that was met last, which lies at an end: in breadth-first order no other is farther
    away, and from an end few clues are open at once (Cuthill and McKee, 1969, number matrices so).
    """
    for clue in range(clues):
        work.left[clue] = work.clue_starts[clue + 1] - work.clue_starts[clue]
        work.shift[clue] = NONE
    for index in range(classes):
        work.rank[index] = NONE
    work.open_clues[0] = clues - 1
    work.shift[clues - 1] = 0
    count, most = whole(1), 1
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


@kernel
def place(used: int, need: int) -> int:
    """The lowest place in a state where the needs from 0 to `need` fit beside the used bits; or `NONE`."""
    mask = field(need)
    for shift in range(BITS):
        if mask << shift >= 1 << BITS:
            break
        if used & mask << shift == 0:
            return shift
    return NONE


@kernel
def field(need: int) -> int:
    """Mask of the bits that hold 0 to `need`, which is at most 8."""
    return 1 if need < 2 else 3 if need < 4 else 7 if need < 8 else 15


@kernel
def enter(work: Work, packed: int, start: int, count: int) -> int:
    """Index of a state in the layer that begins at `start`; it is `count` if the state is new."""
    mask, clock = len(work.hashed) - 1, work.clock[0]
    at = (packed * HASH >> HASH_SHIFT) & mask
    while work.hashed[at] >= clock + start:
        index = work.hashed[at] - clock
        if work.states[index] == packed:
            return int(index)
        at = (at + 1) & mask
    work.hashed[at] = clock + count
    work.states[count] = packed
    return count


@kernel
def admit(state: State, work: Work, index: int, used: int, fields: Places) -> tuple[int, int, int, int]:
    """Open the clues of a class that is placed next, and take its cells off what they have left.

    Sets `fields`, int64 (3, 8): shift and mask of each clue's need, and how many cells it has left. Returns
    the number of clues, or `NONE` if a need does not fit; the used bits; the needs that are new, in their
    places; and a one in the place of each clue.

    The place of a clue that closes here is free again at once: `expand` keeps only states in which its need
    has come down to 0.
    """
    degree = opened = unit = 0
    closed = 0
    for k in range(work.class_starts[index], work.class_starts[index + 1]):
        clue = work.class_clues[k]
        need = int(state.need[work.clue_at[clue]])
        if work.shift[clue] == NONE:
            shift = place(used, need)
            if shift == NONE:
                return NONE, used, opened, unit
            work.shift[clue] = shift
            opened |= need << shift
            used |= field(need) << shift
        shift = int(work.shift[clue])
        work.left[clue] -= work.class_size[index]
        fields[0, degree], fields[1, degree], fields[2, degree] = shift, field(need), work.left[clue]
        unit += 1 << shift
        if work.left[clue] == 0:
            closed |= field(need) << shift
        degree += 1
    return degree, used & ~closed, opened, unit


@kernel
def expand(state: State, work: Work, clues: int, classes: int) -> tuple[int, int]:
    """Build all layers: states, and edges with the number of mines in the class that is placed.

    Returns the number of states, or what went wrong, and the most states of a layer.

    A state packs the needs of the open clues, each in bits that hold its first need; what is not in use is 0.
    So the clues of a class get their needs by one addition, and `mines` are taken off all of them by one
    subtraction, in which no place borrows from the next: `mines` is at most the least of the needs.
    """
    for clue in range(clues):
        work.left[clue], work.shift[clue] = 0, NONE
    for index in range(classes):
        for k in range(work.class_starts[index], work.class_starts[index + 1]):
            work.left[work.class_clues[k]] += work.class_size[index]
    fields = np.empty((3, 8), np.int64)
    work.states[0], work.layer_starts[0] = 0, 0
    start, count, edges, used, most = whole(0), whole(1), 0, whole(0), 1
    for at in range(classes):
        index, size = int(work.order[at]), int(work.class_size[work.order[at]])
        degree, used, opened, unit = admit(state, work, index, used, fields)
        if degree == NONE:
            return TOO_WIDE, most
        first, start = start, count
        work.layer_starts[at + 1], work.edge_starts[at] = start, edges
        for source in range(first, start):
            if count + size + 1 > len(work.states) or edges + size + 1 > len(work.sources):
                return FULL, most
            packed = work.states[source] + opened
            fewest, largest = 0, size
            # No clue gets more than it needs, nor is left to need more than it has cells to come.
            for i in range(degree):
                need = packed >> fields[0, i] & fields[1, i]
                largest = min(largest, need)
                fewest = max(fewest, need - fields[2, i])
            for mines in range(fewest, largest + 1):
                target = enter(work, packed - mines * unit, start, count)
                count = max(count, target + 1)
                work.sources[edges], work.targets[edges], work.mines[edges] = source, target, mines
                edges += 1
        most = max(most, count - start)
    work.edge_starts[classes] = edges
    work.layer_starts[classes + 1] = count
    return count, most
