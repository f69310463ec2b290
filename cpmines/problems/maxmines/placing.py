"""A board filled cell by cell, for tables of bounds that are checked; it shares nothing with `frontier`.

The cells are placed along the shorter side, line after line. What later cells can still meet of those before
is the *state*: four bits for each of the last `width` + 1 cells, the newest lowest,

- 0: there is none, or all cells around it are placed;
- 1: a mine beside an empty cell;
- 2: a mine that still needs an empty cell;
- 3 + k: an empty cell that can bear k more mines, at most as many as it has cells around that are not placed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.demands.tables import States

__all__ = ["WIDEST", "Placing"]

WIDEST = 15
"""Cells of the shorter side that fit into the 64 bits of a state."""

DONE, MINE, NEEDY, EMPTY = (np.uint64(code) for code in range(4))


@dataclass(frozen=True)
class Placing:
    """The states of a board of `lines` lines of `width` cells, on which empty cells bear `around` mines."""

    lines: int
    width: int
    around: int

    @classmethod
    def of(cls, rows: int, cols: int, around: int) -> Placing:
        """The board turned so that its lines are the shorter side."""
        return cls(max(rows, cols), min(rows, cols), around)

    @property
    def cells(self) -> int:
        return self.lines * self.width

    @property
    def too_large(self) -> str:
        if self.width <= WIDEST:
            return ""
        return f"a shorter side of {self.width} cells; tables of bounds have at most {WIDEST}"

    def neighbours(self, cell: int) -> list[int]:
        """The cells around one, in the order of placing."""
        line, place = divmod(cell, self.width)
        return [
            near_line * self.width + near
            for near_line in range(max(0, line - 1), min(self.lines, line + 2))
            for near in range(max(0, place - 1), min(self.width, place + 2))
            if (near_line, near) != (line, place)
        ]

    def step(self, states: States, cell: int) -> Iterator[tuple[int, States, NDArray[np.bool_]]]:
        """For `cell` without and with a mine: the gain, the next states, and which of them are allowed."""
        before = [near for near in self.neighbours(cell) if near < cell]
        codes = {near: states >> _shift(cell - 1 - near) & np.uint64(15) for near in before}
        zero = np.zeros(len(states), np.uint64)
        mines = sum(((code == MINE) | (code == NEEDY) for code in codes.values()), zero)
        empties = sum((code >= EMPTY for code in codes.values()), zero)
        spare = np.uint64(self.around) - np.minimum(mines, np.uint64(self.around))
        yield self._next(states, cell, codes, EMPTY + spare, mines <= self.around, mine=False)
        placed = np.where(empties > 0, MINE, NEEDY)
        yield self._next(states, cell, codes, placed, np.ones(len(states), np.bool_), mine=True)

    def _next(
        self,
        states: States,
        cell: int,
        codes: dict[int, States],
        placed: States,
        allowed: NDArray[np.bool_],
        *,
        mine: bool,
    ) -> tuple[int, States, NDArray[np.bool_]]:
        found = states
        for near, code in codes.items():
            if mine:
                allowed = allowed & (code != EMPTY)
                changed = np.where(code > EMPTY, code - np.uint64(1), code)
            else:
                changed = np.where(code == NEEDY, MINE, code)
            changed, alive = self._settle(changed, near, cell)
            allowed = allowed & alive
            found = found ^ ((code ^ changed) << _shift(cell - 1 - near))
        placed, alive = self._settle(placed, cell, cell)
        mask = np.uint64((1 << 4 * (self.width + 1)) - 1)
        return int(mine), (found << np.uint64(4) | placed) & mask, allowed & alive

    def _settle(self, code: States, of: int, cell: int) -> tuple[States, NDArray[np.bool_]]:
        """The code of the cell `of` once `cell` is placed, and whether it can still become right."""
        left = sum(near > cell for near in self.neighbours(of))
        if left == 0:
            return np.zeros_like(code), code != NEEDY
        return np.minimum(code, EMPTY + np.uint64(left)), np.ones(len(code), np.bool_)

    def place(self, cell: int) -> str:
        line, place = divmod(cell, self.width)
        return f"line {line + 1}, place {place + 1}"


def _shift(cells_back: int) -> np.uint64:
    return np.uint64(4 * cells_back)
