"""Analysis: all positions of expert games, clue by clue and afresh, beside the general engine and a peer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import Case
from cpmines.analysis.analyser import Analyser, analyse
from cpmines.analysis.bot import choose
from cpmines.analysis.game import EXPERT, Game
from cpmines.answer import Limits
from cpmines.board import UNKNOWN, Position
from cpmines.grid import neighbour_counts
from cpmines.inference.exact import infer

__all__ = ["cases", "positions"]

Chances = list[NDArray[np.float64]]

GAMES = 40
SIDES = (50, 100, 300)
TOLERANCE = 1e-9


def positions(seed: int, level: tuple[int, int, int] = EXPERT) -> list[Position]:
    """What the player of `cpmines.analysis.bot` sees in one game, before each of its decisions."""
    game = Game(*level, seed)
    found: list[Position] = []
    analyser = Analyser(*level)
    cells = [(0, 0)]
    while True:
        for row, col in cells:
            game.open(row, col)
        if game.over:
            return found
        found.append(Position(game.shown.copy(), game.mines))
        analyser.update(game.shown)
        analysis = analyser.analyse()
        assert analysis is not None
        cells = choose(analysis)


def hidden(position: Position, probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities of unknown cells."""
    return np.asarray(probability[position.cells == UNKNOWN])


def clue_by_clue(games: list[list[Position]]) -> Chances:
    found = []
    for game in games:
        analyser = Analyser(*game[0].shape, game[0].mines)
        for position in game:
            analyser.update(position.cells)
            analysis = analyser.analyse()
            assert analysis is not None
            found.append(hidden(position, analysis.probability))
    return found


def afresh(engine: Callable[[Position], Any], games: list[list[Position]]) -> Chances:
    """By an engine whose answers have a `probability`."""
    return [hidden(position, engine(position).probability) for game in games for position in game]


def by_peer(games: list[list[Position]]) -> Chances:
    from cpmines.problems.deduction.backends.ms_toollib import probabilities

    found = []
    for game in games:
        for position in game:
            assert position.mines is not None
            chances = probabilities(position, position.mines)
            found.append(np.empty(0) if chances is None else hidden(position, chances))
    return found


def same(first: Chances, second: Chances) -> bool:
    return all(
        a.shape == b.shape and bool((np.abs(a - b) <= TOLERANCE).all())
        for a, b in zip(first, second, strict=True)
    )


def general(position: Position) -> Any:
    return infer(position, Limits())


def random_board(side: int, share: float) -> Position:
    """Independent mines of density 0.206, each safe cell shown with probability `share`."""
    rng = np.random.default_rng(1)
    mines = rng.random((side, side)) < 0.206
    shown = (rng.random((side, side)) < share) & ~mines
    return Position(np.where(shown, neighbour_counts(mines), np.int8(UNKNOWN)), int(mines.sum()))


def game_case(scale: float) -> Case:
    games = [found for seed in range(max(1, round(GAMES * scale))) if (found := positions(seed))]
    count = sum(map(len, games))
    rivals = {
        "Analyser, clue by clue": lambda: clue_by_clue(games),
        "analyse, afresh": lambda: afresh(analyse, games),
        "general engine, afresh": lambda: afresh(general, games),
    }
    if find_spec("ms_toollib"):
        rivals["ms-toollib, afresh"] = lambda: by_peer(games)
    return Case(f"{count} positions of {len(games)} expert games", rivals, same, count)


def cases(scale: float) -> Iterator[Case]:
    analyse("2 3 1\n.1.\n.1.\n")
    yield game_case(scale)
    for side in SIDES:
        boards = [[random_board(max(10, round(side * scale**0.5)), 0.6)]]
        rivals = {
            "analyse": lambda boards=boards: afresh(analyse, boards),
            "general engine": lambda boards=boards: afresh(general, boards),
        }
        rows, cols = boards[0][0].shape
        yield Case(f"random {rows} x {cols}, 60 % shown", rivals, same)
