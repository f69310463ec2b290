"""Dynamic programming over a frontier: cell by cell along the shorter side.

The board lies in a ring of dead cells, and is read line after line, so that a dead cell is to the right and
to the left of each line. With lines of w cells, the cell that is placed completes the neighbourhood of the
one w + 1 before it; so a state is the last 2w + 2 cells, as bits, and of two ways to a state only the one
with more live cells goes on.

References
----------
Larrosa, Morancho, Niso (2005), On the practical use of variable elimination in constraint optimization
problems: 'still-life' as a case study. JAIR 23.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits, Stop
from cpmines.errors import LimitError
from cpmines.problem import Function
from cpmines_stilllife.problem import Size, StillLife

__all__ = ["BACKEND", "solve"]

WIDEST = 12
"""Cells of the shorter side: a state, a number of live cells and the number of a state are 63 bits."""
LIVE_BITS, INDEX_BITS = 10, 23
MOST_LIVE = (1 << LIVE_BITS) - 1
BYTES_PER_STATE = 4
"""Of each layer; what a step needs besides is a few times the largest."""


def solve(instance: Size, limits: Limits) -> Answer[StillLife]:
    length, width = sorted((instance.rows, instance.cols), reverse=True)
    if width > WIDEST:
        return Answer.declined(f"the shorter side is {width}, a state holds at most {WIDEST}")
    if length * width > MOST_LIVE:
        return Answer.declined(f"{length * width} cells, a number of live ones is at most {MOST_LIVE}")
    board = best_board(length, width, limits)
    return Answer.solved(StillLife.of(board if instance.rows == length else board.T))


def best_board(length: int, width: int, limits: Limits) -> NDArray[np.bool_]:
    """A still life with the most live cells, bool (length, width). Raises `LimitError`."""
    line = width + 2
    inside = np.pad(np.ones((length, width), np.bool_), 1).ravel()
    # The cells after the ring complete the neighbourhoods of its last ones.
    free = np.concatenate([inside, np.zeros(line + 1, np.bool_)])
    states, live = np.zeros(1, np.int64), np.zeros(1, np.int64)
    steps: list[NDArray[np.int32]] = []
    held = 0
    for place in free.tolist():
        limits.check(len(steps) / len(free))
        states, live, came = step(states, live, place, line)
        held += len(states)
        limits.require(held * BYTES_PER_STATE, "the frontier")
        if len(states) >> INDEX_BITS - 1:
            raise LimitError(Stop.DECLINED, f"{len(states)} states, their numbers have {INDEX_BITS - 1} bits")
        steps.append(came)
    return traced(steps, int(live.argmax()))[: len(inside)][inside].reshape(length, width)


def step(
    states: NDArray[np.int64], live: NDArray[np.int64], place: bool, line: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """Place one cell, dead or, if `place`, also live.

    Returns
    -------
    states, live
        int64 (states,): ascending, and for each the most live cells so far.
    came
        int32 (states,): twice the index of the state before, plus 1 if the cell lives.
    """
    after = states << 1
    number = np.arange(len(states)) << 1
    if place:
        after, live = np.concatenate([after, after | 1]), np.concatenate([live, live + 1])
        number = np.concatenate([number, number | 1])
    centre = line + 1
    near = (0, 1, 2, centre - 1, centre + 1, 2 * line, 2 * line + 1, 2 * line + 2)
    around = sum(after >> shift & 1 for shift in near)
    stable = np.where(after >> centre & 1, (around == 2) | (around == 3), around != 3)
    kept = stable.nonzero()[0]
    # One sort brings equal states together, the one with the most live cells first.
    packed = (after[kept] & (1 << 2 * line + 2) - 1) << LIVE_BITS + INDEX_BITS
    packed |= (MOST_LIVE - live[kept]) << INDEX_BITS | number[kept]
    packed.sort()
    after = packed >> LIVE_BITS + INDEX_BITS
    first = np.concatenate([[True], after[1:] != after[:-1]])
    packed = packed[first]
    live = MOST_LIVE - (packed >> INDEX_BITS & MOST_LIVE)
    return after[first], live, (packed & (1 << INDEX_BITS) - 1).astype(np.int32)


def traced(steps: list[NDArray[np.int32]], state: int) -> NDArray[np.bool_]:
    """The cells on the way to a state of the last step."""
    cells = np.zeros(len(steps), np.bool_)
    for index in reversed(range(len(steps))):
        state, live = divmod(int(steps[index][state]), 2)
        cells[index] = live
    return cells


BACKEND = Function(solve, "frontier of two lines along the shorter side")
