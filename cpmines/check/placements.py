"""Placements of mines that a certificate shows, each looked at by the judge."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.check.folder import Files
from cpmines.check.values import board_of
from cpmines.check.verdict import Rejected

__all__ = ["PLACEMENTS", "faults_of_placement", "read_placements"]

PLACEMENTS = "placements.txt"

SHOWN_BY = {
    "mosaic": ("mosaic", "Solution"),
    "reconstruction": ("reconstruction", "Boards"),
    "counting": ("consistency", "Placement"),
    "deduction": ("consistency", "Placement"),
}
"""Whose judge looks at a placement, and as what value."""


def faults_of_placement(problem: str, instance: Any, mines: NDArray[np.bool_]) -> list[str]:
    """What the judge finds wrong with a board of mines for an instance."""
    name, kind = SHOWN_BY[problem]
    module = import_module(f"cpmines.problems.{name}.problem")
    value: Callable[..., Any] = getattr(module, kind)
    faults: list[str] = module.PROBLEM.judge(instance, value(mines))
    return faults


def read_placements(problem: str, instance: Any, files: Files) -> NDArray[np.bool_]:
    """The placements of a certificate, bool of shape (placements, rows, cols), at least one.

    Raises
    ------
    Rejected
        The file is no list of placements, or the judge finds something wrong with one.
    """
    boards = []
    for number, text in enumerate(files.text(PLACEMENTS).split("\n\n"), 1):
        try:
            board = board_of(text.splitlines())
        except ValueError:
            raise Rejected(f"{PLACEMENTS}: placement {number} is no board of * and .") from None
        if faults := faults_of_placement(problem, instance, board):
            raise Rejected(f"{PLACEMENTS}: placement {number}: {faults[0]}")
        boards.append(board)
    return np.stack(boards)
