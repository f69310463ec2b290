"""What must hold between the answers to two puzzles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cpmines.grid import box_sums
from cpmines.numerals import decimal
from cpmines.problems.mosaic.problem import GAP, Puzzle
from cpmines.relation import SYMMETRIES, Fields, Related, Relation, Symmetry, looked_up

__all__ = ["RELATIONS"]

EXCHANGED = str.maketrans(".*", "*.")


def related(
    first: Puzzle, second: Puzzle, origin: NDArray[np.int64], count: Callable[[int], int] = int
) -> Related[Puzzle]:
    """`origin` tells for each cell of the second puzzle which cell of the first is there, -1 for a free one.

    `count` makes the number of the second's boards from that of the first's.
    """

    def follow(fields: Fields) -> Fields:
        found = {"solutions": decimal(count(int(fields["solutions"])))} if "solutions" in fields else {}
        if "forced" in fields:
            return {
                **found,
                "forced": looked_up(fields["forced"], origin, ["?" * len(row) for row in origin]),
            }
        return found

    return Related(first, second, lambda status, fields: (status, follow(fields)))


def indices(puzzle: Puzzle) -> NDArray[np.int64]:
    return np.arange(puzzle.sums.size).reshape(puzzle.shape)


def turn(choices: tuple[Symmetry, ...]) -> Relation[Puzzle]:
    def relate(rng: np.random.Generator, puzzle: Puzzle) -> Related[Puzzle]:
        symmetry = choices[int(rng.integers(len(choices)))]
        return related(puzzle, Puzzle(symmetry(puzzle.sums)), symmetry(indices(puzzle)))

    return relate


def open_side(puzzle: Puzzle) -> Puzzle:
    """Without the sums of the last column, whose blocks would reach into what is put beside."""
    sums = puzzle.sums.copy()
    sums[:, -1] = GAP
    return Puzzle(sums)


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
    return related(first, second, origin, lambda boards: boards**2)


def complement(rng: np.random.Generator, puzzle: Puzzle) -> Related[Puzzle] | None:
    """Mines for empty cells: a sum and its new one make up the size of its block."""
    block = box_sums(np.ones(puzzle.shape, np.bool_))
    if (puzzle.sums > block).any():
        return None
    second = Puzzle(np.where(puzzle.sums == GAP, np.int8(GAP), block - puzzle.sums))
    plain = related(puzzle, second, indices(puzzle)).consequence

    def exchanged(fields: Fields) -> Fields:
        if "forced" not in fields:
            return fields
        return {**fields, "forced": [row.translate(EXCHANGED) for row in fields["forced"]]}

    return Related(puzzle, second, lambda status, fields: plain(status, exchanged(fields)))


RELATIONS = {
    **{name: turn(choices) for name, choices in SYMMETRIES.items()},
    "border": border,
    "doubled": doubled,
    "complement": complement,
}
