"""End to end, by `cpmines.run`: validation, consistency, deduction, counting on large boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.consistency import decide
from benchmarks.deduction import deduce
from benchmarks.paired import Work
from benchmarks.paired.works import shrunk
from benchmarks.validation import wrong
from cpmines.answer import Limits
from cpmines.board import Board
from cpmines.positions import generate
from cpmines.problems.validation.generate import finished
from cpmines.run import run

__all__ = ["works"]

Function = Callable[[], Any]


def checking(side: int) -> Function:
    return partial(wrong, finished(np.random.default_rng(1), side, side, wrong=5))


def reading(side: int) -> Function:
    text = str(finished(np.random.default_rng(1), side, side, wrong=5)).encode()
    return lambda: wrong(Board.parse(text))


def solved(problem: str, side: int, share: float, total: bool = False) -> Function:
    position = generate.revealed(np.random.default_rng(side), side, side, share=share, total=total)
    if problem == "consistency":
        return lambda: decide([position], "direct")
    if problem == "deduction":
        return lambda: deduce([position], "direct")
    return lambda: run(problem, position, "direct", Limits()).to_json()["value"]


def works(scale: float) -> Iterator[Work]:
    for full in (1000, 3000):
        side = shrunk(full, scale)
        yield Work("validation: from memory", f"{side} x {side}", partial(checking, side))
        yield Work("validation: from text", f"{side} x {side}", partial(reading, side))
    for problem, full, share, total in (
        ("consistency", 1000, 0.6, False),
        ("consistency", 300, 0.4, False),
        ("consistency", 300, 0.3, True),
        ("deduction", 600, 0.6, False),
        ("deduction", 100, 0.4, True),
        ("counting", 300, 0.6, False),
        ("counting", 100, 0.6, True),
    ):
        side = shrunk(full, scale)
        size = f"{side} x {side}, {share:.0%} shown{', a total' * total}"
        yield Work(f"{problem}: end to end", size, partial(solved, problem, side, share, total))
