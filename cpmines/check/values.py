"""Values of answers read back from their JSON fields, as strictly as they are written."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.board import CLUE_CHARACTERS, MINE, UNKNOWN, mine_rows, parse_mine_rows
from cpmines.check.verdict import Rejected

__all__ = ["board_of", "value_of"]

Fields = dict[str, Any]
LARGEST = 10**40 - 1
"""Beyond all numbers of lines and mines that an instance can have."""


def value_of(problem: str, fields: Any) -> Any:
    """The value with these JSON fields. Raises `Rejected` if they are not those of a value."""
    try:
        return READERS[problem](fields)
    except (TypeError, KeyError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise Rejected(f"the value in answer.json can't be read: {type(error).__name__} {error}") from None


def board_of(rows: Any) -> NDArray[np.bool_]:
    """Inverse of `mine_rows`; raises ValueError for anything else."""
    board = parse_mine_rows(rows)
    if board.ndim != 2 or mine_rows(board) != rows:
        raise ValueError("rows of another form than mines * and others .")
    return board


def codes_of(rows: list[str], codes: dict[str, int]) -> NDArray[np.int8]:
    table = np.array([[codes[character] for character in row] for row in rows], np.int8)
    if table.ndim != 2:
        raise ValueError("rows of different lengths")
    return table


def number_of(text: Any) -> int:
    """A count that is written as decimal digits; inverse of `decimal`."""
    if not isinstance(text, str) or not text.isascii() or not text.isdecimal():
        raise ValueError(f"the count {str(text)[:40]!r}")
    return int(Decimal(text))


def _placement(fields: Fields) -> Any:
    from cpmines.problems.consistency.problem import Placement

    return Placement(board_of(fields["mines"]))


def _deductions(fields: Fields) -> Any:
    from cpmines.problems.deduction.problem import FORCED, SAFE, Deductions

    clues = {clue: int(clue) for clue in CLUE_CHARACTERS}
    return Deductions(codes_of(fields["cells"], {**clues, "s": SAFE, "m": FORCED, "?": UNKNOWN, "*": MINE}))


def _counts(fields: Fields) -> Any:
    from cpmines.problems.counting.problem import Counts

    by_mines = fields.get("by_mines")
    if by_mines is not None:
        by_mines = {int(mines): number_of(count) for mines, count in by_mines.items()}
    rows = [[math.nan if entry is None else float(entry) for entry in row] for row in fields["probability"]]
    return Counts(number_of(fields["count"]), by_mines, np.array(rows, np.float64))


def _solution(fields: Fields) -> Any:
    from cpmines.problems.mosaic.problem import Solution

    return Solution(board_of(fields["mines"]), *_facts(fields))


def _boards(fields: Fields) -> Any:
    from cpmines.problems.reconstruction.problem import Boards, Reason

    if "reason" in fields:
        for name in ("sum", "least", "most"):
            _whole(fields["reason"][name])
        return Reason.from_json(fields["reason"])
    return Boards(board_of(fields["mines"]), *_facts(fields))


def _facts(fields: Fields) -> tuple[int | None, NDArray[np.int8] | None]:
    """The number of boards and what is the same in all."""
    solutions, forced = fields.get("solutions"), fields.get("forced")
    return (
        None if solutions is None else number_of(solutions),
        None if forced is None else codes_of(forced, {".": 0, "*": 1, "?": -1}),
    )


def _most(fields: Fields) -> Any:
    from cpmines.problems.maxmines.problem import MaxMines, Repeat

    repeat = fields.get("repeat")
    if repeat is not None:
        axis = ("rows", "columns").index(repeat["lines"])
        repeat = Repeat(axis, *(_whole(repeat[name]) for name in ("start", "stop", "times")))
    bound = _whole(fields["bound"]) if "bound" in fields else None
    return MaxMines(_whole(fields["mines"]), board_of(fields["board"]), bound, repeat)


def _whole(number: Any) -> int:
    if type(number) is not int or abs(number) > LARGEST:
        raise ValueError(f"{type(number).__name__}, expected a whole number of at most 40 digits")
    return number


def _verdict(fields: Fields) -> Any:
    from cpmines.board import Board
    from cpmines.problems.validation.problem import Validity

    if type(fields["valid"]) is not bool:
        raise ValueError("valid is neither true nor false")
    if "wrong" not in fields:
        return Validity(fields["valid"])
    wrong = [
        (
            _whole(cell["row"]),
            _whole(cell["col"]),
            Board.characters.index(cell["shown"]),
            _whole(cell["mines"]),
        )
        for cell in fields["wrong"]
    ]
    return Validity(fields["valid"], np.array(wrong, np.int32).reshape(-1, 4))


READERS: dict[str, Callable[[Fields], Any]] = {
    "consistency": _placement,
    "counting": _counts,
    "deduction": _deductions,
    "maxmines": _most,
    "mosaic": _solution,
    "reconstruction": _boards,
    "validation": _verdict,
}
