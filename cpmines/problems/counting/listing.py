"""Placements that are made one by one, as they are taken: any number of them needs no memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.board import Position
from cpmines.errors import WrongAnswerError
from cpmines.positions.problem import placement_faults
from cpmines.problems.counting.judge import number_faults
from cpmines.problems.counting.values import Counts
from cpmines.question import Asked

__all__ = ["Listing", "judged"]

Mines = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Listing:
    """The placements that `make` yields; the same ones each time."""

    make: Callable[[], Iterator[Mines]]

    def __iter__(self) -> Iterator[Mines]:
        return self.make()


def judged(position: Position, asked: Asked, value: Counts) -> Iterator[tuple[str, Mines]]:
    """The placements that were asked for. Raises `WrongAnswerError` at a wrong one, or if some lack."""
    boards = {"layouts": value.layouts, "sample": value.samples}.get(asked.name)
    if boards is None:
        return
    name = "sample" if asked.name == "sample" else "placement"
    number = 0
    for number, mines in enumerate(boards, 1):
        if faults := placement_faults(position, mines):
            raise WrongAnswerError(f"{name} {number}: {'; '.join(faults)}")
        yield name, mines
    if faults := number_faults(asked, value, number):
        raise WrongAnswerError(f"{name}: {faults[0]}")
