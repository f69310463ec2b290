"""Boards of a puzzle found by search, once preprocessing has decided what it can."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.errors import LimitError
from cpmines.inference.network import Network
from cpmines.inference.reduction import Reduced
from cpmines.inference.search import search
from cpmines.problems.mosaic.backbone import OPEN, backbone
from cpmines.problems.mosaic.network import decided, network_of
from cpmines.problems.mosaic.problem import Puzzle

__all__ = ["Searched"]

Cells = NDArray[np.int8]
Mines = NDArray[np.bool_]

HOPELESS = 30
"""A search mostly settles some cells, hardly ever so many."""


@dataclass(frozen=True, eq=False)
class Searched:
    """What is left of a puzzle to be searched.

    Attributes
    ----------
    known
        int8 (rows, cols): what preprocessing decides, `OPEN` elsewhere.
    parts
        The components of what it leaves; cells in no shown block are in none.
    """

    known: Cells
    parts: list[Network]

    @classmethod
    def of(cls, puzzle: Puzzle, network: Network, reduced: Reduced, limits: Limits) -> Searched:
        """What preprocessing leaves of the puzzle's network. Raises `LimitError`."""
        known = decided(network, reduced, puzzle.shape)
        rest = network_of(puzzle.sums, limits, known)
        return cls(known, [rest.part(k, k + 1) for k in range(rest.components)])

    def board(self, limits: Limits) -> Mines | None:
        """A board, bool (rows, cols); None if there is none. Raises `LimitError`."""
        mines: Mines = self.known == 1
        for part in self.parts:
            values = search(part, limits, np.zeros(len(part.cells), np.int8))
            if values is None:
                return None
            mines.flat[part.cells] = values == 1
        return mines

    def another(self, mines: Mines, limits: Limits) -> Mines | None:
        """Another board than this one; None if it is the only one. Raises `LimitError`."""
        other = mines.copy()
        free = self.known == OPEN
        for part in self.parts:
            free.flat[part.cells] = False
        if free.any():
            other.flat[free.argmax()] ^= True
            return other
        for part in self.parts:
            values = different(part, mines.flat[part.cells].astype(np.int8), limits)
            if values is not None:
                other.flat[part.cells] = values == 1
                return other
        return None

    def forced(self, mines: Mines, limits: Limits, left: int) -> Cells | None:
        """1, 0 or `OPEN` for each cell, int8 (rows, cols); None if it takes `left` cells searched.

        Parameters
        ----------
        mines
            A board.
        """
        forced = self.known.copy()
        if sum(len(part.cells) ** 2 for part in self.parts) > HOPELESS * left:
            return None
        try:
            for part in self.parts:
                values = mines.flat[part.cells].astype(np.int8)
                found = backbone(part, values, limits, left // len(part.cells))
                if found is None:
                    return None
                forced.flat[part.cells] = found
        except LimitError:
            return None
        return forced


def different(part: Network, values: Cells, limits: Limits) -> Cells | None:
    """Another solution of a component; None if `values` is the only one. Raises `LimitError`.

    Cells in the same sums can be exchanged, which gives another one where they have different values.
    """
    first = part.classes(limits)
    unequal = np.flatnonzero(values != values[first])
    if len(unequal):
        cell = unequal[0]
        other = values.copy()
        other[[cell, first[cell]]] = values[[first[cell], cell]]
        return other
    return search(part, limits, 1 - values, values)
