"""Kernels of `_strips`: the most mines that a strip can get below a line, backwards cell by cell.

A state of a strip is one of the frontier (see `_steps`) with the strip's width, and tables are indexed by it.
Most indices are no states: only the newest cell may get `SIDEWAYS` mines, and no cell has code 7.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel
from cpmines.problems.maxmines import _steps

__all__ = ["back", "last_line"]

BITS = _steps.BITS
CODE = (1 << _steps.BITS) - 1
NEEDS = _steps.NEEDS
CONTENT = _steps.CONTENT
SIDEWAYS = 4
"""The most neighbours to come: of the newest cell, if it is not the last of its line."""
DEAD = -10_000


@kernel
def impossible(state: int, firsts: int) -> bool:
    """Is a code 7, or `SIDEWAYS` but for the newest cell? `firsts` has the lowest bit of each cell's code."""
    second, third = state >> 1, state >> 2
    return (state & second & third & firsts) | (~state & ~second & third & (firsts & ~1)) != 0


@kernel
def last_line(table: NDArray[np.int16], width: int, left: bool, right: bool) -> None:
    """The table with no line to come: 0, or `DEAD` if a mine away from the cuts has no empty neighbour."""
    for state in range(len(table)):
        table[state] = 0
        for place in range(left, width - right):
            if (state >> (BITS * (width - 1 - place))) & CODE == NEEDS:
                table[state] = DEAD


@kernel
def after(
    state: int, near: NDArray[np.int64], done: NDArray[np.bool_], at_cut: bool, mine: bool, most: int
) -> int:
    """The state after one more cell, -1 if it breaks a rule.

    `near` has the shifts of the cell's neighbours, `done` tells which of them must have an empty one by now.
    """
    mines = 0
    code = CONTENT if at_cut else NEEDS
    for k in range(len(near)):
        shift = near[k]
        cell = (state >> shift) & CODE
        if mine and cell < NEEDS:
            if cell == 0:
                return -1
            state -= 1 << shift
            code = CONTENT
        elif mine and cell == NEEDS and done[k]:
            return -1
        elif not mine and cell >= NEEDS:
            mines += 1
            state += (CONTENT - cell) << shift
        elif cell == SIDEWAYS:
            state -= 1 << shift
    if not mine:
        if mines > most:
            return -1
        code = min(most - mines, SIDEWAYS)
    return (state << BITS) | code


@kernel
def back(
    table: NDArray[np.int16],
    before: NDArray[np.int16],
    width: int,
    place: int,
    left: bool,
    right: bool,
    most: int,
) -> None:
    """Fill `before` from `table`, that after the cell at `place`; both of shape (8^(width + 1),)."""
    near = np.empty(4, np.int64)
    done = np.zeros(4, np.bool_)
    count = 0
    if place > 0:
        near[0], near[1] = 0, BITS * width
        done[1] = place > int(left)
        count = 2
    near[count] = BITS * (width - 1)
    done[count] = place == width - 1 and not right and place >= int(left)
    count += 1
    if place < width - 1:
        near[count] = BITS * (width - 2)
        count += 1
    at_cut = (left and place == 0) or (right and place == width - 1)
    firsts = (len(before) - 1) // CODE
    for state in range(len(before)):
        best = np.int64(DEAD)
        for mine in range(0 if impossible(state, firsts) else 2):
            then = after(state, near[:count], done[:count], at_cut, mine == 1, most)
            if then >= 0:
                best = max(best, np.int64(table[then & (len(table) - 1)]) + mine)
        before[state] = max(best, np.int64(DEAD))
