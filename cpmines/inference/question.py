"""What problems about positions have in common: their text, and places in messages."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.board import Position
from cpmines.problem import Problem

__all__ = ["PositionProblem", "fault", "places", "wrong_shape"]

V = TypeVar("V")

SHOWN_FAULTS = 10
"""So many wrong cells are named; the others are counted."""


class PositionProblem(Problem[Position, V]):
    """A question about a partly revealed board."""

    def parse(self, data: bytes | str, source: str = "-") -> list[Position]:
        return [Position.parse(data, source)]

    def render(self, instance: Position) -> str:
        return str(instance)

    def describe(self, instance: Position) -> str:
        size = "x".join(map(str, instance.shape))
        return size if instance.mines is None else f"{size}, {instance.mines} mines"


def places(wrong: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """(row, column) of the true entries, from 0."""
    rows, cols = np.nonzero(wrong)
    return list(zip(rows.tolist(), cols.tolist(), strict=True))


def fault(cell: tuple[int, int], what: str) -> str:
    """A message about a cell, which it names from 1."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}: {what}"


def wrong_shape(what: str, found: tuple[int, ...], instance: Position) -> list[str]:
    """The fault that `found` is not the shape of the board; empty if it is."""
    if found == instance.shape:
        return []
    sizes = ("x".join(map(str, shape)) for shape in (found, instance.shape))
    return ["the {} is {}, the board is {}".format(what, *sizes)]
