"""Maxmines: the frontier against the exact engines and their formulations, and against itself with less."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks import Case
from cpmines.answer import Limits
from cpmines.problems.maxmines import generate
from cpmines.problems.maxmines.backends import direct
from cpmines.problems.maxmines.frontier import ALL, Reductions
from cpmines.problems.maxmines.problem import MaxMines, Rectangle
from cpmines.run import Run, run, warm_up

__all__ = ["cases"]

ENGINE_SECONDS = 20.0
ENGINES = ("sat", "cpsat", "maxsat")
FORMULATIONS = ("symmetric", "tight", "blocks", "plain")
RIVALS = ("direct", *(f"{engine}:{formulation}" for engine in ENGINES for formulation in FORMULATIONS))
WITH_LESS = {
    "direct": ALL,
    "without meeting": Reductions(meeting=False),
    "without bounds": Reductions(bounds=False),
    "without dominance": Reductions(dominance=False),
    "without any": Reductions(dominance=False, bounds=False, meeting=False),
}


def mines(size: Rectangle, kept: Reductions = ALL) -> int:
    """The most mines by the frontier, without closed forms."""
    return direct.prove(size, Limits(), kept, theorems=False).mines


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


def race(side: int, around: int) -> Case:
    size = Rectangle(side, side, around)
    return Case(f"{side} x {side}, M = {around}", {name: racer(size, name) for name in RIVALS}, consistent)


def cases(scale: float) -> Iterator[Case]:
    for backend in RIVALS:
        warm_up("maxmines", backend)
    small = generate.every(6, least=2)
    everything: dict[str, Callable[[], Any]] = {"direct": lambda: [mines(size) for size in small]}
    yield Case("every board of 2 to 6 rows and columns, every M", everything, units=len(small))
    for side in (6, 7, 8) if scale == 1 else (6,):
        yield race(side, 4)
    side = max(6, round(10 * scale))
    reduced = {name: partial(mines, Rectangle(side, side, 4), kept) for name, kept in WITH_LESS.items()}
    yield Case(f"{side} x {side}, M = 4", reduced, int.__eq__)
    long = Rectangle(4, 10**18, 3)
    yield Case("4 x 10^18, M = 3", {"direct": partial(direct.solve, long, Limits())})
    for around in range(2, 8):
        wide = Rectangle(max(6, int(12 * scale)), max(6, int(12 * scale)), around)
        yield Case(f"{wide.rows} x {wide.cols}, M = {around}", {"direct": partial(mines, wide)}, units=144)
