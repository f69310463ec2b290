"""Preprocessing, then search for boards, or elimination for exact counts and forced cells.

A board is searched for, and so is a second one; nothing is counted for that. Counting takes tables of an
elimination; where these are out of reach, searches may still tell the forced cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.errors import LimitError
from cpmines.inference.enumeration import enumerate_placements
from cpmines.inference.exact import Inference
from cpmines.inference.layouts import first_placement
from cpmines.inference.network import Network
from cpmines.inference.reduction import Reduced, reduce
from cpmines.numerals import plural
from cpmines.problem import Function
from cpmines.problems.mosaic.network import infer, network_of
from cpmines.problems.mosaic.problem import Puzzle
from cpmines.problems.mosaic.searched import Searched
from cpmines.sums.boards import Boards

__all__ = ["ANSWERS", "BACKEND", "is_unique"]

SMALL_TABLES, LARGE_TABLES = 1 << 24, 1 << 28
"""Bytes of the tables of an elimination: made in milliseconds, and in seconds."""
MANY_SEARCHED, FEW_SEARCHED = 4_000_000, 100_000
"""Cells searched, one search after the other, to find out which are forced: where that may be all that is
asked, and where it is said beside a board."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """A puzzle as a network, preprocessed."""

    puzzle: Puzzle
    network: Network
    reduced: Reduced

    @classmethod
    def of(cls, puzzle: Puzzle, limits: Limits) -> Prepared | None:
        """None if preprocessing shows that there is no board. Raises `LimitError`."""
        network = network_of(puzzle.sums, limits)
        reduced = reduce(network, limits)
        return None if reduced is None else cls(puzzle, network, reduced)

    def searched(self, limits: Limits) -> Searched:
        """What is left to be searched. Raises `LimitError`."""
        return Searched.of(self.puzzle, self.network, self.reduced, limits)

    def counted(self, limits: Limits, memory: int) -> Inference | None:
        """All boards, from tables of up to `memory` bytes; None if there is none. Raises `LimitError`."""
        limits = replace(limits, memory=min(limits.memory, memory))
        return infer(self.puzzle.shape, self.network, self.reduced, limits)


def board(puzzle: Puzzle, limits: Limits) -> Answer[Boards]:
    prepared = Prepared.of(puzzle, limits)
    mines = None if prepared is None else prepared.searched(limits).board(limits)
    return Answer.infeasible() if mines is None else Answer.solved(Boards(mines))


def unique(puzzle: Puzzle, limits: Limits) -> Answer[Boards]:
    prepared = Prepared.of(puzzle, limits)
    if prepared is None:
        return Answer.infeasible()
    left = prepared.searched(limits)
    if (mines := left.board(limits)) is None:
        return Answer.infeasible()
    try:
        other = left.another(mines, limits)
    except LimitError as limit:
        return Answer.feasible(Boards(mines), Stop(limit.stop), limit.note)
    return Answer.solved(Boards(mines, unique=other is None, other=other))


def is_unique(puzzle: Puzzle, limits: Limits, mines: NDArray[np.bool_]) -> bool:
    """Is this board, one with the shown sums, the only one? Raises `LimitError`."""
    prepared = Prepared.of(puzzle, limits)
    assert prepared is not None, "there is a board"
    return prepared.searched(limits).another(mines, limits) is None


def in_full(puzzle: Puzzle, limits: Limits, *, question: str) -> Answer[Boards]:
    """The number of boards, the forced cells, or both.

    The cheap ways come first: small tables, then searches that show a single board, or what is forced, then
    large tables.
    """
    prepared = Prepared.of(puzzle, limits)
    if prepared is None:
        return Answer.infeasible()
    try:
        return facts_of(prepared.counted(limits, SMALL_TABLES))
    except LimitError as limit:
        if limit.stop != Stop.MEMORY_LIMIT:
            raise
    left = prepared.searched(limits)
    if (mines := left.board(limits)) is None:
        return Answer.infeasible()
    value = Boards(mines)
    try:
        other = left.another(mines, limits)
        if other is None:
            return Answer.solved(Boards(mines, 1, mines.astype(np.int8), True))
        value = Boards(mines, unique=False, other=other)
        forced = left.forced(mines, limits, MANY_SEARCHED) if question == "forced" else None
        if forced is not None:
            return Answer.solved(replace(value, forced=forced))
        return facts_of(prepared.counted(limits, LARGE_TABLES))
    except LimitError as limit:
        if question == "facts":
            value = replace(value, forced=left.forced(mines, limits, FEW_SEARCHED))
        return Answer.feasible(value, Stop(limit.stop), f"not counted: {limit.note or limit.stop}")


def facts_of(found: Inference | None) -> Answer[Boards]:
    if found is None:
        return Answer.infeasible()
    return Answer.solved(Boards(first_placement(found), found.count, found.state))


def every(puzzle: Puzzle, limits: Limits, limit: int) -> Answer[Boards]:
    """Boards one by one, from the tables of an elimination."""
    prepared = Prepared.of(puzzle, limits)
    found = None if prepared is None else prepared.counted(limits, LARGE_TABLES)
    if found is None:
        return Answer.infeasible()
    limits.require(min(limit, found.count) * puzzle.sums.size, "the list of boards")
    boards = tuple(islice(enumerate_placements(found), limit))
    note = f"{plural(limit, 'board')} listed, there are more" if found.count > limit else ""
    value = Boards(boards[0], found.count, found.state, boards=boards)
    return Answer(Status.SOLVED, value, note=note)


ANSWERS: dict[str, Callable[..., Answer[Boards]]] = {
    "unique": unique,
    "board": board,
    **{name: partial(in_full, question=name) for name in ("count", "forced", "facts")},
    "all": every,
}

BACKEND = Function(
    ANSWERS,
    "preprocessing, search for boards, elimination of sums to count them",
    packages=("numpy",),
)
