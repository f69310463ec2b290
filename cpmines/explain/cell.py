"""Why a cell is certain: the fewest clues that force it. Or why it is not: a placement for either value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.board import MINE
from cpmines.clues import Clue, ClueBoard
from cpmines.errors import LimitError, UsageError, WrongAnswerError
from cpmines.explain.argument import argue
from cpmines.explain.check import verified
from cpmines.explain.clues import ball, holders, matters
from cpmines.explain.explainable import Explainable
from cpmines.explain.minimal import GaveUpError, shrink, smallest
from cpmines.explain.oracle import Assumed, ClueOracle, Mask
from cpmines.explain.results import Certain, Open

__all__ = ["explain_cell"]

ATTEMPTS = 3000
"""Sets of clues that are tried, a few seconds of work, before a set is given that may not be a smallest."""


def explain_cell(board: Any, row: int, col: int, *, limits: Limits | None = None) -> Certain | Open:
    """The fewest clues that force the cell in `row` and `col`, from 0; or two placements that show it open.

    Raises
    ------
    UsageError
        There is no such cell, or it is known; or the board has no placement.
    LimitError, EngineError, WrongAnswerError
        See `explain_conflict`.

    >>> from cpmines.board import Position
    >>> found = explain_cell(Position.parse("1 4\\n.1..\\n"), 0, 3)
    >>> found.with_mine.astype(int).tolist(), found.without.astype(int).tolist()
    ([[1, 0, 0, 1]], [[1, 0, 0, 0]])
    """
    limits = (limits or Limits()).begin()
    subject = Explainable.of(board)
    cell, clues = unknown_cell(subject.board, row, col), subject.board.clues_within(limits)
    with ClueOracle(clues, limits) as oracle:
        everything = range(len(clues))
        with_mine, without = (oracle.find(everything, ((cell, mine),)) for mine in (True, False))
        if with_mine is None and without is None:
            raise UsageError("the board has no placement, so there is nothing that a cell could be")
        if with_mine is not None and without is not None:
            placements = (
                spread(subject, oracle, *pair) for pair in ((with_mine, cell, True), (without, cell, False))
            )
            return Open(cell, *placements)
        mine = without is None
        chosen, proved = fewest(clues, oracle, cell, mine)
    found = [clues[index] for index in chosen]
    certain = Certain(cell, mine, tuple(found), proved, argue(found, {cell: mine}))
    verified(subject, certain, Limits(memory=limits.memory))
    return certain


def unknown_cell(board: ClueBoard, row: int, col: int) -> int:
    """Flat index of a cell that can be asked about. Raises `UsageError`."""
    rows, cols = board.shape
    name = f"row {row + 1}, column {col + 1}"
    if not (0 <= row < rows and 0 <= col < cols):
        raise UsageError(f"{name} is not on the board of {rows} x {cols}")
    if (cell := row * cols + col) not in board.unknown:
        code = int(board.codes[row, col])
        raise UsageError(
            f"{name} is {'a known mine' if code == MINE else f'the clue {code}'}, expected an unknown cell"
        )
    return cell


def fewest(clues: Sequence[Clue], oracle: ClueOracle, cell: int, mine: bool) -> tuple[list[int], bool]:
    """Indices of the fewest clues that force the cell, and whether that they are the fewest is proved."""
    opposite: Assumed = ((cell, not mine),)
    if oracle.find(oracle.local, opposite) is None:
        chosen = shrink(oracle, oracle.core, opposite)
    else:
        oracle.find(range(len(clues)), opposite)
        chosen = shrink(oracle, sorted(oracle.core), opposite)
    try:
        near = ball(clues, holders(clues), [cell], len(chosen) - 1)
        chosen = smallest(oracle, near, range(1, len(chosen)), opposite, ATTEMPTS) or chosen
        if oracle.total is not None and matters(clues[oracle.total], len(chosen) - 1):
            everything = range(len(clues))
            chosen = smallest(oracle, everything, range(1, len(chosen)), opposite, ATTEMPTS) or chosen
    except GaveUpError:
        return chosen, False
    except LimitError as limit:
        if limit.stop != Stop.TIME_LIMIT:
            raise
        return chosen, False
    return chosen, True


def spread(
    subject: Explainable, oracle: ClueOracle, values: Mask, cell: int, mine: bool
) -> NDArray[np.bool_]:
    """A placement, bool (rows, cols), from values of the cells that are counted; checked by the rules."""
    board = subject.board
    mines: NDArray[np.bool_] = board.codes == MINE
    mines.flat[oracle.cells] = values
    mines.flat[cell] = mine
    if oracle.total is not None and board.total is not None:
        free = np.setdiff1d(board.unknown, np.append(oracle.cells, cell))
        mines.flat[free[: board.total - int(mines.sum())]] = True
    wrong = subject.faults(mines)
    if wrong or mines.flat[cell] != mine:
        raise WrongAnswerError(f"a placement breaks the rules: {'; '.join(wrong)}")
    return mines
