"""The player of `cpmines.analysis.bot` on thousands of seeded games: how many it wins, and how fast."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import Case
from cpmines.analysis.bot import Played, play
from cpmines.analysis.game import BEGINNER, EXPERT, INTERMEDIATE, First, Game

__all__ = ["cases", "interval"]

GAMES = 10_000
LEVELS = {"expert": EXPERT, "intermediate": INTERMEDIATE, "beginner": BEGINNER}
DEVIATIONS = 1.96
"""Of a normal distribution, on either side of an interval that holds 95 %."""


def interval(won: int, games: int) -> tuple[float, float]:
    """Bounds of the win rate with 95 % confidence (Wilson, 1927).

    >>> low, high = interval(40, 100)
    >>> round(low, 3), round(high, 3)
    (0.309, 0.498)
    """
    rate, square = won / games, DEVIATIONS**2
    middle = (rate + square / (2 * games)) / (1 + square / games)
    reach = DEVIATIONS * (rate * (1 - rate) / games + square / (4 * games**2)) ** 0.5 / (1 + square / games)
    return middle - reach, middle + reach


def report(games: list[Played]) -> str:
    """Win rate with its interval, and the processor time in the analyser by moves and by answers."""
    won = sum(played.won for played in games)
    low, high = interval(won, len(games))
    seconds = sum(played.seconds for played in games)
    moves, answers = sum(played.moves for played in games), sum(played.answers for played in games)
    return (
        f"won {won / len(games):.2%} ({low:.2%} to {high:.2%}), {1e6 * seconds / moves:.3g} µs a move, "
        f"{1e6 * seconds / max(1, answers):.3g} µs an answer"
    )


def case(level: str, count: int, first: First) -> Case:
    def work() -> list[Played]:
        return [play(Game(*LEVELS[level], seed, first)) for seed in range(count)]

    name = f"{count} {level} games, first cell {first}"
    return Case(name, {"player": work}, units=count, remark=report)


def cases(scale: float) -> Iterator[Case]:
    play(Game(*BEGINNER, seed=0))
    count = max(10, round(GAMES * scale))
    for first in First:
        yield case("expert", count, first)
    for level in ("intermediate", "beginner"):
        yield case(level, count, First.SAFE)
