"""From the polynomials of all components and the total to probability and state of every cell."""

from __future__ import annotations

import numpy as np

from cpmines.analysis.kernels.state import (
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
    Cells,
    Ints,
    Reals,
    State,
    whole,
)
from cpmines.analysis.kernels.weights import dot, polynomial, prefixes, rest, weigh
from cpmines.board import MINE, UNKNOWN
from cpmines.jit import kernel

__all__ = ["ANSWERED", "GENERAL", "IMPOSSIBLE", "answer"]

ANSWERED, IMPOSSIBLE, GENERAL = range(3)
"""Outcomes of `answer`: done; no placement; too large for these means."""

OPEN = -1
MOST_UNKNOWN = 1000
"""Cells up to which every count is within the range of floats, so that a zero is a true zero."""
WEIGHTS = -1
"""Instead of a range: the numbers of mines whose weight is not zero."""
EXACT = 2.0**53
LARGEST_TABLE = 1 << 23


@kernel
def survey(state: State, live: Ints) -> tuple[int, int, int, int]:
    """List the standing components, and set the counter `TOUCHING`.

    Returns their number, the least and most mines in them together, and the widest step between numbers of
    mines that one of them can have; the step is `NONE` if one of them is not solved. A component may have no
    placement with some number between its least and its most: then a coefficient is 0, and the step is wider.
    """
    count = least = most = touching = 0
    step = 1
    for c in range(state.counters[COMPONENTS]):
        row = state.table[c]
        if not row[LIVE]:
            continue
        live[count] = c
        count += 1
        touching += row[CELLS]
        least += row[LEAST]
        most += row[LEAST] + row[LENGTH] - 1
        if row[LENGTH] == 0 or step == NONE:
            step = NONE
            continue
        gap = 1
        for k in range(row[REALS_AT], row[REALS_AT] + row[LENGTH]):
            gap = 1 if state.reals[k] > 0 else gap + 1
            step = max(step, gap)
    state.counters[TOUCHING] = touching
    return count, least, most, step


@kernel
def assess(own: Reals, mines: Reals, weights: Reals, first: int, last: int) -> tuple[float, int]:
    """Probability of a mine in the cells of a class, and their state.

    Parameters
    ----------
    own, mines
        Coefficients of the component, and those with one certain cell of the class a mine.
    first, last
        Range of the coefficients that are possible together with the total, or `WEIGHTS`.
    """
    total = chance = 0.0
    can_mine = can_safe = False
    for k in range(len(own)):
        total += own[k] * weights[k]
        chance += mines[k] * weights[k]
        if weights[k] > 0 if first == WEIGHTS else first <= k <= last:
            can_mine |= mines[k] > 0
            can_safe |= mines[k] < own[k]
    return chance / total, OPEN if can_mine and can_safe else 1 if can_mine else 0


