"""The most mines on a board by tables of bounds, one for each number of cells that are placed.

The cells are placed along the shorter side, line after line. What later cells can still meet of those before
is the *state*: four bits for each of the last `width` + 1 cells, the newest lowest,

- 0: there is none, or all cells around it are placed;
- 1: a mine beside an empty cell;
- 2: a mine that still needs an empty cell;
- 3 + k: an empty cell that can bear k more mines, at most as many as it has cells around that are not placed.

A table gives, for the states in ascending order, one more than a bound on the mines that the cells not yet
placed can have, or 0 where no way goes on. It is right if no way of placing the next cell gains more than the
difference of two bounds.
"""

from __future__ import annotations

import io
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.check.verdict import Rejected

__all__ = ["BOUNDS", "WIDEST", "BoundTables", "check_frontier"]

BOUNDS = "bounds.npz"
WIDEST = 15
"""Cells of the shorter side that fit into the 64 bits of a state."""

DAMAGES = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What reading an ``.npz`` file raises that is none, or not whole."""

States = NDArray[np.uint64]

DONE, MINE, NEEDY, EMPTY = (np.uint64(code) for code in range(4))


@dataclass(frozen=True)
class BoundTables:
    """The states of a board of `lines` lines of `width` cells, on which empty cells bear `around` mines."""

    lines: int
    width: int
    around: int

    @classmethod
    def of(cls, rows: int, cols: int, around: int) -> BoundTables:
        """The board turned so that its lines are the shorter side."""
        return cls(max(rows, cols), min(rows, cols), around)

    @property
    def cells(self) -> int:
        return self.lines * self.width

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

    def layers(self) -> Iterator[States]:
        """The states that can occur before each cell, and after the last, ascending."""
        states = np.zeros(1, np.uint64)
        yield states
        for cell in range(self.cells):
            after = [reached[allowed] for _, reached, allowed in self.step(states, cell)]
            states = np.unique(np.concatenate(after))
            yield states


def _shift(cells_back: int) -> np.uint64:
    return np.uint64(4 * cells_back)


def check_frontier(frontier: BoundTables, data: bytes, most: int) -> str:
    """Check that the tables in `data` show that no board has more than `most` mines.

    Raises
    ------
    Rejected
    """
    if frontier.width > WIDEST:
        raise Rejected(f"{BOUNDS}: a shorter side of {frontier.width} cells, tables have at most {WIDEST}")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as tables:
            return _check_tables(frontier, tables, most)
    except DAMAGES as error:
        raise Rejected(f"{BOUNDS} is damaged: {type(error).__name__} {error}") from None


def _check_tables(frontier: BoundTables, tables: np.lib.npyio.NpzFile, most: int) -> str:
    count = 0
    layers = frontier.layers()
    states, bounds = next(layers), _table(tables, 0, frontier, 1)
    if bounds[0] > most + 1:
        raise Rejected(f"{BOUNDS} shows {bounds[0] - 1} mines at most, claimed are {most}")
    for cell, after in enumerate(layers):
        next_bounds = _table(tables, cell + 1, frontier, len(after))
        for gain, reached, allowed in frontier.step(states, cell):
            bound = next_bounds[np.searchsorted(after, reached[allowed])]
            if ((bound > 0) & (bounds[allowed] < bound + gain)).any():
                line, place = divmod(cell, frontier.width)
                raise Rejected(f"{BOUNDS}: a bound before line {line + 1}, place {place + 1} is too small")
        count += len(states)
        states, bounds = after, next_bounds
    if (bounds < 1).any():
        raise Rejected(f"{BOUNDS}: a bound after the last cell is too small")
    return f"the {count} bounds in {frontier.cells} tables hold for each next cell: at most {most} mines"


def _table(tables: np.lib.npyio.NpzFile, cell: int, frontier: BoundTables, states: int) -> NDArray[np.int64]:
    table = tables[f"before_{cell}"]
    if table.dtype.kind != "u" or table.shape != (states,):
        raise Rejected(f"{BOUNDS}: the table before cell {cell + 1} is no list of {states} bounds")
    if (largest := table.max()) > frontier.cells + 1:  # beside it, a bound and a gain can't overflow
        raise Rejected(
            f"{BOUNDS}: a bound of {largest - 1} mines before cell {cell + 1}, on {frontier.cells}"
        )
    return table.astype(np.int64)
