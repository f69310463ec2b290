"""Validation: 100 million cells in memory against scipy's convolution, and a text file end to end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks import Case
from cpmines.answer import Limits
from cpmines.board import MINE, Board
from cpmines.grid import neighbour_counts
from cpmines.problems.validation import generate
from cpmines.problems.validation.backends import direct
from cpmines.run import warm_up

__all__ = ["cases"]


def convolve(board: Board) -> int:
    """Number of wrong cells by `scipy.ndimage.convolve`."""
    from scipy.ndimage import convolve as scipy_convolve

    around = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], np.int8)
    mines = (board.cells == MINE).view(np.int8)
    counts = scipy_convolve(mines, around, mode="constant")
    return int(((board.cells >= 0) & (board.cells != counts)).sum())


def slices(board: Board) -> int:
    """Number of wrong cells by shifted slices in numpy."""
    counts = neighbour_counts(board.cells == MINE)
    return int(((board.cells >= 0) & (board.cells != counts)).sum())


def wrong(board: Board) -> int:
    answer = direct.solve(board, Limits())
    assert answer.value is not None
    assert answer.value.wrong is not None
    return len(answer.value.wrong)


def cases(scale: float) -> Iterator[Case]:
    warm_up("validation", "direct")
    side = int(10_000 * scale**0.5)
    board = generate.finished(np.random.default_rng(1), side, side, wrong=5)

    def equal(first: Any, second: Any) -> bool:
        return bool(first == second)

    yield Case(
        f"{side} x {side} from memory",
        {
            "direct": lambda: wrong(board),
            "numpy slices": lambda: slices(board),
            "scipy convolve": lambda: convolve(board),
        },
        equal,
        side * side,
    )
    text = str(board).encode()
    yield Case(f"{side} x {side} from text", {"direct": lambda: wrong(Board.parse(text))}, None, side * side)
