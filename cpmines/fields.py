"""JSON fields of a value read back, as strictly as they are written: anything else raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.board import mine_rows, parse_mine_rows
from cpmines.numerals import whole

__all__ = ["board_of", "codes_of", "count_of", "known", "whole_of"]

T = TypeVar("T")

LARGEST = 10**40 - 1
"""Beyond all numbers of lines and mines that an instance can have."""


def known(fields: Mapping[str, Any], name: str, read: Callable[[Any], T]) -> T | None:
    """The field as `read` reads it; None if it is left out, as what is not known is."""
    return read(fields[name]) if name in fields else None


def board_of(rows: Any) -> NDArray[np.bool_]:
    """Mines of a board, bool (rows, cols); inverse of `mine_rows`. Raises ValueError for anything else."""
    board = parse_mine_rows(rows)
    if board.ndim != 2 or mine_rows(board) != rows:
        raise ValueError("rows of another form than mines * and others .")
    return board


def codes_of(rows: Any, codes: Mapping[str, int]) -> NDArray[np.int8]:
    """The codes of rows of characters, int8 (rows, cols).

    Raises
    ------
    ValueError, KeyError
        They are not a list of strings, have different lengths, or a character without a code.
    """
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not all(type(row) is str for row in rows):
        raise ValueError(f"{type(rows).__name__}, expected a list of strings")
    table = np.array([[codes[character] for character in row] for row in rows], np.int8)
    if table.ndim != 2:
        raise ValueError("rows of different lengths")
    return table


def count_of(text: Any) -> int:
    """A count that is written as decimal digits; inverse of `cpmines.numerals.decimal`. Raises ValueError."""
    if not isinstance(text, str) or not text.isascii() or not text.isdecimal():
        raise ValueError(f"the count {str(text)[:40]!r}")
    if text != "0" and text[0] == "0":
        raise ValueError(f"the count {text[:40]!r} with a zero in front")
    return whole(text)


def whole_of(number: Any) -> int:
    """A whole number of JSON: True, 1.0 and those of more than 40 digits are none. Raises ValueError."""
    if type(number) is not int or abs(number) > LARGEST:
        raise ValueError(f"{type(number).__name__}, expected a whole number of at most 40 digits")
    return number
