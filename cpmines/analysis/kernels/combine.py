"""From the polynomials of all components and the total to probability and state of every cell."""

import cython
from cython.cimports.cpmines.analysis.kernels.state import (
    CELLS,
    CLASSES,
    CLUES,
    COMPONENTS,
    INTS_AT,
    LEAST,
    LENGTH,
    LIVE,
    MINES,
    NONE,
    REALS_AT,
    TOUCHING,
    UNKNOWNS,
    State,
)
from cython.cimports.cpmines.analysis.kernels.weights import (
    Values,
    Weights,
    dot,
    polynomial,
    prefixes,
    rest,
    weigh,
)
from cython.cimports.cpmines.kernels.arrays import Bytes, Reals, int64
from cython.cimports.cpmines.kernels.cells import MINE, UNKNOWN
from cython.cimports.cpmines.kernels.pulse import Pulse, beat

__all__ = ["Combination", "answer"]

EXACT = cython.declare(cython.double, 2.0**53)


class Combination:
    """An answer in the making.

    Attributes
    ----------
    scratch
        See `weights`.
    probability, states
        float64 and int8, a number for each cell: what is set.
    cols
        Of the board.
    count, least, most, step
        What `survey` finds.
    chance
        What `answer` returns.
    """

    def __init__(self, probability: Reals, states: Bytes, cols: int64) -> None:
        self.scratch = Weights()
        self.probability, self.states, self.cols = probability, states, cols


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def survey(state: State, out: Combination, scratch: Weights) -> cython.void:
    """List the standing components in `live`, and set the counter `TOUCHING`.

    Set are their number `count`, the `least` and the `most` mines in them together, and the widest `step`
    between numbers of mines that one of them can have; it is `NONE` if one of them is not solved. A component
    may have no placement with some number between its least and its most: then a coefficient is 0, and the
    step is wider.
    """
    count: int64 = 0
    least: int64 = 0
    most: int64 = 0
    touching: int64 = 0
    step: int64 = 1
    gap: int64
    first: int64
    c: int64
    k: int64
    for c in range(state.counters[COMPONENTS]):
        if state.table[c, LIVE] == 0:
            continue
        scratch.live.at[count] = c
        count += 1
        touching += state.table[c, CELLS]
        least += state.table[c, LEAST]
        most += state.table[c, LEAST] + state.table[c, LENGTH] - 1
        if state.table[c, LENGTH] == 0 or step == NONE:
            step = NONE
            continue
        gap = 1
        first = state.table[c, REALS_AT]
        for k in range(first, first + state.table[c, LENGTH]):
            gap = 1 if state.reals[k] > 0 else gap + 1
            step = max(step, gap)
    state.counters[TOUCHING] = touching
    out.count, out.least, out.most, out.step = count, least, most, step


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def assess(
    own: Values, mines: Values, weights: Values, count: int64, first: int64, last: int64
) -> tuple[cython.double, int64]:
    """Probability of a mine in the cells of a class, and their state.

    Parameters
    ----------
    own, mines
        Coefficients of the component, and those with one certain cell of the class a mine.
    first, last
        Range of the coefficients that are possible together with the total, or `WEIGHTS`.
    """
    total: cython.double = 0.0
    chance: cython.double = 0.0
    possible: cython.bint
    can_mine: cython.bint = False
    can_safe: cython.bint = False
    k: int64
    for k in range(count):
        total += own[k] * weights[k]
        chance += mines[k] * weights[k]
        possible = weights[k] > 0 if first == WEIGHTS else first <= k <= last
        can_mine |= possible and mines[k] > 0
        can_safe |= possible and mines[k] < own[k]
    if can_mine and can_safe:
        return chance / total, OPEN
    return chance / total, 1 if can_mine else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def spread(
    state: State, out: Combination, scratch: Weights, c: int64, first: int64, last: int64
) -> cython.int:
    """Set the cells of one component; 0 if its coefficients are too large to tell what is certain.

    `first` and `last` as in `assess`. If all coefficients are possible, the total decides nothing, and what
    is certain is known from the solution of the component. If not, a class is certain where its coefficients
    are 0 or those of the component: they must be exact for that, and floats are up to 2^53.
    """
    own: Values = polynomial(state, c, 0)
    size: int64 = state.table[c, LENGTH]
    classes: int64 = state.table[c, CLASSES]
    cells: int64 = state.table[c, CELLS]
    cols: int64 = out.cols
    binding: cython.bint = first == WEIGHTS or first > 0 or last < size - 1
    cell_at: int64 = state.table[c, INTS_AT] + state.table[c, CLUES]
    cell: int64
    index: int64
    at: int64
    k: int64
    for k in range(size):
        if binding and own[k] >= EXACT:
            return 0
    scratch.chances.reserve(classes)
    scratch.verdicts.reserve(classes)
    for index in range(classes):
        found = assess(own, polynomial(state, c, index + 1), scratch.weights.at, size, first, last)
        scratch.chances.at[index], scratch.verdicts.at[index] = found[0], found[1]
    for k in range(cell_at, cell_at + cells):
        cell, index = state.ints[k], state.ints[k + cells]  # cells, then the class of each: `INTS_AT`
        at = (cell // (cols + 2) - 1) * cols + cell % (cols + 2) - 1
        if binding:
            out.states[at] = scratch.verdicts.at[index]
        elif state.certain[cell] == UNKNOWN:
            out.states[at] = OPEN
        else:
            out.states[at] = state.certain[cell] == MINE
        out.probability[at] = scratch.chances.at[index] if out.states[at] == OPEN else out.states[at]
    return 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill(state: State, out: Combination, chance: cython.double, verdict: int64) -> cython.void:
    """Set all cells: what is known, and the rest as if it touched no open clue."""
    stride: int64 = out.cols + 2
    rows: int64 = len(state.cells) // stride - 2
    at: int64 = 0
    place: int64
    row: int64
    for row in range(1, rows + 1):
        for place in range(row * stride + 1, row * stride + 1 + out.cols):
            if state.cells[place] == UNKNOWN:
                out.probability[at], out.states[at] = chance, verdict
            else:
                out.states[at] = state.cells[place] == MINE
                out.probability[at] = out.states[at]
            at += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def independent(state: State, out: Combination, scratch: Weights, odds: cython.double, pulse: Pulse) -> int64:
    """Without a total: each mine multiplies the weight by `odds`, and components are independent."""
    size: int64
    c: int64
    i: int64
    k: int64
    fill(state, out, odds / (1 + odds), OPEN)
    for i in range(out.count):
        beat(pulse)
        c = scratch.live.at[i]
        size = state.table[c, LENGTH]
        scratch.weights.reserve(size)
        scratch.weights.at[0 if odds <= 1 else size - 1] = 1.0
        for k in range(1, size):  # from the end at which they are largest
            if odds <= 1:
                scratch.weights.at[k] = scratch.weights.at[k - 1] * odds
            else:
                scratch.weights.at[size - 1 - k] = scratch.weights.at[size - k] / odds
        spread(state, out, scratch, c, 0, size - 1)
    return ANSWERED


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_chance(
    before: Values,
    after: Values,
    span: int64,
    free: int64,
    most: int64,
    total: cython.double,
    smooth: cython.bint,
) -> tuple[cython.double, int64]:
    """Probability and state of the `free` cells that touch no open clue.

    Parameters
    ----------
    before, after
        Weights by mines in all components, counted from the fewest on.
    most
        Mines left for these cells if the components have the fewest.
    total
        Sum of the products of the weights.
    smooth
        See `answer`: what is possible then follows from the bounds, as small weights may have become 0.
    """
    last: int64 = span - 1
    chance: cython.double = 0.0
    weight: cython.double
    can_mine: cython.bint = False
    can_safe: cython.bint = False
    a: int64
    if free == 0:
        return 0.0, 0
    for a in range(last + 1):
        weight = before[a] * after[a]
        chance += weight * (most - a) / free  # the free cells are all alike
        can_mine |= weight > 0 and most - a > 0
        can_safe |= weight > 0 and most - a < free
    if smooth:
        can_mine = max(0, most - free) <= min(last, most - 1)
        can_safe = max(0, most - free + 1) <= min(last, most)
    if can_mine and can_safe:
        return chance / total, OPEN
    return (1.0, 1) if can_mine else (0.0, 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def combine(
    state: State, out: Combination, scratch: Weights, left: int64, smooth: cython.bint, pulse: Pulse
) -> int64:
    """`answer` with a total, of which `left` mines are not known.

    All weights count mines from the least on, so that they are indices. What the weights of component i are
    comes from both sides, as in the forward and backward pass of a chain: the product of the components
    before it, and `after`, the free cells carried through those behind it. See `weights`.
    """
    least: int64 = out.least
    span: int64 = out.most - least + 1
    free: int64 = state.counters[UNKNOWNS] - state.counters[TOUCHING]
    precise: cython.bint = state.counters[UNKNOWNS] <= MOST_UNKNOWN
    everything: cython.double
    length: int64 = span
    own: int64
    first: int64
    c: int64
    i: int64
    prefixes(state, scratch, out.count, span, precise, pulse)
    scratch.after.reserve(span)
    rest(free, left, least, span, scratch.after.at)
    products: Values = scratch.products.at + out.count * span
    everything = dot(products, scratch.after.at, span)
    if everything == 0:
        return IMPOSSIBLE if precise else GENERAL
    found = free_chance(products, scratch.after.at, span, free, left - least, everything, smooth)
    fill(state, out, found[0], found[1])
    for i in range(out.count - 1, -1, -1):
        c = scratch.live.at[i]
        own = state.table[c, LENGTH]
        length -= own - 1  # numbers of mines that the components before i can have
        weigh(state, scratch, c, scratch.products.at + i * span, length, precise, pulse)
        # The component has no fewer mines than are left if all others and the free cells have their most, and
        # no more than are left if those have their least; and if smooth, every number between.
        first = max(0, left - free - least - (span - own)) if smooth else WEIGHTS
        if not spread(state, out, scratch, c, first, min(own - 1, left - least)):
            return GENERAL
    out.chance = found[0]
    return ANSWERED


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def run(
    state: State, out: Combination, scratch: Weights, total: int64, odds: cython.double, pulse: Pulse
) -> int64:
    """`answer` without the interpreter lock."""
    left: int64
    free: int64
    smooth: cython.bint
    precise: cython.bint
    out.chance = 0.0
    scratch.live.reserve(state.counters[COMPONENTS])
    survey(state, out, scratch)
    if out.step == NONE:
        return GENERAL  # some component was too large to solve
    if total < 0:
        out.chance = odds / (1 + odds)
        return independent(state, out, scratch, odds, pulse)
    left, free = total - state.counters[MINES], state.counters[UNKNOWNS] - state.counters[TOUCHING]
    if left < out.least or left > out.most + free:
        return IMPOSSIBLE
    smooth = out.step <= max(1, free)
    precise = state.counters[UNKNOWNS] <= MOST_UNKNOWN
    if not (smooth or precise) or (out.most - out.least + 1) * (out.count + 1) > LARGEST_TABLE:
        return GENERAL
    return combine(state, out, scratch, left, smooth, pulse)


def answer(
    state: State, out: Combination, total: int64, odds: cython.double, pulse: Pulse
) -> tuple[int, float]:
    """Set probability and state of every cell in `out`.

    If no number of mines that a component can have is far from the next one, the free cells make up for the
    difference, and all numbers between the bounds are possible: smooth. Then what is certain is told by
    bounds alone, and weights may be scaled, where small ones become 0. If not, a zero must be a true one:
    only on boards so small that no count leaves the range of floats.

    Parameters
    ----------
    total
        Mines on the board, -1 if that is not known.
    odds
        Without a total: p / (1 - p) for mines of probability p, 1 if all placements weigh the same.

    Returns
    -------
    tuple
        The outcome, and the probability of cells that touch no open clue.
    """
    outcome: int64
    with cython.nogil:
        outcome = run(state, out, out.scratch, total, odds, pulse)
    return outcome, out.chance
