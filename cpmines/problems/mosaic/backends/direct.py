"""Preprocessing and elimination: exact counts and forced cells; where they are out of reach, search."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.errors import LimitError
from cpmines.inference.layouts import first_placement
from cpmines.inference.network import Network
from cpmines.inference.reduction import Reduced, reduce
from cpmines.inference.search import search
from cpmines.problem import Function
from cpmines.problems.mosaic.backbone import OPEN, backbone
from cpmines.problems.mosaic.network import decided, infer, network_of
from cpmines.problems.mosaic.problem import Puzzle, Solution

__all__ = ["BACKEND", "is_unique", "solve"]

SMALL_TABLES, LARGE_TABLES = 1 << 24, 1 << 28
"""Bytes of the tables of an elimination: made in milliseconds, and in seconds."""
MANY_SEARCHED, FEW_SEARCHED = 4_000_000, 100_000
"""Cells searched, one search after the other, to find out which are forced: where only one board is found,
and where two are."""
HOPELESS = 30
"""A search mostly settles some cells, hardly ever so many."""


def solve(puzzle: Puzzle, limits: Limits) -> Answer[Solution]:
    """The cheap ways come first: small tables, then searches that show a single board, then large tables."""
    network = network_of(puzzle.sums, limits)
    reduced = reduce(network, limits)
    if reduced is None:
        return Answer.infeasible()
    try:
        return counted(puzzle, network, reduced, limits, SMALL_TABLES)
    except LimitError as limit:
        if limit.stop != Stop.MEMORY_LIMIT:
            raise
    found = Searched.of(puzzle, decided(network, reduced, puzzle.shape), limits)
    if found is None:
        return Answer.infeasible()
    forced = None if found.differs else found.forced(limits, MANY_SEARCHED)
    if forced is not None and not (forced == OPEN).any():
        return Answer.solved(Solution(found.mines, 1, forced))
    try:
        return counted(puzzle, network, reduced, limits, LARGE_TABLES)
    except LimitError as limit:
        if found.differs:
            forced = found.forced(limits, FEW_SEARCHED)
        note = f"not counted: {limit.note or limit.stop}"
        return Answer(Status.SOLVED, Solution(found.mines, None, forced), Stop.FINISHED, note)


def is_unique(puzzle: Puzzle, limits: Limits, board: NDArray[np.bool_]) -> bool:
    """Is `board`, one with the shown sums, the only one? A board that differs ends it without a count.

    Raises
    ------
    LimitError
    """
    network = network_of(puzzle.sums, limits)
    if len(network.cells) < board.size:
        return False
    reduced = reduce(network, limits)
    assert reduced is not None, "there is a board"
    rest = network_of(puzzle.sums, limits, decided(network, reduced, puzzle.shape))
    for k in range(rest.components):
        part = rest.part(k, k + 1)
        values = board.flat[part.cells].astype(np.int8)
        other = search(part, limits, 1 - values)
        if other is None or not np.array_equal(other, values):
            return False
    if rest.components == 0:
        return bool((reduced.variable < 0).all())
    value = solve(puzzle, limits).value
    return value is not None and value.solutions == 1


def counted(
    puzzle: Puzzle, network: Network, reduced: Reduced, limits: Limits, memory: int
) -> Answer[Solution]:
    """The full answer, from tables of up to `memory` bytes. Raises `LimitError`."""
    found = infer(puzzle.shape, network, reduced, replace(limits, memory=min(limits.memory, memory)))
    if found is None:
        return Answer.infeasible()
    return Answer.solved(Solution(first_placement(found), found.count, found.state))


@dataclass(frozen=True, eq=False)
class Searched:
    """Two boards of a puzzle, as different as the search makes them.

    Attributes
    ----------
    known
        int8 (rows, cols): what preprocessing decides, `OPEN` elsewhere.
    parts
        The components of what it leaves; cells in no shown block are in none.
    values, others
        A solution of each component, found trying 0 first, and one found trying 1 first.
    """

    known: NDArray[np.int8]
    parts: list[Network]
    values: list[NDArray[np.int8]]
    others: list[NDArray[np.int8]]

    @classmethod
    def of(cls, puzzle: Puzzle, known: NDArray[np.int8], limits: Limits) -> Searched | None:
        """None if there is no board. Raises `LimitError`."""
        network = network_of(puzzle.sums, limits, known)
        parts = [network.part(k, k + 1) for k in range(network.components)]
        found: tuple[list[NDArray[np.int8]], list[NDArray[np.int8]]] = [], []
        for phase, values in enumerate(found):
            for part in parts:
                solution = search(part, limits, np.full(len(part.cells), phase, np.int8))
                if solution is None:
                    return None
                values.append(solution)
        return cls(known, parts, *found)

    @property
    def differs(self) -> bool:
        """Is there certainly more than one board?"""
        covered = sum(len(part.cells) for part in self.parts) + int((self.known != OPEN).sum())
        return covered < self.known.size or not all(map(np.array_equal, self.values, self.others))

    @property
    def mines(self) -> NDArray[np.bool_]:
        """A board, bool (rows, cols)."""
        mines: NDArray[np.bool_] = self.known == 1
        for part, values in zip(self.parts, self.values, strict=True):
            mines.flat[part.cells] = values == 1
        return mines

    def forced(self, limits: Limits, left: int) -> NDArray[np.int8] | None:
        """1, 0 or `OPEN` for each cell, int8 (rows, cols); None if it takes `left` cells searched."""
        forced = self.known.copy()
        if sum(len(part.cells) ** 2 for part in self.parts) > HOPELESS * left:
            return None
        try:
            for part, values in zip(self.parts, self.values, strict=True):
                found = backbone(part, values, limits, left // len(part.cells))
                if found is None:
                    return None
                forced.flat[part.cells] = found
        except LimitError:
            return None
        return forced


BACKEND = Function(
    solve, "preprocessing and elimination of sums, search where that is too wide", packages=("numpy", "numba")
)
