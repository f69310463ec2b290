"""The problem: instances, values, and the judge, from the rules of Life alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cpmines.answer import Answer
from cpmines.board import mine_rows, read_only
from cpmines.fields import board_of, whole_of
from cpmines.grid import neighbour_counts
from cpmines.printed import whole_number
from cpmines.problem import Problem
from cpmines.question import Maximise, Question
from cpmines.text import Document

__all__ = ["PROBLEM", "Size", "StillLife", "StillLifeProblem"]

LINE = "rows and columns"


@dataclass(frozen=True)
class Size:
    """A board to fill."""

    rows: int
    cols: int

    def __post_init__(self) -> None:
        if self.rows < 1 or self.cols < 1:
            raise ValueError(f"{self.rows} rows, {self.cols} columns")


@dataclass(frozen=True, eq=False)
class StillLife:
    """A number of live cells and a stable board that has them.

    Attributes
    ----------
    board
        Where the live cells are: bool of shape (rows, cols), read-only; None if only the number is known.
    """

    live: int
    board: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, board: ArrayLike) -> StillLife:
        """The value that a board shows."""
        cells = read_only(board, np.bool_)
        return cls(int(cells.sum()), cells)


class StillLifeProblem(Problem[Size, StillLife]):
    summary = "Size: the most live cells of a board that does not change, with no birth outside?"
    questions = (
        Question("most", "The most live cells, and a board.", ("live",), ("live",), Maximise("live")),
    )
    printed = "most"
    warm_up = ("3 4\n",)

    def parse(self, data: bytes | str, source: str = "-") -> list[Size]:
        document = Document(data, source)
        document.skip_comments()
        sizes = [self._size(document)]
        while document.data[document.at :].strip():
            sizes.append(self._size(document))
        return sizes

    def _size(self, document: Document) -> Size:
        rows, cols = document.header(LINE, 2)
        document.positive(rows, cols)
        return Size(rows, cols)

    def render(self, instance: Size) -> str:
        return f"{instance.rows} {instance.cols}\n"

    def size(self, instance: Size) -> int:
        return instance.rows * instance.cols

    def describe(self, instance: Size) -> str:
        return f"{instance.rows}x{instance.cols}"

    def judge(self, instance: Size, asked: Any, value: StillLife) -> list[str]:
        if value.board is None:
            return []
        if value.board.shape != (instance.rows, instance.cols):
            return [
                f"the board is {'x'.join(map(str, value.board.shape))}, expected {self.describe(instance)}"
            ]
        # Cells outside may be born, too: a ring of them is looked at, which is dead.
        board = np.pad(value.board, 1)
        around = neighbour_counts(board)
        wrong = np.where(board, (around < 2) | (around > 3), around == 3)
        faults = [
            f"the {'live' if board[row, col] else 'dead'} cell in row {row}, column {col} "
            f"has {around[row, col]} live neighbours"
            for row, col in np.argwhere(wrong).tolist()
        ]
        if value.live != value.board.sum():
            faults.append(f"claimed {value.live} live cells, the board has {value.board.sum()}")
        return faults

    def to_json(self, value: StillLife) -> dict[str, Any]:
        shown = {} if value.board is None else {"board": mine_rows(value.board)}
        return {"live": value.live} | shown

    def from_json(self, fields: Mapping[str, Any]) -> StillLife:
        board = board_of(fields["board"]) if "board" in fields else None
        return StillLife(whole_of(fields["live"]), board)

    def headline(self, value: StillLife) -> str:
        return str(value.live)

    def draw(self, instance: Size, value: StillLife) -> str:
        shown = [] if value.board is None else mine_rows(value.board)
        return "\n".join([f"live: {value.live}", *shown])

    def verdict(self, instance: Size, answer: Answer[StillLife]) -> str:
        return "0" if answer.value is None else str(answer.value.live)

    def read_verdict(self, instance: Size, text: str) -> Answer[StillLife]:
        return Answer.solved(StillLife(whole_number(text)))


PROBLEM = StillLifeProblem()
