"""Why a board has no placement: clues that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpmines.answer import Limits, Status, Stop
from cpmines.board import Position
from cpmines.errors import LimitError
from cpmines.explain.argument import argue
from cpmines.explain.check import verified
from cpmines.explain.clues import Clue, Puzzle, ball, clues_of, holders
from cpmines.explain.minimal import every, shrink, smallest
from cpmines.explain.oracle import ClueOracle
from cpmines.explain.results import Contradiction

__all__ = ["conflicts", "explain_conflict", "is_consistent"]

SURELY_SMALLEST = 2
"""Clues of a minimal set that needs no proof of being a smallest: single clues are looked at first."""


def explain_conflict(
    board: Puzzle, *, fewest: bool = False, limits: Limits | None = None
) -> Contradiction | None:
    """A minimal set of clues of `board` that contradict each other; None if the board has a placement.

    Parameters
    ----------
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
    clues = clues_of(board)
    chosen = first_conflict(board, clues, limits)
    if chosen is None:
        return None
    proved = len(chosen) <= SURELY_SMALLEST
    if fewest and not proved:
        better, proved = fewer(clues, len(chosen), limits)
        chosen = better or chosen
    return stated(board, [clues[index] for index in chosen], proved, limits)


def conflicts(board: Puzzle, *, limits: Limits | None = None) -> Iterator[Contradiction]:
    """All minimal sets of clues that contradict each other, as they are found; none if there is a placement.

    There can be very many.

    Raises
    ------
    LimitError, EngineError
    """
    limits = (limits or Limits()).begin()
    clues = clues_of(board)
    with ClueOracle(clues, limits) as oracle:
        for chosen in every(oracle, range(len(clues))):
            yield stated(board, [clues[index] for index in chosen], len(chosen) <= SURELY_SMALLEST, limits)


def stated(board: Puzzle, clues: Sequence[Clue], proved: bool, limits: Limits) -> Contradiction:
    """The conflict of these clues, with its argument, checked; the check has the time that it needs."""
    found = Contradiction(tuple(clues), proved, argue(clues, {}))
    verified(board, found, Limits(memory=limits.memory))
    return found


def first_conflict(board: Puzzle, clues: Sequence[Clue], limits: Limits) -> list[int] | None:
    """Indices of a minimal set, from as small a part of the board as shows a contradiction."""
    broken = next((index for index, clue in enumerate(clues) if clue.broken), None)
    if broken is not None:
        return [broken]
    if is_consistent(board, limits):
        return None
    for part in regions(board, clues, limits):
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


def is_consistent(board: Puzzle, limits: Limits) -> bool:
    """Has the board a placement? Raises `LimitError`."""
    from cpmines.problems.consistency.backends import direct
    from cpmines.problems.mosaic.backends import direct as mosaic

    solved = direct.solve(board, limits) if isinstance(board, Position) else mosaic.solve(board, limits)
    return solved.status is not Status.INFEASIBLE


def regions(board: Puzzle, clues: Sequence[Clue], limits: Limits) -> Iterator[list[int]]:
    """Indices of the clues of larger and larger parts of the board, around a place with a contradiction."""
    around, size = holders(clues), 0
    cells, hops = trouble(board, limits), 1
    while cells:
        part = ball(clues, around, cells, hops)
        if len(part) == size:
            break
        yield part
        size, hops = len(part), 2 * hops
    yield list(range(len(clues)))


def trouble(board: Puzzle, limits: Limits) -> list[int]:
    """Cells that can't all have values: around a clue that propagation breaks, or those of a component."""
    from cpmines.inference.elimination import compile_circuit
    from cpmines.inference.network import Network
    from cpmines.inference.propagation import propagate
    from cpmines.inference.reduction import reduce

    if not isinstance(board, Position):
        return []
    known = propagate(board, limits)
    cols = board.shape[1]
    if known.conflict is not None:
        row, col = known.conflict
        return [cell for clue in clues_of(board) if clue.place == row * cols + col for cell in clue.cells]
    network = Network.of(known, limits)
    for k in range(network.components):
        part = network.part(k, k + 1)
        reduced = reduce(part, limits)
        if reduced is None or compile_circuit(reduced, limits) is None:
            cells: list[int] = part.cells.tolist()
            return cells
    return []
