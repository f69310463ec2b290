"""The analyser, clue by clue and on whole boards, and games of the bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from benchmarks.analysis import positions, random_board
from benchmarks.paired import Work
from benchmarks.paired.works import shrunk
from cpmines.analysis.analyser import Analyser, analyse
from cpmines.analysis.analysis import Analysis
from cpmines.analysis.bot import play
from cpmines.analysis.game import BEGINNER, EXPERT, Game
from cpmines.board import UNKNOWN, Position
from cpmines.positions import generate

__all__ = ["works"]

Level = tuple[int, int, int]
Function = Callable[[], Any]

DENSE, SPARSE = 0.206, 0.12


def level(side: int, density: float) -> Level:
    return side, side, round(side * side * density)


def summary(found: Analysis | None) -> Any:
    return found and (found.probability, found.state, found.elsewhere)


def updates(size: Level, number: int, most: int) -> Function:
    """Positions of several games, at most so many of each."""
    games = [game[:most] for game in map(partial(positions, level=size), range(number)) if game]

    def work() -> Any:
        return [summary(found) for game in games for found in step_by_step(size, game)]

    return work


def step_by_step(size: Level, game: list[Position]) -> Iterator[Analysis | None]:
    analyser = Analyser(*size)
    for position in game:
        analyser.update(position.cells)
        yield analyser.analyse()


def reveals(size: Level, share: float, number: int) -> Function:
    """The first clues of a position, told one by one, with an answer after each."""
    rows, cols, mines = size
    cells = generate.game(np.random.default_rng(1), rows, cols, mines, share).cells
    places = [(int(row), int(col)) for row, col in np.argwhere(cells != UNKNOWN)]

    def work() -> Any:
        analyser = Analyser(*size)
        found = None
        for row, col in islice(places, number):
            analyser.reveal(row, col, int(cells[row, col]))
            found = analyser.analyse()
        return summary(found)

    return work


def whole(side: int, share: float, total: bool) -> Function:
    position = random_board(side, share)
    mines = position.mines if total else None
    return lambda: summary(analyse(position.cells, mines))


def played(size: Level, number: int) -> Function:
    def work() -> Any:
        games = [play(Game(*size, seed)) for seed in range(number)]
        return [(game.won, game.moves, game.guesses, game.answers) for game in games]

    return work


def details(side: int, share: float) -> Function:
    """Exact counts, worked out of a snapshot."""
    position = random_board(side, share)

    def work() -> Any:
        found = analyse(position)
        return found and (found.count, len(found.components))

    return work


def works(scale: float) -> Iterator[Work]:
    number = max(2, round(40 * scale))
    side, larger, vast = (shrunk(side, scale) for side in (50, 300, 1000))
    yield Work("analysis: clue by clue", f"{number} expert games", partial(updates, EXPERT, number, 1000))
    for rows, density, most in ((side, SPARSE, 100), (larger, SPARSE, 15), (vast, SPARSE, 4)):
        size = level(rows, density)
        name = f"{rows} x {rows}, {size[2]} mines"
        yield Work("analysis: clue by clue", name, partial(updates, size, 3, most))
    for size in (EXPERT, level(side, SPARSE)):
        name = f"{size[0]} x {size[1]}, {size[2]} mines"
        yield Work("analysis: one clue at a time", name, partial(reveals, size, 0.6, 1000))
    for rows, share, total in (
        (larger, 0.6, True),
        (larger, 0.9, True),
        (larger, 0.6, False),
        (vast, 0.6, False),
        (vast, 0.9, False),
    ):
        name = f"{rows} x {rows}, {share:.0%} shown{', a total' * total}"
        yield Work("analysis: analyse", name, partial(whole, rows, share, total))
    yield Work("analysis: counts", f"{larger} x {larger}, 60% shown", partial(details, larger, 0.6))
    for games, found in ((5 * number, EXPERT), (50 * number, BEGINNER)):
        name = f"{games} games of {found[0]} x {found[1]}"
        yield Work("analysis: bot", name, partial(played, found, games))
