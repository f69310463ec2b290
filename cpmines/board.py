"""Boards: cells with their codes, parsing, rendering, and a repr that can be pasted.

A cell is an int8: a clue 0-8, `MINE` or `UNKNOWN`. Arrays of a board are C-contiguous and read-only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cpmines.numerals import plural
from cpmines.text import Document, alphabet

__all__ = ["MINE", "UNKNOWN", "Board", "Position", "mine_rows", "parse_mine_rows", "read_only"]

MINE = -1
UNKNOWN = -2

CLUES = {str(clue): clue for clue in range(9)}
FINISHED = alphabet({**CLUES, ".": 0, "*": MINE})
OPEN = alphabet({**CLUES, **dict.fromkeys(".?#-", UNKNOWN), "*": MINE})


def read_only(array: ArrayLike, dtype: type[np.generic] = np.int8) -> NDArray[Any]:
    """A C-contiguous read-only view (or copy, if needed) of `array`; the argument keeps its own flags."""
    view = np.ascontiguousarray(array, dtype=dtype).view()
    view.setflags(write=False)
    return view


def mine_rows(mines: NDArray[np.bool_]) -> list[str]:
    """One string a row: ``*`` for a mine, ``.`` for none."""
    characters = np.where(mines, np.uint8(ord("*")), np.uint8(ord(".")))
    return [row.tobytes().decode() for row in characters]


def parse_mine_rows(rows: Sequence[str]) -> NDArray[np.bool_]:
    """Inverse of `mine_rows`; all characters but ``*`` count as none.

    Raises
    ------
    ValueError
        The rows are of different lengths.
    """
    return np.array([[character == "*" for character in row] for row in rows], dtype=np.bool_)


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """A finished board: every cell is a mine or a clue. ``.`` is the clue 0.

    Attributes
    ----------
    cells
        int8 of shape (rows, cols), read-only.

    >>> Board.parse("2 2\\n1*\\n.1").cells.tolist()
    [[1, -1], [0, 1]]
    """

    cells: NDArray[np.int8]

    characters = ".12345678*"
    lowest = MINE

    def __post_init__(self) -> None:
        given = np.asarray(self.cells)
        if not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"cells of dtype {given.dtype}, expected integers")
        if given.ndim != 2 or given.size == 0:
            raise ValueError(f"cells of shape {given.shape}, expected (rows, cols), both at least 1")
        if given.min() < self.lowest or given.max() > 8:
            raise ValueError(f"cells from {given.min()} to {given.max()}, expected {self.lowest} to 8")
        object.__setattr__(self, "cells", read_only(given))

    @classmethod
    def parse(cls, data: bytes | str, source: str = "-") -> Board:
        """Read ``rows cols`` and the rows.

        Raises
        ------
        InputError
        """
        document = Document(data, source)
        rows, cols = document.header("rows and columns", 2)
        cells = document.cells(rows, cols, FINISHED, "a mine *, a clue 1-8, or . (or 0) for no mine around")
        document.end()
        return cls(cells)

    @property
    def shape(self) -> tuple[int, int]:
        rows, cols = self.cells.shape
        return rows, cols

    def header(self) -> str:
        rows, cols = self.shape
        return f"{rows} {cols}"

    def rows(self) -> list[str]:
        """One string a row, as in the file."""
        table = np.frombuffer(self.characters.encode(), np.uint8)
        return [table[row].tobytes().decode() for row in self.cells]

    def __str__(self) -> str:
        return "\n".join([self.header(), *self.rows(), ""])

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


@dataclass(frozen=True, eq=False, repr=False)
class Position(Board):
    """A partly revealed board: clues, known mines, unknown cells, and perhaps the total number of mines.

    >>> Position.parse("1 3 1\\n.1?")
    Position.parse('1 3 1\\n.1.\\n')
    """

    mines: int | None = None

    characters = "012345678.*"
    lowest = UNKNOWN

    @classmethod
    def parse(cls, data: bytes | str, source: str = "-") -> Position:
        """Read ``rows cols [mines]`` and the rows.

        Raises
        ------
        InputError
        """
        document = Document(data, source)
        rows, cols, *total = document.header("rows, columns and perhaps the number of mines", 2, 3)
        if total and not 0 <= total[0] <= rows * cols:
            expected = f"0 to {rows * cols} on a {rows} x {cols} board"
            document.fail(plural(total[0], "mine"), expected, line=document.line - 1)
        cells = document.cells(rows, cols, OPEN, "a clue 0-8, a mine *, or . for unknown")
        document.end()
        return cls(cells, total[0] if total else None)

    def header(self) -> str:
        return super().header() + (f" {self.mines}" if self.mines is not None else "")
