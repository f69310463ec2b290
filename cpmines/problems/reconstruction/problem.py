"""Reconstruction: which boards have this table of 3x3 sums? (Baltic OI 2010, "Mines")"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer
from cpmines.board import mine_rows, read_only
from cpmines.grid import box_sums
from cpmines.problem import Problem
from cpmines.text import Document, decimal

__all__ = ["PROBLEM", "Boards", "Reconstruction", "Table"]

SHOWN_FAULTS = 10
"""Of a wrong board, so many cells are named; the others are counted."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """For each cell the number of mines in the 3x3 block around it, the cell itself included.

    Attributes
    ----------
    sums
        int8 of shape (rows, cols), entries 0-9, read-only.

    >>> Table.parse("2 3\\n1 1 0\\n1 1 0\\n")
    Table.parse('2 3\\n110\\n110\\n')
    """

    sums: NDArray[np.int8]

    def __post_init__(self) -> None:
        sums = np.asarray(self.sums)
        if sums.ndim != 2 or sums.size == 0:
            raise ValueError(f"sums of shape {sums.shape}, expected (rows, cols), both at least 1")
        if sums.min() < 0 or sums.max() > 9:
            raise ValueError(f"sums from {sums.min()} to {sums.max()}, expected 0 to 9")
        object.__setattr__(self, "sums", read_only(sums))

    @classmethod
    def parse(cls, data: bytes | str, source: str = "-") -> Table:
        """Read ``rows cols`` and the rows of numbers, with or without spaces between them.

        Raises
        ------
        InputError
        """
        document = Document(data, source)
        rows, cols = document.header("rows and columns", 2)
        sums = document.digits(rows, cols)
        document.end()
        return cls(sums)

    @classmethod
    def of(cls, mines: NDArray[np.bool_]) -> Table:
        """The table of a board."""
        return cls(box_sums(np.ascontiguousarray(mines)))

    @property
    def shape(self) -> tuple[int, int]:
        rows, cols = self.sums.shape
        return rows, cols

    def __str__(self) -> str:
        lines = [row.tobytes().decode() for row in self.sums + np.int8(ord("0"))]
        return "\n".join(["{} {}".format(*self.shape), *lines, ""])

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and np.array_equal(self.sums, other.sums)

    def __hash__(self) -> int:
        return hash((self.shape, self.sums.tobytes()))


@dataclass(frozen=True, eq=False)
class Boards:
    """One board with the table, and what is known of all of them.

    Attributes
    ----------
    mines
        bool of shape (rows, cols), read-only.
    solutions
        How many boards have the table; None if the backend does not count.
    forced
        int8 of shape (rows, cols), read-only: 1 where all of them have a mine, 0 where none has, -1 where
        they differ; None if the backend does not know.
    """

    mines: NDArray[np.bool_]
    solutions: int | None = None
    forced: NDArray[np.int8] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "mines", read_only(self.mines, np.bool_))
        if self.forced is not None:
            object.__setattr__(self, "forced", read_only(self.forced))


class Reconstruction(Problem[Table, Boards]):
    question = "Table of 3x3 sums: which boards have it, and how many are there?"
    determined = ("solutions", "forced")
    warm_up = ("2 2\n11\n11\n",)

    def parse(self, data: bytes | str, source: str = "-") -> list[Table]:
        return [Table.parse(data, source)]

    def render(self, instance: Table) -> str:
        return str(instance)

    def describe(self, instance: Table) -> str:
        return "x".join(map(str, instance.shape))

    def judge(self, instance: Table, value: Boards) -> list[str]:
        for name, array in (("board", value.mines), ("array of forced cells", value.forced)):
            if array is not None and array.shape != instance.shape:
                return [f"{name} of shape {array.shape}, the table has shape {instance.shape}"]
        sums = box_sums(value.mines)
        cells = np.argwhere(sums != instance.sums).tolist()
        faults = [
            f"row {row + 1}, column {col + 1}: the table says {instance.sums[row, col]}, "
            f"the board has {sums[row, col]}"
            for row, col in cells[:SHOWN_FAULTS]
        ]
        if len(cells) > SHOWN_FAULTS:
            faults.append(f"and {len(cells) - SHOWN_FAULTS} more cells")
        return faults + _faults_of_forced(value) + _faults_of_count(value)

    def to_json(self, value: Boards) -> dict[str, Any]:
        fields: dict[str, Any] = {"mines": mine_rows(value.mines)}
        if value.solutions is not None:
            fields["solutions"] = decimal(value.solutions)
        if value.forced is not None:
            characters = np.frombuffer(b".*?", np.uint8)
            fields["forced"] = [characters[row].tobytes().decode() for row in value.forced]
        return fields

    def headline(self, value: Boards) -> str:
        if value.solutions is None:
            return "a board"
        return "unique" if value.solutions == 1 else f"{_readable(value.solutions)} boards"

    def draw(self, instance: Table, value: Boards) -> str:
        lines = [*mine_rows(value.mines), self.headline(value)]
        if value.solutions not in (None, 1) and value.forced is not None:
            same = int((value.forced >= 0).sum())
            lines[-1] += f", {same} of {value.forced.size} cells are the same in all"
        return "\n".join(lines)

    def verdict(self, instance: Table, answer: Answer[Boards]) -> str:
        if answer.value is None:
            return "NO"
        return "\n".join(row.replace("*", "X") for row in mine_rows(answer.value.mines))


def _faults_of_forced(value: Boards) -> list[str]:
    if value.forced is None:
        return []
    if value.forced.min() < -1 or value.forced.max() > 1:
        return ["the forced cells are not all 0, 1 or -1"]
    differing = np.argwhere((value.forced >= 0) & (value.forced != value.mines)).tolist()
    return [
        f"row {row + 1}, column {col + 1} is claimed to be {'a mine' if value.forced[row, col] else 'empty'} "
        "in all boards, the board shown differs"
        for row, col in differing[:SHOWN_FAULTS]
    ]


def _faults_of_count(value: Boards) -> list[str]:
    if value.solutions is None:
        return []
    if value.solutions < 1:
        return [f"{decimal(value.solutions)} boards claimed, and one shown"]
    if value.forced is None:
        return []
    varying = int((value.forced < 0).sum())
    if value.solutions == 1 and varying:
        return [f"one board claimed, and {varying} cells that are not the same in all"]
    if value.solutions.bit_length() > varying + 1 or value.solutions > 1 << varying:
        return [f"{_readable(value.solutions)} boards claimed, and {varying} cells in which they differ"]
    return []


def _readable(count: int) -> str:
    """A number of any size in a few characters: 12, 2^2000, about 3.1e45."""
    if count < 10**9:
        return str(count)
    if count.bit_count() == 1:
        return f"2^{count.bit_length() - 1}"
    exponent, fraction = divmod(math.log10(count), 1)
    return f"about {10**fraction:.2f}e{exponent:.0f}"


PROBLEM = Reconstruction()
