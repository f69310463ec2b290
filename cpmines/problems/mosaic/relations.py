"""What must hold between the answers to two puzzles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cpmines.problems.mosaic.problem import GAP, Puzzle
from cpmines.relation import Fields, Related, Relation
from cpmines.sums.relations import indices, rearranged, sums_relations

__all__ = ["RELATIONS"]


def open_side(puzzle: Puzzle) -> Puzzle:
    """Without the sums of the last column, whose blocks would reach into what is put beside."""
    sums = puzzle.sums.copy()
    sums[:, -1] = GAP
    return Puzzle(sums)


def related(
    first: Puzzle, second: Puzzle, origin: NDArray[np.int64], count: Callable[[int], int], copies: int = 1
) -> Related[Puzzle]:
    def follow(fields: Fields) -> Fields:
        found = dict(rearranged(fields, origin, count))
        if "distance" in found:
            found["distance"] *= copies
        return found

    return Related(first, second, lambda status, fields: (status, follow(fields)))


def border(rng: np.random.Generator, puzzle: Puzzle) -> Related[Puzzle]:
    """A column of cells in no block of a sum beside the puzzle, free to be mines."""
    first = open_side(puzzle)
    wider = ((0, 0), (0, 1))
    second = Puzzle(np.pad(first.sums, wider, constant_values=GAP))
    origin = np.pad(indices(first), wider, constant_values=-1)
    return related(first, second, origin, lambda boards: boards << first.shape[0])


def doubled(rng: np.random.Generator, puzzle: Puzzle) -> Related[Puzzle]:
    """The puzzle and its mirror image side by side: any board of one with any of the other."""
    first = open_side(puzzle)
    second = Puzzle(np.hstack([first.sums, first.sums[:, ::-1]]))
    origin = np.hstack([indices(first), indices(first)[:, ::-1]])
    return related(first, second, origin, lambda boards: boards**2, 2)


RELATIONS: dict[str, Relation[Puzzle]] = {**sums_relations(), "border": border, "doubled": doubled}
