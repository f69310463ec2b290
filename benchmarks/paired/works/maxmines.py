"""The frontier, its bounds and its meeting, periods, counting, and the greedy board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks.maxmines import mines
from benchmarks.paired import Work
from benchmarks.paired.works import shrunk
from cpmines.answer import Limits
from cpmines.problems.maxmines.backends import direct
from cpmines.problems.maxmines.frontier import ALL, Frontier, Reductions, lines_of
from cpmines.problems.maxmines.periods import History
from cpmines.problems.maxmines.problem import Rectangle
from cpmines.problems.maxmines.strips import Strip

__all__ = ["works"]

Function = Callable[[], Any]


def proving(size: Rectangle, kept: Reductions) -> Function:
    return partial(mines, size, kept)


def frontier(width: int, around: int, lines: int) -> Function:
    """Layers with all their states, without bounds."""

    def work() -> Any:
        found = Frontier.start(width, around, Limits())
        for line, steps in enumerate(lines_of(width, 2 * lines)[:lines]):
            found.place_line(steps, line)
        return found.effort.peak, found.effort.total, found.board(lines, 0)

    return work


def periodic(width: int, around: int, lines: int) -> Function:
    def work() -> Any:
        history = History(width, around, Limits())
        for _ in range(lines):
            history.extend()
        return [len(states) for states in history.states], history.mines[-1].max()

    return work


def bounds(width: int, around: int, lines: int) -> Function:
    def work() -> Any:
        strip = Strip(width, around, left=True, right=False)
        strip.extend(lines, Limits())
        return strip.ends[lines]

    return work


def counting(size: Rectangle, listed: bool) -> Function:
    def work() -> Any:
        found = direct.count(size, Limits(), listed).value
        return found and (found.optimal_boards, found.distinct_boards, found.boards)

    return work


def greedy(side: int) -> Function:
    return lambda: [direct.greedy(Rectangle(side, side, around), Limits()) for around in (2, 4)]


def works(scale: float) -> Iterator[Work]:
    side, large, small, wide = (shrunk(side, scale, 6) for side in (11, 12, 10, 8))
    for rows, around in ((side, 2), (side, 4), (side, 5), (side, 7), (large, 3), (large, 5), (large, 6)):
        size = Rectangle(rows, rows, around)
        yield Work("maxmines: proof", f"{rows} x {rows}, M = {around}", partial(proving, size, ALL))
    for name, kept in (
        ("without bounds", Reductions(bounds=False)),
        ("without dominance", Reductions(dominance=False)),
        ("without meeting", Reductions(meeting=False)),
    ):
        size = Rectangle(small, small, 4)
        yield Work(f"maxmines: proof {name}", f"{small} x {small}, M = 4", partial(proving, size, kept))
    for around in (3, 5):
        yield Work("maxmines: frontier", f"{wide} x 8, M = {around}", partial(frontier, wide, around, 8))
        yield Work(
            "maxmines: endless", f"{wide - 1} x 12, M = {around}", partial(periodic, wide - 1, around, 12)
        )
        yield Work("maxmines: strips", f"{wide - 2} x 8, M = {around}", partial(bounds, wide - 2, around, 8))
    for rows, around, listed in ((wide, 4, False), (wide, 6, False), (7, 5, True), (8, 6, True)):
        size = Rectangle(rows, rows, around)
        name = "list of best boards" if listed else "count"
        yield Work(f"maxmines: {name}", f"{rows} x {rows}, M = {around}", partial(counting, size, listed))
    huge = shrunk(3000, scale)
    yield Work("maxmines: greedy", f"{huge} x {huge}", partial(greedy, huge))
