"""The shown sums of a mosaic as clues, for explanations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Status, Stop
from cpmines.board import UNKNOWN
from cpmines.clues import ClueBoard, Clues
from cpmines.errors import LimitError
from cpmines.problems.mosaic.problem import GAP, Puzzle

__all__ = ["CLUES"]


def board(puzzle: Puzzle) -> ClueBoard:
    return ClueBoard(np.where(puzzle.sums == GAP, np.int8(UNKNOWN), puzzle.sums), own=True)


def consistent(puzzle: Puzzle, limits: Limits) -> bool:
    from cpmines.problems.mosaic.backends import direct

    return direct.board(puzzle, limits).status is not Status.INFEASIBLE


def certain(puzzle: Puzzle, limits: Limits) -> NDArray[np.int8] | None:
    from cpmines.problems.mosaic.backends import direct

    answer = direct.in_full(puzzle, limits, question="forced")
    if answer.value is not None and answer.value.forced is None:
        raise LimitError(Stop.MEMORY_LIMIT, f"the forced cells: {answer.note}")
    return None if answer.value is None else answer.value.forced


CLUES = Clues(Puzzle, board, consistent, certain)
