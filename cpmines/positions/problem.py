"""What problems about positions have in common: text and size, and what is wrong with a placement."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, Position
from cpmines.errors import UsageError
from cpmines.grid import neighbour_counts
from cpmines.numerals import plural, ratio_of
from cpmines.problem import Problem

__all__ = ["PositionProblem", "density_of", "fault", "placement_faults", "places", "wrong_shape"]

V = TypeVar("V")


class PositionProblem(Problem[Position, V]):
    """Questions about a partly revealed board."""

    warm_up = (
        "4 5\n01.1.\n.2.21\n..2..\n1...*\n",
        "4 6 7\n1....1\n.3..3.\n.3..3.\n1....1\n",
        "2 3\n.1.\n.2.\n",
    )

    def parse(self, data: bytes | str, source: str = "-") -> list[Position]:
        return [Position.parse(data, source)]

    def render(self, instance: Position) -> str:
        return str(instance)

    def size(self, instance: Position) -> int:
        return instance.cells.size

    def describe(self, instance: Position) -> str:
        size = "x".join(map(str, instance.shape))
        return size if instance.mines is None else f"{size}, {plural(instance.mines, 'mine')}"


def density_of(text: str | float | Fraction) -> Fraction:
    """The probability of a mine, written as a number such as 0.2 or 1/5; above 0 and below 1.

    Raises
    ------
    UsageError
        It is something else, or has more digits than `ratio_of` takes.
    """
    try:
        density = ratio_of(text)
    except ValueError as error:
        raise UsageError(f"density {error}") from None
    if not 0 < density < 1:
        raise UsageError(f"density {text}, expected more than 0 and less than 1")
    return density


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


def placement_faults(instance: Position, mines: NDArray[np.bool_]) -> list[str]:
    """Everything that is wrong with one placement."""
    if shape := wrong_shape("placement", mines.shape, instance):
        return shape
    cells, counts, placed = instance.cells, neighbour_counts(np.ascontiguousarray(mines)), int(mines.sum())
    faults = [fault(cell, "the known mine is missing") for cell in places((cells == MINE) & ~mines)]
    faults += [fault(cell, "a mine on a clue") for cell in places((cells >= 0) & mines)]
    faults += [
        fault((row, col), f"the clue is {cells[row, col]}, mines around: {counts[row, col]}")
        for row, col in places((cells >= 0) & (cells != counts))
    ]
    if instance.mines not in (None, placed):
        faults.append(f"the placement has {plural(placed, 'mine')}, the total is {instance.mines}")
    return faults
