"""How the frontier of `direct` places a cell: the codes of a state, and which cells touch which.

A state packs the last width + 1 cells, `BITS` bits each, the newest cell lowest. The code of an empty cell
is the number of mines that it may still get, at most the number of its neighbours to come; that of a mine is
`NEEDS` (no empty neighbour yet) or `CONTENT`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["BITS", "CONTENT", "NEEDS", "WIDEST", "FrontierStep", "Sides", "beyond", "line_steps"]

# Compiled into the kernels, whose cache on disk follows kernels.py alone: a change here must touch it too.
BITS = 3
NEEDS = 5
CONTENT = 6
WIDEST = 64 // BITS - 1
"""The longest line whose states fit into 64 bits."""


@dataclass(frozen=True)
class Sides:
    """Which sides of a rectangle are open: cells may follow there, of which nothing is known."""

    top: bool = False
    bottom: bool = False
    left: bool = False
    right: bool = False


CLOSED = Sides()


@dataclass(frozen=True)
class FrontierStep:
    """How one cell is placed; the fields are the arguments of `kernels.advance`."""

    better: NDArray[np.uint64]
    near: NDArray[np.uint64]
    left: NDArray[np.uint64]
    keep: np.uint64
    mine: np.uint64


def neighbours(width: int, length: int, cell: int) -> list[int]:
    """The neighbours of a cell; cells are numbered line by line."""
    line, place = divmod(cell, width)
    return [
        near_line * width + near_place
        for near_line in range(max(line - 1, 0), min(line + 2, length))
        for near_place in range(max(place - 1, 0), min(place + 2, width))
        if (near_line, near_place) != (line, place)
    ]


def step(width: int, length: int, cell: int, sides: Sides = CLOSED) -> FrontierStep:
    """The step that places `cell` after all cells before it.

    A mine at an open side may have its empty neighbour beyond it, so it is content from the start.
    """

    def to_come(placed: int, first: int) -> int:
        around = neighbours(width, length, placed) if placed >= 0 else []
        return sum(near >= first for near in around)

    line, place = divmod(cell, width)
    across = (sides.left and place == 0) or (sides.right and place == width - 1)
    at_open = across or (sides.top and line == 0) or (sides.bottom and line == length - 1)
    near = [placed for placed in neighbours(width, length, cell) if placed < cell]
    kept = width if place == width - 1 else width + 1
    return FrontierStep(
        better=np.array([changes(k, to_come(cell - 1 - k, cell)) for k in range(width + 1)], np.uint64),
        near=np.array([BITS * (cell - 1 - placed) for placed in near], np.uint64),
        left=np.array([to_come(placed, cell + 1) for placed in [*near, cell]], np.uint64),
        keep=np.uint64((1 << BITS * kept) - 1),
        mine=np.uint64(CONTENT if at_open else NEEDS),
    )


def changes(place: int, to_come: int) -> list[int]:
    """What to add to a state to replace each code of the cell at `place` by the next better one, 0 for none.

    The best code is that of an empty cell that may get as many mines as it has neighbours to come.
    """
    codes = range(1 << BITS)
    next_better = [code + 1 if code < to_come else code for code in codes]
    next_better[NEEDS], next_better[CONTENT] = CONTENT, to_come
    return [(next_better[code] - code << BITS * place) % (1 << 64) for code in codes]


@cache
def line_steps(width: int, length: int, sides: Sides = CLOSED) -> list[list[FrontierStep]]:
    """The steps of each line. All lines of a long board but the first and last are as the middle one of 3."""
    return [[step(width, length, line * width + k, sides) for k in range(width)] for line in range(length)]


@cache
def beyond(width: int) -> list[FrontierStep]:
    """The steps of a line of which nothing is asked; it is only known by what it does to the line before.

    With at most `ANY` mines around its empty cells, all states that are left differ in the line's mines
    alone. Those are kept apart, so its own cells are never replaced by better ones.
    """
    steps = line_steps(width, 3, Sides(bottom=True))[-1]
    return [replace(step, better=_without_first(step.better, place)) for place, step in enumerate(steps)]


def _without_first(better: NDArray[np.uint64], count: int) -> NDArray[np.uint64]:
    changed = better.copy()
    changed[:count] = 0
    return changed


ANY = 8 + 8
"""So many mines around an empty cell leave it room for more, wherever it is."""
