"""What must hold between the answers to two finished boards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, Board
from cpmines.grid import neighbour_counts
from cpmines.relation import SYMMETRIES, Fields, Related, Relation, Symmetry, same

__all__ = ["RELATIONS"]


def related(board: Board, second: Board, origin: NDArray[np.int64]) -> Related[Board]:
    """`origin` tells for each cell of the second board which cell of the first is there, -1 for none.

    A clue that was wrong stays so, with as many mines around, wherever it is; no other clue is wrong.
    """

    def follow(fields: Fields) -> Fields:
        found = same(fields, "valid")
        if "wrong" in fields:
            cols = board.shape[1]
            wrong = {cell["row"] * cols + cell["col"]: cell for cell in fields["wrong"]}
            places = np.argwhere(np.isin(origin, list(wrong))).tolist()
            found["wrong"] = [{**wrong[origin[row, col]], "row": row, "col": col} for row, col in places]
        return found

    return Related(board, second, lambda status, fields: (status, follow(fields)))


def indices(board: Board) -> NDArray[np.int64]:
    return np.arange(board.cells.size).reshape(board.shape)


def turn(choices: tuple[Symmetry, ...]) -> Relation[Board]:
    def relate(rng: np.random.Generator, board: Board) -> Related[Board]:
        symmetry = choices[int(rng.integers(len(choices)))]
        return related(board, Board(symmetry(board.cells)), symmetry(indices(board)))

    return relate


def border(rng: np.random.Generator, board: Board) -> Related[Board]:
    """Up to two more lines on each side, without mines and with the right clues."""
    lines = rng.integers(0, 3, (2, 2)).tolist()
    return filled(board, np.pad(indices(board), lines, constant_values=-1))


def doubled(rng: np.random.Generator, board: Board) -> Related[Board]:
    """Twice side by side, a column of right clues between, the second one mirrored."""
    gap = np.full((board.shape[0], 1), -1)
    return filled(board, np.hstack([indices(board), gap, indices(board)[:, ::-1]]))


def filled(board: Board, origin: NDArray[np.int64]) -> Related[Board]:
    """The board's cells where they come from, and right clues between them."""
    cells = np.where(origin >= 0, board.cells.flat[np.maximum(origin, 0)], np.int8(0))
    cells = np.where(origin >= 0, cells, neighbour_counts(cells == MINE))
    return related(board, Board(cells), origin)


RELATIONS = {
    **{name: turn(choices) for name, choices in SYMMETRIES.items()},
    "border": border,
    "doubled": doubled,
}
