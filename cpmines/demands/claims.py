"""What an answer says, in the terms of those who prove it and of those who check the proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.demands.tables import Filling

__all__ = ["SAID", "Claim", "Extreme", "Facts", "Judged", "NotStated", "Theorem"]


@dataclass(frozen=True)
class NotStated:
    """There are no certificates for such an answer; `why` is a line."""

    why: str


@dataclass(frozen=True)
class Judged:
    """The value itself shows all that it says, to the judge."""


@dataclass(frozen=True)
class Theorem:
    """A bound that has a proof of a few lines, for boards of every size; `proof` says it in a sentence."""

    bound: int
    proof: str


@dataclass(frozen=True)
class Extreme:
    """The value shows a placement with `number` mines, and none has more, or with `fewest` none has fewer.

    Attributes
    ----------
    theorem
        A bound that is certain without a search, None if the problem knows none.
    filling
        From which tables of bounds can be made, for the most mines; None if the problem knows none.
    """

    number: int
    fewest: bool = False
    theorem: Theorem | None = None
    filling: Filling | None = None


@dataclass(frozen=True, eq=False)
class Facts:
    """There is a placement, and this is so of all of them together. What is None is not said.

    Arrays have the shape of the `Statement`.

    Attributes
    ----------
    settled
        int: 1 for a mine in all placements, 0 in none, -1 if they differ, -2 for cells that are not free.
    count, by_mines
        Number of placements, and the same by number of mines, the known ones among them.
    probability, ratios
        The part of the placements that has a mine, for each free cell; exact by variable. With the first,
        `settled` is given, too.
    shown
        bool: a placement that the value shows.
    unique
        Why there is at most one placement, whatever the numbers on the board are: a sentence; empty if it is
        not so.
    searched
        Is it promising to refute that settled cells are otherwise, where it can't be counted again?
    """

    settled: NDArray[Any] | None = None
    count: int | None = None
    by_mines: Mapping[int, int] | None = None
    probability: NDArray[np.float64] | None = None
    ratios: Mapping[int, Fraction] | None = None
    shown: NDArray[np.bool_] | None = None
    unique: str = ""
    searched: bool = True

    def claimed(self) -> list[str]:
        """What is said of all placements, in words."""
        return [words for name, words in SAID.items() if getattr(self, name) is not None]

    @property
    def counted(self) -> bool:
        """Is anything said that only counting shows?"""
        return any(getattr(self, name) is not None for name in SAID if name != "settled")

    def literals(self) -> list[int]:
        """The settled cells, as literals."""
        assert self.settled is not None
        cells = enumerate(self.settled.ravel().tolist(), 1)
        return [cell if value else -cell for cell, value in cells if value >= 0]


SAID = {
    "count": "the number of placements",
    "by_mines": "the numbers of placements by mines",
    "probability": "the probabilities between 0 and 1",
    "ratios": "the exact probabilities",
    "settled": "which cells are the same in all",
}
"""What is said of all placements, by the name of the attribute."""

Claim = Judged | Extreme | Facts | NotStated
