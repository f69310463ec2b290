"""What is known of the boards with a table of sums: the value of an answer, its JSON, and it as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.board import mine_rows, read_only
from cpmines.fields import board_of, codes_of, count_of, known, whole_of
from cpmines.grid import box_sums
from cpmines.numerals import Shown, decimal, plural, readable
from cpmines.sums.table import GAP, Sums

__all__ = ["OPEN", "Boards", "common", "differences"]

Mask = NDArray[np.bool_]

OPEN = -1
CODES = {".": 0, "*": 1, "?": OPEN}
WRONG = ("row", "col", "shown", "mines")


@dataclass(frozen=True, eq=False, repr=False)
class Boards(Shown):
    """One board, and what is known of all with the same sums. What is not known is None.

    Attributes
    ----------
    mines
        bool of shape (rows, cols), read-only.
    solutions
        How many boards have the sums.
    forced
        int8 of shape (rows, cols), read-only: 1 where all of them have a mine, 0 where none has, `OPEN` where
        they differ.
    unique
        Is there no other board?
    other
        Another one, like `mines`, where there is one.
    boards
        Those that were asked for, each like `mines`.
    mine_count
        The fewest or the most mines, where they were asked for.
    wrong
        For the board with the nearest table: int32 of shape (entries, 4), read-only, with row, column, entry
        and number of mines of each entry that is not the board's.
    """

    mines: Mask
    solutions: int | None = None
    forced: Sums | None = None
    unique: bool | None = None
    other: Mask | None = None
    boards: tuple[Mask, ...] | None = None
    mine_count: int | None = None
    wrong: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        kinds = {"mines": np.bool_, "other": np.bool_, "forced": np.int8, "wrong": np.int32}
        for name, kind in kinds.items():
            if (array := getattr(self, name)) is not None:
                object.__setattr__(self, name, read_only(array, kind))
        if self.boards is not None:
            object.__setattr__(self, "boards", tuple(read_only(board, np.bool_) for board in self.boards))

    @classmethod
    def seen(cls, boards: Sequence[Mask] | Mask, complete: bool) -> Boards:
        """What these boards, at least one, say if they are all with the sums, or some of them."""
        if not complete:
            return cls(boards[0]) if len(boards) == 1 else cls(boards[0], unique=False, other=boards[1])
        other = boards[1] if len(boards) > 1 else None
        return cls(boards[0], len(boards), common(np.asarray(boards)), other is None, other)

    @classmethod
    def near(cls, sums: Sums, mines: Mask) -> Boards:
        """A board and the entries of `sums` that are wrong if it is right."""
        return cls(mines, wrong=differences(sums, mines))

    @property
    def distance(self) -> int | None:
        """Sum of the differences to the table, where the nearest one was asked for."""
        return None if self.wrong is None else int(np.abs(self.wrong[:, 2] - self.wrong[:, 3]).sum())

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Boards:
        """Inverse of `to_json`. Raises what `Problem.from_json` does."""
        boards, wrong = fields.get("boards"), fields.get("wrong")
        if boards is not None:
            boards = tuple(map(board_of, boards))
        if wrong is not None:
            entries = [[whole_of(entry[name]) for name in WRONG] for entry in wrong]
            wrong = np.array(entries, np.int32).reshape(-1, len(WRONG))
            whole_of(fields["distance"])
        if type(fields.get("unique", True)) is not bool:
            raise ValueError("unique is neither true nor false")
        value = cls(
            board_of(fields["mines"]),
            known(fields, "solutions", count_of),
            known(fields, "forced", lambda rows: codes_of(rows, CODES)),
            fields.get("unique"),
            known(fields, "other", board_of),
            boards,
            known(fields, "mine_count", whole_of),
            wrong,
        )
        if value.to_json() != dict(fields):
            raise ValueError(f"other fields than a value has: {', '.join(fields)}")
        return value

    def to_json(self) -> dict[str, Any]:
        """The fields that are known."""
        fields: dict[str, Any] = {"mines": mine_rows(self.mines)}
        if self.unique is not None:
            fields["unique"] = self.unique
        if self.other is not None:
            fields["other"] = mine_rows(self.other)
        if self.solutions is not None:
            fields["solutions"] = decimal(self.solutions)
        if self.forced is not None:
            fields["forced"] = code_rows(self.forced)
        if self.boards is not None:
            fields["boards"] = [mine_rows(board) for board in self.boards]
        if self.mine_count is not None:
            fields["mine_count"] = self.mine_count
        if self.wrong is not None:
            fields["distance"] = self.distance
            fields["wrong"] = [dict(zip(WRONG, entry, strict=True)) for entry in self.wrong.tolist()]
        return fields

    def headline(self) -> str:
        """What is known, in a few characters."""
        if self.wrong is not None:
            return f"distance {self.distance}"
        if self.mine_count is not None:
            return plural(self.mine_count, "mine")
        if self.solutions == 1 or self.unique:
            return "unique"
        if self.solutions is not None:
            return plural(self.solutions, "board", readable)
        if self.unique is False:
            return "not unique"
        if self.forced is None:
            return "a board"
        return f"{plural(int((self.forced != OPEN).sum()), 'cell')} forced"

    def lines(self) -> list[str]:
        """The value as text, for people."""
        if self.boards is not None:
            count = len(self.boards)
            of = "" if self.solutions is None else f"{count} of "
            last = of + plural(count if self.solutions is None else self.solutions, "board", readable)
            return [line for board in self.boards for line in (*mine_rows(board), "")] + [last]
        lines = [*mine_rows(self.mines), self.headline()]
        if self.wrong is not None:
            entries = len(self.wrong)
            lines[-1] += f", {entries} wrong entr{'y' if entries == 1 else 'ies'}"
            lines += [
                f"row {row + 1}, column {col + 1} shows {shown}, the board has {mines}"
                for row, col, shown, mines in self.wrong.tolist()
            ]
        elif self.forced is not None and (self.forced == OPEN).any():
            same = int((self.forced != OPEN).sum())
            lines[-1] += f", {same} of {self.forced.size} cells are the same in all"
            lines += code_rows(self.forced) if same else []
        elif self.other is not None:
            lines += ["another board:", *mine_rows(self.other)]
        return lines


def common(boards: NDArray[np.bool_]) -> Sums:
    """1 and 0 where these boards are the same, `OPEN` where they are not; int8 (rows, cols).

    Parameters
    ----------
    boards
        bool (boards, rows, cols).
    """
    always, ever = boards.all(axis=0), boards.any(axis=0)
    return np.where(always == ever, ever, OPEN).astype(np.int8)


def code_rows(forced: Sums) -> list[str]:
    """One string a row: ``*`` mine, ``.`` none, ``?`` open."""
    characters = np.frombuffer("".join(CODES).encode(), np.uint8)
    return [characters[row].tobytes().decode() for row in forced]


def differences(sums: Sums, mines: Mask) -> NDArray[np.int32]:
    """Row, column, entry and number of mines of each entry that is not the board's; int32 (entries, 4)."""
    true = box_sums(np.ascontiguousarray(mines))
    row, col = np.nonzero((true != sums) & (sums != GAP))
    return np.stack([row, col, sums[row, col], true[row, col]], axis=1).astype(np.int32)
