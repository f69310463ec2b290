"""Maxmines: how many mines fit on a board? (Codeforces gym 106152D)

Every mine has at least one empty neighbour, every empty cell has at most M mine neighbours. Cells outside the
board do not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cpmines.answer import Answer
from cpmines.board import mine_rows, read_only
from cpmines.fields import board_of, count_of, known, whole_of
from cpmines.grid import neighbour_counts
from cpmines.numerals import Shown, decimal, plural
from cpmines.printed import whole_number
from cpmines.problem import Problem
from cpmines.question import Asked, Maximise, Question
from cpmines.text import Document

__all__ = ["PROBLEM", "MaxMines", "Rectangle", "Repeat", "render_all"]

LINE = "rows, columns and M"


@dataclass(frozen=True)
class Rectangle:
    """A board to fill: its size, and `around`, the M of the rules, 1 to 8."""

    rows: int
    cols: int
    around: int

    def __post_init__(self) -> None:
        if self.rows < 1 or self.cols < 1 or not 1 <= self.around <= 8:
            raise ValueError(f"{plural(self.rows, 'row')}, {plural(self.cols, 'column')}, M = {self.around}")


@dataclass(frozen=True)
class Repeat:
    """Lines of a long board that are written once: those from `start` to `stop` stand there `times` times.

    Lines are rows where `axis` is 0, columns where it is 1.
    """

    axis: int
    start: int
    stop: int
    times: int

    def fields(self) -> dict[str, Any]:
        lines = ("rows", "columns")[self.axis]
        return {"lines": lines, "start": self.start, "stop": self.stop, "times": self.times}

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Repeat:
        """Inverse of `fields`."""
        axis = ("rows", "columns").index(fields["lines"])
        return cls(axis, *(whole_of(fields[name]) for name in ("start", "stop", "times")))

    def more(self, board: NDArray[np.bool_]) -> tuple[int, int]:
        """How many lines and how many mines the whole board has more than `board`."""
        lines = np.moveaxis(board, self.axis, 0)[self.start : self.stop]
        return len(lines) * (self.times - 1), int(np.count_nonzero(lines)) * (self.times - 1)

    def written_out(self, board: NDArray[np.bool_], most: int) -> NDArray[np.bool_]:
        """The board with its lines `times` times, but at most `most` times."""
        lines = np.moveaxis(board, self.axis, 0)
        again = [lines[self.start : self.stop]] * min(self.times, most)
        return np.moveaxis(np.concatenate([lines[: self.start], *again, lines[self.stop :]]), 0, self.axis)


@dataclass(frozen=True, eq=False, repr=False)
class MaxMines(Shown):
    """A number of mines and a board that has them.

    Attributes
    ----------
    board
        Where the mines are: bool of shape (rows, cols), read-only; None if the backend only says how many.
    bound
        No board has more mines; None if the backend has no bound.
    repeat
        What of `board` is written once and stands there more often; None if the board is written out.
    optimal_boards, distinct_boards
        How many boards have as many mines, and how many of them no symmetry of the rectangle takes to each
        other; None if that is not known.
    boards
        All boards with as many mines, bool of shape (boards, rows, cols); None if they are not known.
    """

    mines: int
    board: NDArray[np.bool_] | None
    bound: int | None = None
    repeat: Repeat | None = None
    optimal_boards: int | None = None
    distinct_boards: int | None = None
    boards: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, board: ArrayLike, repeat: Repeat | None = None) -> MaxMines:
        """The value that a board shows."""
        cells = read_only(board, np.bool_)
        more = 0 if repeat is None else repeat.more(cells)[1]
        return cls(int(np.count_nonzero(cells)) + more, cells, repeat=repeat)


class MaxMinesProblem(Problem[Rectangle, MaxMines]):
    summary = "Size and M: the most mines, each beside an empty cell, no empty cell beside more than M?"
    questions = (
        Question(
            "most",
            "The most mines, and a board that has them.",
            fields=("mines",),
            determined=("mines",),
            objective=Maximise("mines"),
        ),
        Question(
            "count",
            "Also how many boards have the most mines, and how many up to symmetry.",
            fields=("mines", "optimal_boards"),
            determined=("mines", "optimal_boards", "distinct_boards"),
            objective=Maximise("mines"),
        ),
        Question(
            "every",
            "Also all boards that have the most mines.",
            fields=("mines", "optimal_boards", "boards"),
            determined=("mines", "optimal_boards", "distinct_boards"),
            objective=Maximise("mines"),
        ),
    )
    printed = "most"
    warm_up = ("3\n3 4 4\n2 3 1\n6 6 7\n",)

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

    def size(self, instance: Rectangle) -> int:
        return instance.rows * instance.cols

    def describe(self, instance: Rectangle) -> str:
        return f"{instance.rows}x{instance.cols} M={instance.around}"

    def judge(self, instance: Rectangle, asked: Asked, value: MaxMines) -> list[str]:
        """Everything that is wrong with the boards.

        Lines that stand there more than 3 times are looked at 3 times: a rule looks at 3 lines, and all
        triples of neighbouring lines are there.
        """
        faults = []
        if value.bound is not None and value.bound < value.mines:
            faults.append(f"claimed at most {plural(value.bound, 'mine')}, and {value.mines}")
        faults += _list_faults(instance, value)
        if value.board is None:
            return faults
        board, repeat = np.asarray(value.board), value.repeat
        shape = list(board.shape)
        if repeat is not None and board.ndim == 2:
            if not 0 <= repeat.start < repeat.stop <= shape[repeat.axis] or repeat.times < 1:
                return [
                    f"lines {repeat.start} to {repeat.stop} can't stand there {plural(repeat.times, 'time')}"
                ]
            shape[repeat.axis] += repeat.more(board)[0]
        if board.dtype != np.bool_ or shape != [instance.rows, instance.cols]:
            size = "x".join(map(str, shape))
            return [f"the board is {board.dtype} of size {size}, expected {instance.rows}x{instance.cols}"]
        more = 0 if repeat is None else repeat.more(board)[1]
        if value.mines != np.count_nonzero(board) + more:
            faults.append(
                f"claimed {plural(value.mines, 'mine')}, the board has {np.count_nonzero(board) + more}"
            )
        seen = board if repeat is None else repeat.written_out(board, 3)
        return [*faults, *_broken_rules(seen, instance.around)]

    def to_json(self, value: MaxMines) -> dict[str, Any]:
        fields: dict[str, Any] = {"mines": value.mines}
        if value.board is not None:
            fields["board"] = mine_rows(value.board)
        if value.bound is not None:
            fields["bound"] = value.bound
        if value.repeat is not None:
            fields["repeat"] = value.repeat.fields()
        if value.optimal_boards is not None:
            fields["optimal_boards"] = decimal(value.optimal_boards)
        if value.distinct_boards is not None:
            fields["distinct_boards"] = decimal(value.distinct_boards)
        if value.boards is not None:
            fields["boards"] = [mine_rows(board) for board in value.boards]
        return fields

    def from_json(self, fields: Mapping[str, Any]) -> MaxMines:
        boards = known(fields, "boards", lambda rows: np.array([board_of(each) for each in rows]))
        return MaxMines(
            whole_of(fields["mines"]),
            known(fields, "board", board_of),
            known(fields, "bound", whole_of),
            known(fields, "repeat", Repeat.of),
            known(fields, "optimal_boards", count_of),
            known(fields, "distinct_boards", count_of),
            boards,
        )

    def headline(self, value: MaxMines) -> str:
        return str(value.mines)

    def draw(self, instance: Rectangle, value: MaxMines) -> str:
        lines = [f"mines: {value.mines}"]
        if value.bound is not None and value.bound > value.mines:
            lines.append(f"at most: {value.bound}")
        if value.optimal_boards is not None:
            lines.append(f"boards with as many: {decimal(value.optimal_boards)}")
        if value.distinct_boards is not None:
            lines.append(f"up to symmetry: {decimal(value.distinct_boards)}")
        if value.repeat is not None:
            repeat = value.repeat.fields()
            lines.append("{lines} {0} to {stop} stand {times} times:".format(repeat["start"] + 1, **repeat))
        if value.board is None:
            return "\n".join(lines)
        boards = [value.board] if value.boards is None else value.boards
        return "\n".join([*lines, *"\n\n".join("\n".join(mine_rows(board)) for board in boards).split("\n")])

    def verdict(self, instance: Rectangle, answer: Answer[MaxMines]) -> str:
        return "0" if answer.value is None else str(answer.value.mines)

    def read_verdict(self, instance: Rectangle, text: str) -> Answer[MaxMines]:
        return Answer.solved(MaxMines(whole_number(text), None))


def _broken_rules(board: NDArray[np.bool_], around: int) -> Iterator[str]:
    mines, empty = neighbour_counts(board), neighbour_counts(~board)
    for row, col in np.argwhere(board & (empty == 0)):
        yield f"the mine in row {row + 1}, column {col + 1} has no empty neighbour"
    for row, col in np.argwhere(~board & (mines > around)):
        fault = f"has {plural(mines[row, col], 'mine')} around, at most {around} allowed"
        yield f"the empty cell in row {row + 1}, column {col + 1} {fault}"


def _list_faults(instance: Rectangle, value: MaxMines) -> Iterator[str]:
    """What is wrong with the list of boards: their number, copies, other numbers of mines, broken rules."""
    best, different = value.optimal_boards, value.distinct_boards
    if any(number is not None and number < 1 for number in (best, different)):
        yield f"claimed: best boards {best}, up to symmetry {different}"
    if best is not None and different is not None and different > best:
        yield f"claimed: best boards {best}, and more up to symmetry, {different}"
    if value.boards is None:
        return
    if value.optimal_boards is not None and value.optimal_boards != len(value.boards):
        yield f"claimed {plural(value.optimal_boards, 'board')}, there are {len(value.boards)}"
    if len({board.tobytes() for board in value.boards}) < len(value.boards):
        yield "a board is there twice"
    for number, board in enumerate(value.boards, 1):
        if board.shape != (instance.rows, instance.cols) or np.count_nonzero(board) != value.mines:
            yield f"board {number} is of another size, or has another number of mines"
        else:
            yield from (f"board {number}: {fault}" for fault in _broken_rules(board, instance.around))


def render_all(instances: Sequence[Rectangle]) -> str:
    """One text with all of `instances`."""
    lines = [f"{instance.rows} {instance.cols} {instance.around}" for instance in instances]
    return "\n".join([str(len(lines)), *lines, ""])


def _line(document: Document, k: int, count: int) -> Rectangle:
    start, expected = document.at, f"{LINE} of instance {k} of {count}"
    values = document.integers(expected)
    if len(values) != 3:
        found = plural(len(values), "number")
        document.fail(found, expected, line=document.line - 1)
    return _rectangle(document, values, start)


def _rectangle(document: Document, values: list[int], start: int) -> Rectangle:
    """The instance of a line that begins at byte `start`, if its numbers are in range."""
    ranges = (("rows", "at least 1"), ("columns", "at least 1"), ("M", "1 to 8"))
    for k, (name, expected) in enumerate(ranges):
        if values[k] < 1 or (name == "M" and values[k] > 8):
            found = f"M = {values[k]}" if name == "M" else f"{values[k]} {name}"
            document.fail(found, expected, line=document.line - 1, column=_column(document, start, k))
    rows, cols, around = values
    return Rectangle(rows, cols, around)


def _column(document: Document, start: int, k: int) -> int:
    """Column of word k of the line that begins at byte `start`."""
    words = re.compile(rb"[^ ]+").finditer(document.data, start)
    return next(word.start() - start + 1 for index, word in enumerate(words) if index == k)


PROBLEM = MaxMinesProblem()
