"""Tables of sums: reconstruction of every size class, reasons, repair; mosaics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.mosaic import FACTS, UNIQUE
from benchmarks.mosaic import solver as mosaic
from benchmarks.paired import Work
from benchmarks.paired.works import shrunk
from benchmarks.reconstruction import only_decided, solver
from cpmines.answer import Limits
from cpmines.problems.mosaic import generate as puzzles
from cpmines.problems.reconstruction import generate
from cpmines.problems.reconstruction.explain import explain
from cpmines.problems.reconstruction.problem import PROBLEM, Table
from cpmines.question import Asked

__all__ = ["works"]

Function = Callable[[], Any]
Make = Callable[..., Any]


def table(make: Make, rows: int, cols: int, **more: Any) -> Table:
    found: Table = make(np.random.default_rng(rows), rows, cols, **more)
    return found


def solved(make: Make, rows: int, cols: int, asked: Asked, **more: Any) -> Function:
    return solver("direct", table(make, rows, cols, **more), asked)


def decided(make: Make, rows: int, cols: int) -> Function:
    return partial(only_decided, table(make, rows, cols))


def reasons(make: Make, rows: int, cols: int) -> Function:
    sums = table(make, rows, cols).sums
    return lambda: explain(sums, Limits())


def mosaics(make: Make, side: int, asked: Asked, share: float, number: int) -> Function:
    made = [make(np.random.default_rng(seed), side, side, share=share) for seed in range(number)]
    return mosaic("direct", made, asked)


def reconstructions(scale: float) -> Iterator[Work]:
    facts, nearest = PROBLEM.ask("facts"), PROBLEM.ask("nearest")
    side = shrunk(3000, scale, 30) // 3 * 3
    for rows, cols in ((side, side), (side, side + 1), (side, side + 2), (side + 2, side + 2)):
        made = partial(solved, generate.random, rows, cols, facts)
        yield Work("reconstruction: facts", f"{rows} x {cols}", made)
        yield Work(
            "reconstruction: a board", f"{rows} x {cols}", partial(decided, generate.random, rows, cols)
        )
    core = side // 3 * 3 + 2
    for name, make in (("many boards", generate.ambiguous), ("no board", generate.doubled)):
        rows = core if name == "many boards" else core // 3 // 3 * 3 + 2
        made = partial(solved, make, rows, rows, facts)
        yield Work(f"reconstruction: {name}", f"{rows} x {rows}", made)
    for rows in (side // 3, side // 9 * 3 + 2):
        made = partial(reasons, generate.spoilt, rows, rows)
        yield Work("reconstruction: reason", f"{rows} x {rows}", made)
    for rows, entries in ((60, 4), (150, 9), (200, 5), (300, 1), (302, 1)):
        rows = max(6, round(rows * min(1.0, 4 * scale)))
        made = partial(solved, generate.changed, rows, rows, nearest, entries=entries)
        yield Work("reconstruction: nearest", f"{rows} x {rows}, {entries} changed", made)


def works(scale: float) -> Iterator[Work]:
    yield from reconstructions(scale)
    side, small, number = shrunk(300, scale), shrunk(100, scale), max(2, round(30 * scale))
    for share in (0.7, 0.9):
        made = partial(mosaics, puzzles.random, side, UNIQUE, share, 1)
        yield Work("mosaic: one board?", f"{side} x {side}, {share:.0%} shown", made)
    made = partial(mosaics, puzzles.unique, 20, UNIQUE, 0.6, number)
    yield Work("mosaic: one board, unique", f"{number} of 20 x 20, 60% shown", made)
    made = partial(mosaics, puzzles.random, small, FACTS, 0.8, 1)
    yield Work("mosaic: facts", f"{small} x {small}, 80% shown", made)
    made = partial(mosaics, puzzles.changed, small, UNIQUE, 0.8, 3)
    yield Work("mosaic: a wrong sum", f"{small} x {small}, 80% shown", made)
