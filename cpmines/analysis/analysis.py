"""What is known of a position: certain cells, probabilities, number of placements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, UNKNOWN, Position
from cpmines.inference.exact import OPEN, Component
from cpmines.numerals import plural

__all__ = ["Analysis", "Details"]

Cell = tuple[int, int]


class Details(Protocol):
    """What takes longer and is worked out when it is asked for."""

    @property
    def count(self) -> int: ...

    @property
    def by_mines(self) -> Mapping[int, int] | None: ...

    @property
    def components(self) -> tuple[Component, ...]: ...


@dataclass(frozen=True, eq=False, repr=False)
class Analysis:
    """Everything on one consistent position.

    Attributes
    ----------
    cells
        int8 (rows, cols), read-only: the position, with codes as in `Position.cells`.
    total
        Mines on the board; None if that is not known.
    probability
        float64 (rows, cols): of a mine. Exactly 1.0 and 0.0 where that is certain, known cells included.
    state
        int8 (rows, cols): 1 for a mine in every placement, 0 for none, `OPEN` for both. Known cells likewise.
    elsewhere
        Probability of a mine in a cell that touches no open clue; 0.0 if there is no such cell.
    details
        Source of `count`, `by_mines` and `components`.
    """

    cells: NDArray[np.int8]
    total: int | None
    probability: NDArray[np.float64]
    state: NDArray[np.int8]
    elsewhere: float
    details: Details

    @cached_property
    def position(self) -> Position:
        return Position(self.cells, self.total)

    @cached_property
    def unknown(self) -> NDArray[np.bool_]:
        """bool (rows, cols): cells that the position does not show."""
        return np.asarray(self.cells == UNKNOWN)

    @property
    def count(self) -> int:
        """Number of placements, with the total if there is one; an exact integer."""
        return self.details.count

    @property
    def by_mines(self) -> Mapping[int, int] | None:
        """Number of mines, known ones included -> number of placements; ascending, without zeros.

        None if these numbers are too many for the memory limit, or take too long.
        """
        return self.details.by_mines

    @property
    def components(self) -> tuple[Component, ...]:
        """Unknown cells that hang together by clues, once certain ones are taken out by propagation."""
        return self.details.components

    @cached_property
    def safe(self) -> list[Cell]:
        """Unknown cells that are never a mine, in reading order."""
        return places(self.unknown & (self.state == 0))

    @cached_property
    def mines(self) -> list[Cell]:
        """Unknown cells that are always a mine, in reading order."""
        return places(self.unknown & (self.state == 1))

    @cached_property
    def risk(self) -> float:
        """The lowest probability of a mine in an unknown cell; 0.0 if there is none."""
        return float(np.min(self.probability, initial=1.0, where=self.unknown)) if self.unknown.any() else 0.0

    @cached_property
    def safest(self) -> list[Cell]:
        """Unknown cells with the lowest probability, up to rounding, in reading order."""
        return places(self.unknown & (self.probability <= self.risk * (1 + 1e-12)))

    @property
    def known_mines(self) -> int:
        """Mines that the position shows."""
        return int((self.cells == MINE).sum())

    @property
    def open_cells(self) -> int:
        """Unknown cells that are neither certainly safe nor certainly mines."""
        return int((self.unknown & (self.state == OPEN)).sum())

    def __repr__(self) -> str:
        rows, cols = self.cells.shape
        mines = plural(len(self.mines), "mine")
        return (
            f"<{type(self).__name__} of {rows} x {cols}: {len(self.safe)} safe, {mines}, "
            f"{self.open_cells} open>"
        )


def places(mask: NDArray[np.bool_]) -> list[Cell]:
    rows, cols = np.nonzero(mask)
    return list(zip(rows.tolist(), cols.tolist(), strict=True))
