"""One pass over the whole board with running column sums, compiled."""

from __future__ import annotations

import numpy as np

from cpmines.answer import Answer, Limits
from cpmines.board import Board
from cpmines.problem import Function
from cpmines.problems.validation.problem import Validity

__all__ = ["BACKEND", "solve"]


def solve(board: Board, limits: Limits) -> Answer[Validity]:
    """Linear time; memory: one byte a column, and 16 bytes a wrong cell."""
    from cpmines.kernels.pulse import Pulse
    from cpmines.problems.validation.kernels import wrong as kernels

    pulse = Pulse(limits.check)
    wrong_by_row = kernels.count_wrong(board.cells, pulse)
    total = int(wrong_by_row.sum())
    limits.require(16 * total, "the list of wrong cells")
    wrong = np.empty((total, 4), np.int32)
    if total:
        kernels.list_wrong(board.cells, wrong_by_row, wrong, pulse)
    return Answer.solved(Validity.of(wrong))


def valid(board: Board, limits: Limits) -> Answer[Validity]:
    """The same without the list."""
    from cpmines.kernels.pulse import Pulse
    from cpmines.problems.validation.kernels import wrong as kernels

    return Answer.solved(Validity(not kernels.count_wrong(board.cells, Pulse(limits.check)).any()))


BACKEND = Function(
    {"wrong": solve, "valid": valid},
    "running column sums over the whole board",
    packages=("numpy",),
)
