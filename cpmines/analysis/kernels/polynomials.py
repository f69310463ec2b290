"""Placements of a component by mines, and of each class with one certain cell a mine: both in one sweep.

The coefficients are counts, so all terms are positive: a zero is a true zero, and below 2^53 all are exact.
"""

from __future__ import annotations

from math import comb

import numpy as np

from cpmines.analysis.kernels.state import NONE, Reals, Work
from cpmines.jit import kernel

__all__ = ["certain", "measure", "sweep", "write"]

BEFORE_LEAST, BEFORE_MOST, BEFORE_AT, AFTER_LEAST, AFTER_MOST, AFTER_AT = range(6)
"""Columns of `Work.spans`."""

CHOICES = np.array([[comb(n, k) for k in range(9)] for n in range(9)], np.float64)


@kernel
def widen(work: Work, edge: int, onward: bool) -> None:
    """Make room at one end of an edge for the numbers of mines that come over it from the other end."""
    spans, mines = work.spans, work.mines[edge]
    origin, goal = work.sources[edge], work.targets[edge]
    least, most = BEFORE_LEAST, BEFORE_MOST
    if not onward:
        origin, goal, least, most = goal, origin, AFTER_LEAST, AFTER_MOST
    fewer, more = spans[origin, least] + mines, spans[origin, most] + mines
    new = spans[goal, least] == NONE
    spans[goal, least] = fewer if new else min(spans[goal, least], fewer)
    spans[goal, most] = more if new else max(spans[goal, most], more)


@kernel
def leads_on(work: Work, edge: int) -> bool:
    return bool(work.spans[work.targets[edge], AFTER_LEAST] != NONE)


@kernel
def measure(work: Work, classes: int, count: int) -> int:
    """Set `spans` of the states that lead to the end; returns the number of coefficients, 0 if none does.

    Backward first, so that what leads nowhere is left out of the pass forward and gets no room. The last
    layer has one state, in which nothing is needed, and it is the last of all states.
    """
    spans, edges = work.spans, work.edge_starts[classes]
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
    used = 0
    for index in range(count):
        if spans[index, AFTER_LEAST] != NONE:
            spans[index, BEFORE_AT] = used
            used += spans[index, BEFORE_MOST] - spans[index, BEFORE_LEAST] + 1
            spans[index, AFTER_AT] = used
            used += spans[index, AFTER_MOST] - spans[index, AFTER_LEAST] + 1
    return int(used)


@kernel
def carry(work: Work, edge: int, ways: float, onward: bool) -> None:
    """Add the coefficients of one end of an edge, `ways` times, to those of the other end."""
    spans, values = work.spans, work.values
    origin, goal = work.sources[edge], work.targets[edge]
    least, most, at = BEFORE_LEAST, BEFORE_MOST, BEFORE_AT
    if not onward:
        origin, goal, least, most, at = goal, origin, AFTER_LEAST, AFTER_MOST, AFTER_AT
    start = spans[origin, at]
    to = spans[goal, at] + spans[origin, least] + work.mines[edge] - spans[goal, least]
    for k in range(spans[origin, most] - spans[origin, least] + 1):
        values[to + k] += ways * values[start + k]


@kernel
def sweep(work: Work, classes: int, count: int, used: int) -> None:
    """Forward and backward pass: the coefficients of each state, by the mines before and after it."""
    spans, values = work.spans, work.values
    for k in range(used):
        values[k] = 0
    values[spans[0, BEFORE_AT]] = values[spans[count - 1, AFTER_AT]] = 1
    for at in range(classes):
        size = work.class_size[work.order[at]]
        for edge in range(work.edge_starts[at], work.edge_starts[at + 1]):
            if leads_on(work, edge):
                carry(work, edge, CHOICES[size, work.mines[edge]], True)
    for at in range(classes - 1, -1, -1):
        size = work.class_size[work.order[at]]
        for edge in range(work.edge_starts[at], work.edge_starts[at + 1]):
            if leads_on(work, edge):
                carry(work, edge, CHOICES[size, work.mines[edge]], False)


@kernel
def write(work: Work, classes: int, out: Reals, length: int) -> None:
    """Set `out`: the polynomial of the component, then of each class those with its first cell a mine.

    All have `length` coefficients, from the fewest mines on.

    The cells of a class can be exchanged: with its first cell a mine there are C(size - 1, mines - 1) ways,
    out of C(size, mines), to place the mines of an edge. Each edge of the class's layer is met by all that
    leads to its source and all that its target leads to.
    """
    spans, values = work.spans, work.values
    for k in range(length):
        out[k] = values[spans[0, AFTER_AT] + k]
    least = spans[0, AFTER_LEAST]
    for at in range(classes):
        index = work.order[at]
        size = work.class_size[index]
        row = out[(index + 1) * length : (index + 2) * length]
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
                factor = ways * values[before + i]
                for k in range(spans[target, AFTER_MOST] - spans[target, AFTER_LEAST] + 1):
                    row[to + i + k] += factor * values[after + k]


@kernel
def certain(work: Work, at: int) -> tuple[bool, bool]:
    """Can a cell of the class placed at `at` be a mine, and can it be safe?"""
    size = work.class_size[work.order[at]]
    mine = safe = False
    for edge in range(work.edge_starts[at], work.edge_starts[at + 1]):
        if leads_on(work, edge):
            mine |= work.mines[edge] > 0
            safe |= work.mines[edge] < size
    return mine, safe
