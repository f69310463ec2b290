"""A player that knows all probabilities and looks no move ahead.

References
----------
Hill, JSMinesweeper, README, https://github.com/DavidNHill/JSMinesweeper: a stronger player, which starts in
the corner where the first cell is only no mine, and three cells away from two borders where it is blank.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.analysis.analyser import Analyser
from cpmines.analysis.analysis import Analysis, Cell
from cpmines.analysis.game import First, Game
from cpmines.grid import neighbour_counts
from cpmines.process.spread import by_processes

__all__ = ["Played", "choose", "opening", "play", "play_all"]


INLAND = 3
"""Cells between a blank start and each border."""


@dataclass(frozen=True)
class Played:
    """How a game went.

    Attributes
    ----------
    moves
        Cells that were opened by the player; those that opened with a 0 not counted.
    guesses
        Moves that were not certain, the first one included.
    answers
        How often the position was analysed.
    seconds
        Processor time in the analyser, clues included.
    """

    won: bool
    moves: int
    guesses: int
    answers: int
    seconds: float


def opening(game: Game) -> Cell:
    """Where to start: in the corner, unless the first cell is blank anyhow.

    With fewest neighbours the corner is the likeliest to be blank. Where any cell is, one with all eight
    neighbours opens more; it is not in the middle, for corners and borders take the most guesses later on.

    >>> opening(Game(16, 30, 99, seed=0)), opening(Game(16, 30, 99, seed=0, first=First.BLANK))
    ((0, 0), (3, 3))
    """
    if game.first is not First.BLANK:
        return 0, 0
    rows, cols = game.shown.shape
    return min(INLAND, (rows - 1) // 2), min(INLAND, (cols - 1) // 2)


def choose(analysis: Analysis) -> list[Cell]:
    """The cells to open: all that are safe; or else one of the lowest probability.

    Of several, one with the fewest unknown neighbours: it is the most likely to show something that helps.
    """
    if analysis.safe:
        return analysis.safe
    around = crowd(analysis.unknown)
    return [min(analysis.safest, key=lambda cell: around[cell])]


def crowd(unknown: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Number of unknown neighbours of each cell."""
    return neighbour_counts(unknown)


def play(game: Game) -> Played:
    """Play a game to its end; `game` is new, and over afterwards.

    >>> play(Game(16, 30, 99, seed=3)).won
    True
    """
    analyser = Analyser(*game.shown.shape, game.mines)
    moves = guesses = answers = 0
    seconds, cells, certain = 0.0, [opening(game)], False
    while True:
        for row, col in cells:
            moves += 1
            guesses += not certain
            game.open(row, col)
        if game.over:
            return Played(game.won, moves, guesses, answers, seconds)
        start = time.thread_time()
        analyser.update(game.shown)
        analysis = analyser.analyse()
        seconds += time.thread_time() - start
        answers += 1
        assert analysis is not None
        certain = bool(analysis.safe)
        cells = choose(analysis)


def play_all(games: Iterable[Game], workers: int = 1) -> Iterator[Played]:
    """How each game went, in order; by so many processes, if it is more than one."""
    return by_processes(play, games, workers)
