"""Placements that are made one by one, as they are taken: any number of them needs no memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.errors import WrongAnswerError
from cpmines.problems.counting.judge import placement_faults
from cpmines.problems.counting.values import Counts, Query

__all__ = ["Listing", "judged"]

Mines = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Listing:
    """The placements that `make` yields; the same ones each time."""

    make: Callable[[], Iterator[Mines]]

    def __iter__(self) -> Iterator[Mines]:
        return self.make()


def judged(query: Query, value: Counts) -> Iterator[tuple[str, Mines]]:
    """Placements and samples of a value. Raises `WrongAnswerError` at one that is wrong, or if some lack."""
    asked = {
        "placement": (value.layouts, min(query.layouts, value.count)),
        "sample": (value.samples, query.sample),
    }
    for name, (boards, wanted) in asked.items():
        number = 0
        for number, mines in enumerate(boards, 1):
            if faults := placement_faults(query, mines):
                raise WrongAnswerError(f"{name} {number}: {'; '.join(faults)}")
            yield name, mines
        if number != wanted:
            raise WrongAnswerError(f"{number} times {name}, expected {wanted}")