@kernel
def spread(
    state: State, c: int, weights: Reals, first: int, last: int, probability: Reals, states: Cells, cols: int
) -> bool:
    """Set the cells of one component; false if its coefficients are too large to tell what is certain.

    `first` and `last` as in `assess`. If all coefficients are possible, the total decides nothing, and what
    is certain is known from the solution of the component. If not, a class is certain where its coefficients
    are 0 or those of the component: they must be exact for that, and floats are up to 2^53.
    """
    row = state.table[c]
    own = polynomial(state, c, 0)
    binding = first == WEIGHTS or first > 0 or last < len(own) - 1
    for k in range(len(own)):
        if binding and own[k] >= EXACT:
            return False
    chances, verdicts = np.empty(row[CLASSES]), np.empty(row[CLASSES], np.int8)
    for index in range(row[CLASSES]):
        mines = polynomial(state, c, index + 1)
        chances[index], verdicts[index] = assess(own, mines, weights, first, last)
    cell_at = row[INTS_AT] + row[CLUES]
    for k in range(cell_at, cell_at + row[CELLS]):
        cell, index = state.ints[k], state.ints[k + row[CELLS]]  # cells, then the class of each: `INTS_AT`
        at = (cell // (cols + 2) - 1) * cols + cell % (cols + 2) - 1
        certain = state.certain[cell]
        verdict = OPEN if certain == UNKNOWN else int(certain == MINE)
        states[at] = verdicts[index] if binding else verdict
        probability[at] = chances[index] if states[at] == OPEN else float(states[at])
    return True


@kernel
def fill(state: State, probability: Reals, states: Cells, cols: int, chance: float, verdict: int) -> None:
    """Set all cells: what is known, and the rest as if it touched no open clue."""
    at = 0
    for start in range(cols + 3, len(state.cells) - cols - 2, cols + 2):
        for place in range(start, start + cols):
            code = state.cells[place]
            if code == UNKNOWN:
                probability[at], states[at] = chance, verdict
            else:
                probability[at] = states[at] = code == MINE
            at += 1


@kernel
def independent(state: State, live: Ints, odds: float, probability: Reals, states: Cells, cols: int) -> int:
    """Without a total: each mine multiplies the weight by `odds`, and components are independent."""
    fill(state, probability, states, cols, odds / (1 + odds), whole(OPEN))
    for c in live:
        weights = np.ones(state.table[c, LENGTH])
        for k in range(1, len(weights)):  # from the end at which they are largest
            if odds <= 1:
                weights[k] = weights[k - 1] * odds
            else:
                weights[-1 - k] = weights[-k] / odds
        spread(state, c, weights, whole(0), len(weights) - 1, probability, states, cols)
    return ANSWERED


@kernel
def free_chance(
    before: Reals, after: Reals, free: int, most: int, total: float, smooth: bool
) -> tuple[float, int]:
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
    if free == 0:
        return 0.0, 0
    last = len(before) - 1
    chance, can_mine, can_safe = 0.0, False, False
    for a in range(last + 1):
        weight = before[a] * after[a]
        chance += weight * (most - a) / free  # the free cells are all alike
        can_mine |= weight > 0 and most - a > 0
        can_safe |= weight > 0 and most - a < free
    if smooth:
        can_mine = max(0, most - free) <= min(last, most - 1)
        can_safe = max(0, most - free + 1) <= min(last, most)
    verdict = OPEN if can_mine and can_safe else 1 if can_mine else 0
    return chance / total if verdict == OPEN else float(verdict), verdict


@kernel
def combine(
    state: State,
    live: Ints,
    left: int,
    bounds: tuple[int, int],
    smooth: bool,
    probability: Reals,
    states: Cells,
    cols: int,
) -> tuple[int, float]:
    """`answer` with a total. `left` mines are not known; `bounds` are the least and most in components.

    All weights count mines from the least on, so that they are indices. What the weights of component i are
    comes from both sides, as in the forward and backward pass of a chain: the product of the components
    before it, and `after`, the free cells carried through those behind it. See `weights`.
    """
    least, span = bounds[0], bounds[1] - bounds[0] + 1
    free = state.counters[UNKNOWNS] - state.counters[TOUCHING]
    precise = state.counters[UNKNOWNS] <= MOST_UNKNOWN
    products = prefixes(state, live, span, precise)
    after = rest(free, left, least, span)
    everything = dot(products[len(live)], after)
    if everything == 0:
        return IMPOSSIBLE if precise else GENERAL, 0.0
    chance, verdict = free_chance(products[len(live)], after, free, left - least, everything, smooth)
    fill(state, probability, states, cols, chance, verdict)
    length = span
    for i in range(len(live) - 1, -1, -1):
        own = int(state.table[live[i], LENGTH])
        length -= own - 1  # numbers of mines that the components before i can have
        weights, after = weigh(state, live[i], products[i], after, length, precise)
        # The component has no fewer mines than are left if all others and the free cells have their most, and
        # no more than are left if those have their least; and if smooth, every number between.
        first = max(0, left - free - least - (span - own)) if smooth else WEIGHTS
        last = min(own - 1, left - least)
        if not spread(state, live[i], weights, first, last, probability, states, cols):
            return GENERAL, 0.0
    return ANSWERED, chance


@kernel
def answer(
    state: State, total: int, odds: float, probability: Reals, states: Cells, cols: int
) -> tuple[int, float]:
    """Set probability and state of every cell, float64 and int8 (rows * cols,).

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
    listed = np.empty(state.counters[COMPONENTS], np.int32)
    count, least, most, step = survey(state, listed)
    live = listed[:count]
    if step == NONE:
        return GENERAL, 0.0
    if total < 0:
        return independent(state, live, odds, probability, states, cols), odds / (1 + odds)
    left, free = total - state.counters[MINES], state.counters[UNKNOWNS] - state.counters[TOUCHING]
    if left < least or left > most + free:
        return IMPOSSIBLE, 0.0
    smooth = step <= max(1, free)
    precise = state.counters[UNKNOWNS] <= MOST_UNKNOWN
    if not (smooth or precise) or (most - least + 1) * (count + 1) > LARGEST_TABLE:
        return GENERAL, 0.0
    return combine(state, live, left, (least, most), smooth, probability, states, cols)
