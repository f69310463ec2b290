"""Maxmines: the frontier against the exact engines, whose runs end at a limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from cpmines.answer import Limits
from cpmines.bench import Case
from cpmines.problems.maxmines import direct, generate
from cpmines.problems.maxmines.problem import MaxMines, Rectangle
from cpmines.solve import Run, run, warm_up

__all__ = ["cases"]

ENGINE_SECONDS = 20.0
RIVALS = ("direct", "sat", "cpsat:tight", "cpsat:plain")


def mines(size: Rectangle) -> int:
    answer = direct.solve(size, Limits())
    assert answer.value is not None
    return answer.value.mines


def racer(size: Rectangle, backend: str) -> Callable[[], Run[MaxMines]]:
    """The work of one backend; where it takes `ENGINE_SECONDS`, a ratio of times is a lower bound."""
    return partial(run, "maxmines", size, backend, Limits(seconds=ENGINE_SECONDS))


def consistent(first: Run[MaxMines], second: Run[MaxMines]) -> bool:
    """No solved run has fewer mines than another run has on its board."""
    values = [result.value.mines if result.value is not None else 0 for result in (first, second)]
    return all(
        result.trusted and (result.status != "solved" or value == max(values))
        for result, value in zip((first, second), values, strict=True)
    )


def race(side: int, bound: int) -> Case:
    size = Rectangle(side, side, bound)
    return Case(f"{side} x {side}, M = {bound}", {name: racer(size, name) for name in RIVALS}, consistent)


def cases(scale: float) -> Iterator[Case]:
    for backend in RIVALS:
        warm_up("maxmines", backend)
    small = generate.every(6, least=2)
    everything: dict[str, Callable[[], Any]] = {"direct": lambda: [mines(size) for size in small]}
    yield Case("every board of 2 to 6 rows and columns, every M", everything, units=len(small))
    yield race(7, 4)
    yield race(8, 4)
    long = Rectangle(4, max(4, int(10_000 * scale)), 3)
    yield Case(f"4 x {long.cols}, M = 3", {"direct": partial(mines, long)}, units=4 * long.cols)
    for bound in (3, 4, 5):
        yield Case(f"10 x 10, M = {bound}", {"direct": partial(mines, Rectangle(10, 10, bound))}, units=100)
