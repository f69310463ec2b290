"""The analyser: takes clues as a game goes on, and answers again after each."""

from __future__ import annotations

from fractions import Fraction
from operator import index
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import ArrayLike

from cpmines.analysis.analysis import Analysis
from cpmines.analysis.arrays import make_room, new_state, new_work
from cpmines.analysis.snapshot import Snapshot
from cpmines.answer import Limits
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.errors import UsageError
from cpmines.grid import require_cell
from cpmines.inference.cases import answers
from cpmines.numerals import plural
from cpmines.positions.problem import density_of

__all__ = ["Analyser", "analyse"]

Density = float | Fraction | str
"""A fraction may be written as text: 1/5."""

BYTES_PER_CELL = 250
BYTES_PER_STATE = 160
FIRST_STATES, MOST_STATES = 1 << 11, 1 << 18
COMPONENTS_PER_SLICE = 1000
MOST_ODDS = 1e300
"""Of a mine, either way: there are no floats for larger ones."""
MOST_CELLS = 1 << 20
"""Larger boards go to the general engine at once."""


class Analyser:
    """A position that grows clue by clue, analysed exactly at any moment.

    After a clue only the components that it touches are solved again. An instance may be shared by threads.

    Parameters
    ----------
    rows, cols
        Size of the board, which is unknown at first.
    mines
        Mines on the board; None if that is not known.
    density
        Without `mines`: the probability of a mine in each cell by itself, between 0 and 1. If neither is
        given, all placements are equally likely.
    limits
        Conditions of each call of `analyse`, with all that is asked of the analysis afterwards.

    Raises
    ------
    UsageError
        No such board.
    LimitError
        It does not fit into the memory limit.

    >>> analyser = Analyser(2, 3, mines=1)
    >>> analyser.reveal(0, 0, 1)
    >>> analyser.reveal(0, 2, 0)
    >>> analyser.analyse().mines
    [(1, 0)]
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        mines: int | None = None,
        *,
        density: Density | None = None,
        limits: Limits | None = None,
    ) -> None:
        rows, cols, self.mines, self.density = checked(rows, cols, mines, density)
        self.limits = Limits() if limits is None else limits
        self.limits.require(rows * cols * BYTES_PER_CELL, "the analyser")
        self.cells = np.full((rows, cols), UNKNOWN, np.int8)
        self._state = new_state(rows, cols)
        self._work = new_work(rows, cols, FIRST_STATES)
        self._lock = Lock()

    @property
    def shape(self) -> tuple[int, int]:
        rows, cols = self.cells.shape
        return rows, cols

    def reveal(self, row: int, col: int, clue: int) -> None:
        """Take a clue, 0 to 8, or `MINE`.

        Raises
        ------
        UsageError
            No such cell or clue, or the cell shows something else already.
        """
        from cpmines.analysis.kernels.clues import reveal

        row, col, clue = whole(row, "row"), whole(col, "column"), whole(clue, "the clue")
        require_cell(row, col, self.shape)
        if not MINE <= clue <= 8:
            raise UsageError(f"the clue {clue}, expected 0 to 8, or {MINE} for a mine")
        with self._lock:
            shown = self.cells[row, col]
            if shown not in (UNKNOWN, clue):
                raise UsageError(f"row {row}, column {col} shows {shown} already, got {clue}")
            self.cells[row, col] = clue
            reveal(self._state, (row + 1) * (self.shape[1] + 2) + col + 1, clue)

    def update(self, cells: ArrayLike) -> None:
        """Take all that is new on a board.

        Parameters
        ----------
        cells
            (rows, cols): clues 0-8, `MINE`, `UNKNOWN`. What was shown before is still shown.

        Raises
        ------
        UsageError
            Another shape, another code, or something that was shown is not.
        """
        from cpmines.analysis.kernels.clues import update

        board = as_position(cells).cells
        if board.shape != self.shape:
            raise UsageError(f"cells of shape {board.shape}, expected {self.shape}")
        with self._lock:
            if ((self.cells != UNKNOWN) & (self.cells != board)).any():
                raise UsageError("a cell that was shown is hidden or shows something else")
            self.cells[:] = board
            update(self._state, self.cells)

    def analyse(self) -> Analysis | None:
        """Everything on the present position; None if there is no placement.

        Raises
        ------
        LimitError
            It takes more than the limits allow.
        """
        with self._lock:
            limits = self.limits.begin()
            if not self._refresh(limits):
                return None
            return self._answer(limits)

    def _refresh(self, limits: Limits) -> bool:
        """Solve what has changed; false if the clues contradict each other."""
        from cpmines.analysis.kernels import refresh as kernels
        from cpmines.analysis.kernels.state import CONFLICT
        from cpmines.kernels.pulse import Pulse

        state, pulse = self._state, Pulse(limits.check)
        while True:
            last_try = len(self._work.states) >= MOST_STATES
            outcome = kernels.refresh(state, self._work, COMPONENTS_PER_SLICE, last_try, pulse)
            if outcome == kernels.DONE:
                return not state.counters[CONFLICT]
            limits.check()
            if outcome == kernels.STORE_FULL:
                make_room(state, limits)
            elif outcome == kernels.WORK_FULL:
                size = 4 * len(self._work.states)
                limits.require(size * BYTES_PER_STATE, "the frontier")
                self._work = new_work(*self.shape, size)

    def _answer(self, limits: Limits) -> Analysis | None:
        from cpmines.analysis.kernels import combine as kernels
        from cpmines.analysis.kernels import state as fields
        from cpmines.kernels.pulse import Pulse

        state, cells = self._state, self.cells.copy()
        cells.setflags(write=False)
        probability, states = np.empty(cells.shape), np.empty(cells.shape, np.int8)
        total = -1 if self.mines is None else self.mines
        odds = Fraction(1) if self.density is None else self.density / (1 - self.density)
        if not 1 / MOST_ODDS < odds < MOST_ODDS:
            return general(Position(cells, self.mines), self.density, limits)
        out = kernels.Combination(probability.reshape(-1), states.reshape(-1), cells.shape[1])
        outcome, chance = kernels.answer(state, out, total, float(odds), Pulse(limits.check))
        if outcome == kernels.IMPOSSIBLE:
            return None
        if outcome == kernels.GENERAL:
            return general(Position(cells, self.mines), self.density, limits)
        counters = np.asarray(state.counters).tolist()
        details = Snapshot(
            np.array(state.table[: counters[fields.COMPONENTS]]),
            np.array(state.ints[: counters[fields.INTS]]),
            np.array(state.reals[: counters[fields.REALS]]),
            counters[fields.UNKNOWNS] - counters[fields.TOUCHING],
            counters[fields.MINES],
            cells,
            self.mines,
            self.limits,
            [0.0 if limits.seconds is None else limits.seconds - limits.left()],
        )
        return Analysis(cells, self.mines, probability, states, chance, details)


def whole(number: int, what: str) -> int:
    """An int for an integer of any kind. Raises `UsageError` for anything else."""
    try:
        return index(number)
    except TypeError:
        raise UsageError(f"{what} {number!r}, expected a whole number") from None


def checked(
    rows: int, cols: int, mines: int | None, density: Density | None
) -> tuple[int, int, int | None, Fraction | None]:
    """The arguments as plain numbers. Raises `UsageError` unless there is such a board."""
    rows, cols = whole(rows, "rows"), whole(cols, "columns")
    mines = None if mines is None else whole(mines, "mines")
    chance = None if density is None else density_of(density)
    if rows < 1 or cols < 1:
        raise UsageError(f"a board of {rows} x {cols}, expected at least 1 row and 1 column")
    if mines is not None and not 0 <= mines <= rows * cols:
        raise UsageError(f"{plural(mines, 'mine')}, expected 0 to {rows * cols} on a {rows} x {cols} board")
    if chance is not None and mines is not None:
        raise UsageError("both a number of mines and a density, expected one of them")
    return rows, cols, mines, chance


def general(position: Position, density: Fraction | None, limits: Limits) -> Analysis | None:
    """The analysis of any position by the general engine."""
    found = answers(position, limits, density=density)
    if found is None:
        return None
    chances = found.probability.reshape(-1)[found.free_cells]
    chance = float(chances[0]) if len(chances) else 0.0
    return Analysis(position.cells, position.mines, found.probability, found.state, chance, found)


def analyse(
    board: Position | ArrayLike | str | bytes | Path,
    mines: int | None = None,
    *,
    density: Density | None = None,
    time_limit: float | None = None,
    memory_limit: int = Limits.memory,
) -> Analysis | None:
    """Certain cells, probabilities and counts of one position; None if there is no placement.

    Parameters
    ----------
    board
        A `Position`, its text, a file with it, or an array (rows, cols) of clues 0-8, `MINE` and `UNKNOWN`.
    mines, density
        See `Analyser`; a number of mines replaces that of the board.
    time_limit, memory_limit
        Seconds and bytes.

    Raises
    ------
    InputError
        The text can't be read as a position.
    UsageError
        No such cells, mines or density.
    LimitError
        It takes more than the limits allow.

    >>> analyse("1 3\\n.1.\\n").probability.tolist()
    [[0.5, 0.0, 0.5]]
    """
    position = as_position(board)
    total = position.mines if mines is None else mines
    limits = Limits(time_limit, memory_limit)
    if position.cells.size > MOST_CELLS:
        _, _, total, chance = checked(*position.shape, total, density)
        return general(Position(position.cells, total), chance, limits.begin())
    analyser = Analyser(*position.shape, total, density=density, limits=limits)
    analyser.update(position.cells)
    return analyser.analyse()


def as_position(board: Position | ArrayLike | str | bytes | Path) -> Position:
    if isinstance(board, Position):
        return board
    if isinstance(board, Path):
        from cpmines.files import read

        return Position.parse(read(board), str(board))
    if isinstance(board, (str, bytes)):
        return Position.parse(board, "text")
    try:
        return Position(np.asarray(board))
    except ValueError as error:
        raise UsageError(str(error)) from None
