"""Ways to fill a board cell by cell, from which tables of bounds are made and checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Filling", "States", "layers_of"]

States = NDArray[np.uint64]
"""Codes of what later cells can still meet of those before; 0 before the first cell."""


class Filling(Protocol):
    """The cells of a board in an order, and what it means to place the next one."""

    @property
    def cells(self) -> int:
        """Number of steps; each gains at most one mine."""
        ...

    @property
    def too_large(self) -> str:
        """Why this board's states have no codes; empty if they have."""
        ...

    def step(self, states: States, cell: int) -> Iterator[tuple[int, States, NDArray[np.bool_]]]:
        """For each value of the cell: mines gained, 0 or 1, the next states, and which are allowed."""
        ...

    def place(self, cell: int) -> str:
        """A cell in a message."""
        ...


def layers_of(filling: Filling) -> Iterator[States]:
    """The states that can occur before each cell, and after the last, ascending."""
    states = np.zeros(1, np.uint64)
    yield states
    for cell in range(filling.cells):
        after = [reached[allowed] for _, reached, allowed in filling.step(states, cell)]
        states = np.unique(np.concatenate(after))
        yield states
