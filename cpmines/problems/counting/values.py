"""What is asked of a position beside the plain count, and what a count is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cpmines.board import Position, read_only
from cpmines.numerals import Shown

__all__ = ["Counts", "Query"]


@dataclass(frozen=True, eq=False, repr=False)
class Query(Position):
    """A position, and what is asked of it besides the plain question.

    Attributes
    ----------
    density
        Mines are independent with this probability, instead of equally likely placements; None if not.
    fractions
        Are probabilities to be shown as fractions?
    layouts, sample
        So many placements are listed, and so many drawn at random.
    """

    density: Fraction | None = None
    fractions: bool = False
    layouts: int = 0
    sample: int = 0

    @classmethod
    def of(cls, position: Position) -> Query:
        return position if isinstance(position, Query) else cls(position.cells, position.mines)


@dataclass(frozen=True, eq=False, repr=False)
class Counts(Shown):
    """How many placements there are, and what they have in common.

    Attributes
    ----------
    count
        With a total in the position, of placements that have it.
    by_mines
        Number of mines, known ones included -> number of placements; None if that was not counted.
    probability
        float64 (rows, cols), read-only: of a mine, 0 and 1 only for what is certain; NaN in known cells. At
        a density if one was asked for. None if the backend only counts.
    ratios
        object (rows, cols): the same as exact fractions, None in known cells; None altogether if not known.
    layouts, samples
        Placements listed and drawn, bool (rows, cols) each; they may be made only when they are taken.
    """

    count: int
    by_mines: dict[int, int] | None
    probability: NDArray[np.float64] | None
    ratios: NDArray[np.object_] | None = None
    layouts: Iterable[NDArray[np.bool_]] = ()
    samples: Iterable[NDArray[np.bool_]] = ()

    def __post_init__(self) -> None:
        if self.probability is not None:
            object.__setattr__(self, "probability", read_only(self.probability, np.float64))
