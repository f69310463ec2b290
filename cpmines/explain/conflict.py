"""Why a board has no placement: clues that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cpmines.answer import Limits, Stop
from cpmines.clues import Clue
from cpmines.errors import LimitError
from cpmines.explain.argument import argue
from cpmines.explain.check import verified
from cpmines.explain.clues import ball, holders
from cpmines.explain.explainable import Explainable
from cpmines.explain.minimal import every, shrink, smallest
from cpmines.explain.oracle import ClueOracle
from cpmines.explain.results import Contradiction

__all__ = ["conflicts", "explain_conflict"]

SURELY_SMALLEST = 2
"""Clues of a minimal set that needs no proof of being a smallest: single clues are looked at first."""


def explain_conflict(
    board: Any, *, fewest: bool = False, limits: Limits | None = None
) -> Contradiction | None:
    """A minimal set of clues of `board` that contradict each other; None if the board has a placement.

    Parameters
    ----------
    board
        See `cpmines.explain.explainable.Explainable.of`.
    fewest
        Find one with as few clues as possible. If time runs out on the way, the best one is given, and its
        `smallest` is False.

    Raises
    ------
    LimitError
        Time is up before any set was found.
    EngineError
        What was found failed the check: a fault of the program.

    >>> from cpmines.board import Position
    >>> found = explain_conflict(Position.parse("2 3\\n.1.\\n.2.\\n"))
    >>> [clue.number for clue in found.clues]
    [1, 2]
    """
    limits = (limits or Limits()).begin()
    subject = Explainable.of(board)
    clues = subject.board.clues_within(limits)
    chosen = first_conflict(subject, limits)
    if chosen is None:
        return None
    proved = len(chosen) <= SURELY_SMALLEST
    if fewest and not proved:
        better, proved = fewer(clues, len(chosen), limits)
        chosen = better or chosen
    return stated(subject, [clues[index] for index in chosen], proved, limits)


def conflicts(board: Any, *, limits: Limits | None = None) -> Iterator[Contradiction]:
    """All minimal sets of clues that contradict each other, as they are found; none if there is a placement.

    There can be very many.

    Raises
    ------
    LimitError, EngineError
    """
    limits = (limits or Limits()).begin()
    subject = Explainable.of(board)
    clues = subject.board.clues_within(limits)
    with ClueOracle(clues, limits) as oracle:
        for chosen in every(oracle, range(len(clues))):
            yield stated(subject, [clues[index] for index in chosen], len(chosen) <= SURELY_SMALLEST, limits)


def stated(subject: Explainable, clues: Sequence[Clue], proved: bool, limits: Limits) -> Contradiction:
    """The conflict of these clues, with its argument, checked; the check has the time that it needs."""
    found = Contradiction(tuple(clues), proved, argue(clues, {}))
    verified(subject, found, Limits(memory=limits.memory))
    return found


def first_conflict(subject: Explainable, limits: Limits) -> list[int] | None:
    """Indices of a minimal set, from as small a part of the board as shows a contradiction."""
    clues = subject.board.clues_within(limits)
    broken = next((index for index, clue in enumerate(clues) if clue.broken), None)
    if broken is not None:
        return [broken]
    if subject.clues.consistent(subject.instance, limits):
        return None
    for part in regions(subject, limits):
        with ClueOracle([clues[index] for index in part], limits) as oracle:
            if oracle.find(range(len(part))) is None:
                return [part[k] for k in shrink(oracle, sorted(oracle.core, reverse=True))]
    raise AssertionError("the board has no placement, its clues have one")


def fewer(clues: Sequence[Clue], size: int, limits: Limits) -> tuple[list[int] | None, bool]:
    """A smallest set, None if none is below `size`; False if time ran out before that was known."""
    with ClueOracle(clues, limits) as oracle:
        try:
            return smallest(oracle, range(len(clues)), range(1, size)), True
        except LimitError as limit:
            if limit.stop != Stop.TIME_LIMIT:
                raise
            return None, False


def regions(subject: Explainable, limits: Limits) -> Iterator[list[int]]:
    """Indices of the clues of larger and larger parts of the board, around a place with a contradiction."""
    clues = subject.board.clues_within(limits)
    around, size = holders(clues), 0
    cells, hops = subject.clues.trouble(subject.instance, limits), 1
    while cells:
        part = ball(clues, around, cells, hops)
        if len(part) == size:
            break
        yield part
        size, hops = len(part), 2 * hops
    yield list(range(len(clues)))
