"""Placements of a component by mines, and of each class with one certain cell a mine: both in one sweep.

The coefficients are counts, so all terms are positive: a zero is a true zero, and below 2^53 all are exact.
"""

from math import comb

import cython
import numpy as np
from cython.cimports.cpmines.analysis.kernels.state import NONE, Work
from cython.cimports.cpmines.kernels.arrays import RealsTable, int64
from cython.cimports.cpmines.kernels.pulse import Pulse, beat

CHOICES = cython.declare(RealsTable, np.array([[comb(n, k) for k in range(9)] for n in range(9)], np.float64))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def widen(work: Work, edge: int64, onward: cython.bint) -> cython.void:
    """Make room at one end of an edge for the numbers of mines that come over it from the other end."""
    spans = work.spans
    mines: int64 = work.mines[edge]
    origin: int64 = work.sources[edge]
    goal: int64 = work.targets[edge]
    least: int64 = BEFORE_LEAST
    most: int64 = BEFORE_MOST
    fewer: int64
    more: int64
    new: cython.bint
    if not onward:
        origin, goal = goal, origin
        least, most = AFTER_LEAST, AFTER_MOST
    fewer, more = spans[origin, least] + mines, spans[origin, most] + mines
    new = spans[goal, least] == NONE
    spans[goal, least] = fewer if new else min(spans[goal, least], fewer)
    spans[goal, most] = more if new else max(spans[goal, most], more)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leads_on(work: Work, edge: int64) -> cython.bint:
    return work.spans[work.targets[edge], AFTER_LEAST] != NONE


def measure(work: Work, classes: int64, count: int64) -> int64:
    """Set `spans` of the states that lead to the end; returns the number of coefficients, 0 if none does.

    Backward first, so that what leads nowhere is left out of the pass forward and gets no room. The last
    layer has one state, in which nothing is needed, and it is the last of all states.
    """
    spans = work.spans
    edges: int64 = work.edge_starts[classes]
    used: int64 = 0
    edge: int64
    index: int64
    for index in range(count):
        spans[index, AFTER_LEAST] = spans[index, BEFORE_LEAST] = NONE
    if work.layer_starts[classes] == count:
        return 0
    spans[count - 1, AFTER_LEAST] = spans[count - 1, AFTER_MOST] = 0
    for edge in range(edges - 1, -1, -1):
        if leads_on(work, edge):
            widen(work, edge, False)
    if spans[0, AFTER_LEAST] == NONE:
        return 0
    spans[0, BEFORE_LEAST] = spans[0, BEFORE_MOST] = 0
    for edge in range(edges):
        if leads_on(work, edge):
            widen(work, edge, True)
    for index in range(count):
        if spans[index, AFTER_LEAST] != NONE:
            spans[index, BEFORE_AT] = used
            used += spans[index, BEFORE_MOST] - spans[index, BEFORE_LEAST] + 1
            spans[index, AFTER_AT] = used
            used += spans[index, AFTER_MOST] - spans[index, AFTER_LEAST] + 1
    return used


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def carry(work: Work, edge: int64, ways: cython.double, onward: cython.bint) -> cython.void:
    """Add the coefficients of one end of an edge, `ways` times, to those of the other end."""
    spans = work.spans
    values = work.values
    origin: int64 = work.sources[edge]
    goal: int64 = work.targets[edge]
    least: int64 = BEFORE_LEAST
    most: int64 = BEFORE_MOST
    at: int64 = BEFORE_AT
    if not onward:
        origin, goal = goal, origin
        least, most, at = AFTER_LEAST, AFTER_MOST, AFTER_AT
    start: int64 = spans[origin, at]
    to: int64 = spans[goal, at] + spans[origin, least] + work.mines[edge] - spans[goal, least]
    for k in range(spans[origin, most] - spans[origin, least] + 1):
        values[to + k] += ways * values[start + k]


def sweep(work: Work, classes: int64, count: int64, used: int64, pulse: Pulse) -> cython.int:
    """Forward and backward pass: the coefficients of each state, by the mines before and after it."""
    spans = work.spans
    values = work.values
    size: int64
    at: int64
    edge: int64
    for k in range(used):
        values[k] = 0  # each edge adds to it
    values[spans[0, BEFORE_AT]] = values[spans[count - 1, AFTER_AT]] = 1
    for at in range(classes):
        size = work.class_size[work.order[at]]
        for edge in range(work.edge_starts[at], work.edge_starts[at + 1]):
            if leads_on(work, edge):
                beat(pulse)
                carry(work, edge, CHOICES[size, work.mines[edge]], True)
    for at in range(classes - 1, -1, -1):
        size = work.class_size[work.order[at]]
        for edge in range(work.edge_starts[at], work.edge_starts[at + 1]):
            if leads_on(work, edge):
                beat(pulse)
                carry(work, edge, CHOICES[size, work.mines[edge]], False)
    return 0


def write(work: Work, classes: int64, out: cython.p_double, length: int64, pulse: Pulse) -> cython.int:
    """Set `out`: the polynomial of the component, then of each class those with its first cell a mine.

    All have `length` coefficients, from the fewest mines on.

    The cells of a class can be exchanged: with its first cell a mine there are C(size - 1, mines - 1) ways,
    out of C(size, mines), to place the mines of an edge. Each edge of the class's layer is met by all that
    leads to its source and all that its target leads to.
    """
    spans = work.spans
    values = work.values
    least: int64 = spans[0, AFTER_LEAST]
    index: int64
    size: int64
    source: int64
    target: int64
    mines: int64
    before: int64
    after: int64
    to: int64
    at: int64
    edge: int64
    i: int64
    k: int64
    ways: cython.double
    factor: cython.double
    row: cython.p_double
    for k in range(length):
        out[k] = values[spans[0, AFTER_AT] + k]
    for at in range(classes):
        index = work.order[at]
        size = work.class_size[index]
        row = out + (index + 1) * length
        for k in range(length):
            row[k] = 0
        for edge in range(work.edge_starts[at], work.edge_starts[at + 1]):
            source, target, mines = work.sources[edge], work.targets[edge], work.mines[edge]
            if mines == 0 or not leads_on(work, edge):
                continue
            ways = CHOICES[size - 1, mines - 1]
            before, after = spans[source, BEFORE_AT], spans[target, AFTER_AT]
            # The coefficients are shifted against each other: this is where the product of the first begins.
            to = spans[source, BEFORE_LEAST] + mines + spans[target, AFTER_LEAST] - least
            for i in range(spans[source, BEFORE_MOST] - spans[source, BEFORE_LEAST] + 1):
                beat(pulse)
                factor = ways * values[before + i]
                for k in range(spans[target, AFTER_MOST] - spans[target, AFTER_LEAST] + 1):
                    row[to + i + k] += factor * values[after + k]
    return 0


def certain(work: Work, at: int64) -> tuple[cython.bint, cython.bint]:
    """Can a cell of the class placed at `at` be a mine, and can it be safe?"""
    size: int64 = work.class_size[work.order[at]]
    mine: cython.bint = False
    safe: cython.bint = False
    edge: int64
    for edge in range(work.edge_starts[at], work.edge_starts[at + 1]):
        if leads_on(work, edge):
            mine |= work.mines[edge] > 0
            safe |= work.mines[edge] < size
    return mine, safe
