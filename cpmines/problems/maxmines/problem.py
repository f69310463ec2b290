"""Maxmines: how many mines fit on a board? (Codeforces gym 106152D)

Every mine has at least one empty neighbour, every empty cell has at most M mine neighbours. Cells outside the
board do not exist.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cpmines.answer import Answer
from cpmines.board import mine_rows, read_only
from cpmines.grid import neighbour_counts
from cpmines.problem import Problem
from cpmines.text import Document

__all__ = ["PROBLEM", "MaxMines", "Rectangle", "render_all"]

LINE = "rows, columns and M"


@dataclass(frozen=True)
class Rectangle:
    """A board to fill: its size, and `bound`, the M of the rules, 1 to 8."""

    rows: int
    cols: int
    bound: int

    def __post_init__(self) -> None:
        if self.rows < 1 or self.cols < 1 or not 1 <= self.bound <= 8:
            raise ValueError(f"{self.rows} rows, {self.cols} columns, M = {self.bound}")


@dataclass(frozen=True, eq=False)
class MaxMines:
    """A number of mines and a board that has them.

    Attributes
    ----------
    board
        Where the mines are: bool of shape (rows, cols), read-only.
    """

    mines: int
    board: NDArray[np.bool_]

    @classmethod
    def of(cls, board: ArrayLike) -> MaxMines:
        """The value that a board shows."""
        cells = read_only(board, np.bool_)
        return cls(int(np.count_nonzero(cells)), cells)


class MaxMinesProblem(Problem[Rectangle, MaxMines]):
    question = "Size and M: the most mines, each beside an empty cell, no empty cell beside more than M?"
    determined = ("mines",)
    objective = "mines"
    warm_up = ("2\n3 4 4\n2 3 1\n",)

    def parse(self, data: bytes | str, source: str = "-") -> list[Rectangle]:
        """Read the number of instances and a line ``rows cols M`` for each, or such a line alone."""
        document = Document(data, source)
        document.skip_comments()
        start = document.at
        first = document.header(f"a number of instances, or {LINE}", 1, 3)
        if len(first) == 3:
            instances = [_rectangle(document, first, start)]
        else:
            if first[0] < 1:
                found = f"a number of instances of {first[0]}"
                document.fail(found, "at least 1", line=document.line - 1, column=_column(document, start, 0))
            instances = [_line(document, k, first[0]) for k in range(1, first[0] + 1)]
        document.end()
        return instances

    def render(self, instance: Rectangle) -> str:
        return render_all([instance])

    def describe(self, instance: Rectangle) -> str:
        return f"{instance.rows}x{instance.cols} M={instance.bound}"

    def judge(self, instance: Rectangle, value: MaxMines) -> list[str]:
        board = np.asarray(value.board)
        if board.dtype != np.bool_ or board.shape != (instance.rows, instance.cols):
            size = "x".join(map(str, board.shape))
            return [f"the board is {board.dtype} of size {size}, expected {instance.rows}x{instance.cols}"]
        faults = []
        if value.mines != np.count_nonzero(board):
            faults.append(f"claimed {value.mines} mines, the board has {np.count_nonzero(board)}")
        mines, empty = neighbour_counts(board), neighbour_counts(~board)
        for row, col in np.argwhere(board & (empty == 0)):
            faults.append(f"the mine in row {row + 1}, column {col + 1} has no empty neighbour")
        for row, col in np.argwhere(~board & (mines > instance.bound)):
            around = f"has {mines[row, col]} mines around, at most {instance.bound} allowed"
            faults.append(f"the empty cell in row {row + 1}, column {col + 1} {around}")
        return faults

    def to_json(self, value: MaxMines) -> dict[str, Any]:
        return {"mines": value.mines, "board": mine_rows(value.board)}

    def headline(self, value: MaxMines) -> str:
        return str(value.mines)

    def draw(self, instance: Rectangle, value: MaxMines) -> str:
        return "\n".join([f"mines: {value.mines}", *mine_rows(value.board)])

    def verdict(self, instance: Rectangle, answer: Answer[MaxMines]) -> str:
        return "0" if answer.value is None else str(answer.value.mines)


def render_all(instances: Sequence[Rectangle]) -> str:
    """One text with all of `instances`."""
    lines = [f"{instance.rows} {instance.cols} {instance.bound}" for instance in instances]
    return "\n".join([str(len(lines)), *lines, ""])


def _line(document: Document, k: int, count: int) -> Rectangle:
    start, expected = document.at, f"{LINE} of instance {k} of {count}"
    values = document.integers(expected)
    if len(values) != 3:
        found = f"{len(values)} number{'s' * (len(values) != 1)}"
        document.fail(found, expected, line=document.line - 1)
    return _rectangle(document, values, start)


def _rectangle(document: Document, values: list[int], start: int) -> Rectangle:
    """The instance of a line that begins at byte `start`, if its numbers are in range."""
    ranges = (("rows", "at least 1"), ("columns", "at least 1"), ("M", "1 to 8"))
    for k, (name, expected) in enumerate(ranges):
        if values[k] < 1 or (name == "M" and values[k] > 8):
            found = f"M = {values[k]}" if name == "M" else f"{values[k]} {name}"
            document.fail(found, expected, line=document.line - 1, column=_column(document, start, k))
    return Rectangle(*values)


def _column(document: Document, start: int, k: int) -> int:
    """Column of word k of the line that begins at byte `start`."""
    words = re.compile(rb"[^ ]+").finditer(document.data, start)
    return next(word.start() - start + 1 for index, word in enumerate(words) if index == k)


PROBLEM = MaxMinesProblem()
