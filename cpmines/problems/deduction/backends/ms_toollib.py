"""What the probabilities of ms-toollib decide: a Rust engine for programs around Minesweeper.

With a total and a placement its probabilities are right on every board that was compared. It differs

- without a total: it takes a share of mines, and rounds that to a total of its own;
- on known mines: it takes them for marks of a player, and drops those that the clues do not force;
- on boards without a placement: it does not look at clues that have no unknown neighbour, and not always at
  the total.

The first two are declined here; the last is why the backend is labelled unreliable.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.errors import EngineError
from cpmines.numerals import plural
from cpmines.problem import Function, Trust
from cpmines.problems.deduction.problem import Deductions

__all__ = ["BACKEND", "probabilities", "solve"]

HIDDEN = 10
CERTAIN = 1e-9
"""How near to 0 or 1 counts as certain; the least probability of an open cell of a game is far above it."""


def probabilities(position: Position, total: int) -> NDArray[np.float64] | None:
    """Probabilities of a mine, float64 (rows, cols), of a position with a total and without known mines.

    None if ms-toollib finds no placement. It knows no limits.
    """
    import ms_toollib

    codes = np.where(position.cells == UNKNOWN, HIDDEN, position.cells).tolist()
    try:
        found, _ = ms_toollib.cal_probability_onboard(codes, total)
    except RuntimeError:
        return None
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # of a Rust library, and no Exception
            raise EngineError(f"ms-toollib broke off: {error}") from error
        raise
    return np.array(found)


def solve(position: Position, limits: Limits) -> Answer[Deductions]:
    if not position.mines:
        return Answer.declined("ms-toollib needs the total number of mines, at least 1")
    if known := int((position.cells == MINE).sum()):
        return Answer.declined(f"{plural(known, 'known mine')}, which ms-toollib takes for a player's marks")
    limits.check()
    found = probabilities(position, position.mines)
    if found is None:
        return Answer.infeasible()
    state = np.where(found < CERTAIN, 0, np.where(found > 1 - CERTAIN, 1, -1)).astype(np.int8)
    return Answer.solved(Deductions.of(position, state))


BACKEND = Function(
    solve, "the Rust engine of ms-toollib", Trust.UNRELIABLE, packages=("ms-toollib",), extra="peers"
)
