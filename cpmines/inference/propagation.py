"""Propagation on the board: what follows from one clue at a time, to a fixed point, in linear time."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.grid import OFFSETS
from cpmines.numerals import plural

__all__ = ["Propagated", "decide", "propagate", "steps_around"]

BYTES_PER_CELL = 7


@dataclass(frozen=True)
class Propagated:
    """A position and what propagation says of it.

    Attributes
    ----------
    cells
        What is known: int8, flat with a border of one cell, see `cpmines.inference.kernels.board`.
    need, spare
        int8, same shape: at a clue, how many of its unknown neighbours are mines, and how many are safe. At a
        fixed point both are positive at each open clue.
    mines, unknowns
        Numbers of known mines and of unknown cells.
    open_clues
        Number of clues with unknown neighbours.
    conflict
        Row and column of a clue that can't be met, None if there is none.
    """

    position: Position
    cells: NDArray[np.int8]
    need: NDArray[np.int8]
    spare: NDArray[np.int8]
    mines: int
    unknowns: int
    open_clues: int
    conflict: tuple[int, int] | None

    @property
    def mines_left(self) -> int | None:
        """Mines in unknown cells, None if the position has no total."""
        return None if self.position.mines is None else self.position.mines - self.mines

    def contradiction(self) -> str:
        """Why there is no placement, as far as propagation and simple bounds of the total show; or empty."""
        if self.conflict is not None:
            row, col = self.conflict
            return f"the clue in row {row + 1}, column {col + 1} can't be met"
        left = self.mines_left
        if left is None:
            return ""
        if left < 0:
            return f"{plural(self.mines, 'mine')} known, the total is {self.position.mines}"
        if left > self.unknowns:
            most = plural(self.mines + self.unknowns, "mine")
            return f"at most {most} can be there, the total is {self.position.mines}"
        if self.open_clues and left in (0, self.unknowns):
            return "the clues leave both mines and safe cells open, the total does not"
        return ""

    def others(self, cells: NDArray[np.int32]) -> NDArray[np.bool_]:
        """The unknown cells that are not among `cells`, flat indices; bool (rows * cols,)."""
        rows, cols = self.position.shape
        found: NDArray[np.bool_] = (self.cells.reshape(rows + 2, cols + 2)[1:-1, 1:-1] == UNKNOWN).ravel()
        found[cells] = False
        return found

    def placement(
        self, cells: NDArray[np.int32] | None = None, values: NDArray[np.int8] | None = None
    ) -> NDArray[np.bool_]:
        """The known mines, `values` in `cells` (flat indices), and mines elsewhere to reach the total.

        Every cell beside an open clue must be among `cells`. The unknown cells that are left get mines from
        the first on; without a total they stay empty. bool of shape (rows, cols).
        """
        rows, cols = self.position.shape
        grid = self.cells.reshape(rows + 2, cols + 2)[1:-1, 1:-1]
        mines = np.ascontiguousarray(grid == MINE)
        if cells is not None:
            mines.flat[cells] = values
        if self.position.mines is not None:
            free = np.ascontiguousarray(grid == UNKNOWN)
            if cells is not None:
                free.flat[cells] = False
            lacking = self.position.mines - int(mines.sum())
            mines.flat[np.flatnonzero(free)[:lacking]] = True
        return mines


def steps_around(stride: int) -> NDArray[np.int32]:
    """Distances to the eight neighbours in a flat array whose rows have `stride` entries."""
    return np.array([down * stride + right for down, right in OFFSETS], np.int32)


def propagate(position: Position, limits: Limits) -> Propagated:
    """Propagate the clues of `position` to a fixed point or a conflict.

    A clue that needs none or all of its unknown neighbours decides them; every clue is checked, also those
    without unknown neighbours. Each cell is decided at most once: linear.

    Raises
    ------
    LimitError
    """
    from cpmines.inference.kernels import board as kernels
    from cpmines.kernels.pulse import Pulse

    rows, cols = position.shape
    size = (rows + 2) * (cols + 2)
    limits.require(size * BYTES_PER_CELL, "propagation")
    cells, need, spare = (np.empty(size, np.int8) for _ in range(3))
    queue = np.empty(rows * cols, np.int32)
    counters = np.zeros(5, np.int64)
    kernels.begin(position.cells, cells, need, spare, queue, counters, Pulse(limits.check))
    return _settle(position, cells, need, spare, queue, counters, limits)


def decide(known: Propagated, cell: int, mine: bool, limits: Limits) -> Propagated:
    """What follows if an unknown cell, a flat index on the board, is a mine, or safe.

    Raises
    ------
    LimitError
    """
    from cpmines.inference.kernels import board as kernels

    rows, cols = known.position.shape
    row, col = divmod(cell, cols)
    at = (row + 1) * (cols + 2) + col + 1
    if known.cells[at] != UNKNOWN:
        return known if (known.cells[at] == MINE) == mine else replace(known, conflict=(row, col))
    cells, need, spare = known.cells.copy(), known.need.copy(), known.spare.copy()
    cells[at], taken = (MINE, need) if mine else (kernels.SAFE, spare)
    near = at + steps_around(cols + 2)
    taken[near] -= 1
    due = near[(taken[near] == 0) & (cells[near] < kernels.SAFE)]
    cells[due] |= kernels.QUEUED
    queue, counters = np.empty(rows * cols, np.int32), np.zeros(5, np.int64)
    queue[: len(due)] = due
    counters[kernels.QUEUE], counters[kernels.CONFLICT] = len(due), -1
    counters[kernels.MINES], counters[kernels.UNKNOWNS] = known.mines + mine, known.unknowns - 1
    counters[kernels.OPEN_CLUES] = known.open_clues
    return _settle(known.position, cells, need, spare, queue, counters, limits)


def _settle(
    position: Position,
    cells: NDArray[np.int8],
    need: NDArray[np.int8],
    spare: NDArray[np.int8],
    queue: NDArray[np.int32],
    counters: NDArray[np.int64],
    limits: Limits,
) -> Propagated:
    """Work through the queue, to a fixed point or a conflict."""
    from cpmines.inference.kernels import board as kernels
    from cpmines.kernels.pulse import Pulse

    cols = position.shape[1]
    kernels.propagate(steps_around(cols + 2), cells, need, spare, queue, counters, Pulse(limits.check))
    limits.check()
    place = int(counters[kernels.CONFLICT])
    return Propagated(
        position,
        cells,
        need,
        spare,
        mines=int(counters[kernels.MINES]),
        unknowns=int(counters[kernels.UNKNOWNS]),
        open_clues=int(counters[kernels.OPEN_CLUES]),
        conflict=None if place < 0 else (place // (cols + 2) - 1, place % (cols + 2) - 1),
    )
