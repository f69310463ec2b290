"""The record table: for each size and M the most mines, a board, and how they are known."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines import files
from cpmines.answer import Answer, Limits, Status
from cpmines.board import mine_rows, parse_mine_rows
from cpmines.errors import CpminesError, InputError
from cpmines.outputs import appended
from cpmines.problems.maxmines.backends.direct import prove
from cpmines.problems.maxmines.frontier import ALL, Reductions
from cpmines.problems.maxmines.problem import PROBLEM, MaxMines, Rectangle

__all__ = ["BoardRecord", "TableConflictError", "append", "compute", "read", "shipped_records", "sizes"]

PROOFS = ("theorem", "bound", "frontier")


class TableConflictError(CpminesError):
    """Two methods have proved different numbers."""

    exit_code = 1


@dataclass(frozen=True)
class BoardRecord:
    """What is known of one size, the shorter side first.

    Attributes
    ----------
    mines, bound
        The mines of `board`, and an upper bound; the most mines if they are equal.
    proof
        What the bound rests on: ``theorem``, ``bound`` (by counting) or ``frontier``.
    confirmed
        Backends that have proved the same most mines.
    states
        The states of the largest layer of the proof; 0 if it has none.
    seconds
        Wall time of board and bound.
    """

    rows: int
    cols: int
    M: int
    mines: int
    bound: int
    proof: str
    states: int
    seconds: float
    board: tuple[str, ...]
    confirmed: tuple[str, ...] = ()

    @property
    def size(self) -> Rectangle:
        return Rectangle(self.rows, self.cols, self.M)

    @property
    def name(self) -> str:
        return f"{self.rows}x{self.cols}_M{self.M}"

    @property
    def proved(self) -> bool:
        return self.mines == self.bound

    @property
    def known(self) -> str:
        """The most mines, or from how many to how many they may be."""
        return str(self.mines) if self.proved else f"{self.mines}-{self.bound}"

    @property
    def title(self) -> str:
        mines = f"{self.known} mine{'s' * (self.bound != 1)}"
        return f"{self.rows}x{self.cols}, M = {self.M}: {mines}"

    @property
    def cells(self) -> NDArray[np.bool_]:
        return parse_mine_rows(self.board)

    def __str__(self) -> str:
        mines = f"{self.mines}" if self.proved else f"{self.mines} to {self.bound}"
        return f"{self.rows}x{self.cols} M={self.M}: {mines}"

    @property
    def value(self) -> MaxMines:
        return replace(MaxMines.of(self.cells), mines=self.mines, bound=self.bound)

    def line(self) -> str:
        return json.dumps(asdict(self))

    def joined(self, other: BoardRecord | None) -> BoardRecord:
        """What two records of one size know together: the better board, the lower bound and its proof."""
        if other is None:
            return self
        best = max(self, other, key=lambda one: one.mines)
        return replace(min(self, other, key=lambda one: one.bound), mines=best.mines, board=best.board)

    def confirmed_by(self, method: str, answer: Answer[MaxMines]) -> BoardRecord:
        """The record with `method` among those that have proved it, if the answer does; it passed the judge.

        Raises
        ------
        TableConflictError
            The answer has another number of mines, or a better board.
        """
        if answer.value is None:
            return self
        solved, mines = answer.status is Status.SOLVED, answer.value.mines
        if mines > self.bound or (solved and mines < self.mines):
            said = f"{self.proof} says {self.mines} to {self.bound}, {method} {mines}"
            raise TableConflictError(f"{self.rows}x{self.cols}, M = {self.M}: {said}")
        if not solved or not self.proved or method in self.confirmed:
            return self
        return replace(self, confirmed=(*self.confirmed, method))

    def _right_types(self) -> dict[str, bool]:
        """For each field but the board, which is judged: is it what it should be?"""
        counts = {name: getattr(self, name) for name in ("rows", "cols", "M", "mines", "bound", "states")}
        numbers = {name: type(count) is int and count >= 0 for name, count in counts.items()}
        seconds = isinstance(self.seconds, int | float) and 0 <= self.seconds < math.inf
        names = all(isinstance(name, str) for name in self.confirmed)
        return {**numbers, "seconds": seconds, "proof": self.proof in PROOFS, "confirmed": names}

    @classmethod
    def of(cls, fields: dict[str, Any]) -> BoardRecord:
        """The record of a line. Raises `ValueError` or `TypeError` if it is none, or its board is wrong."""
        record = cls(**{**fields, "board": tuple(fields["board"]), "confirmed": tuple(fields["confirmed"])})
        if wrong := [name for name, right in record._right_types().items() if not right]:
            raise ValueError(f"{wrong[0]}: {fields[wrong[0]]!r}")
        if not set("".join(record.board)) <= set("*.") or record.bound > record.rows * record.cols:
            raise ValueError(f"board: {fields['board']!r:.80}, bound: {record.bound}")
        if faults := PROBLEM.judge(record.size, PROBLEM.ask(), record.value):
            raise ValueError(faults[0])
        return record


def sizes(
    most: int, squares: bool = False, least: int = 1, bounds: Iterable[int] = range(1, 9)
) -> list[Rectangle]:
    """All sizes with sides from `least` to `most`, or the squares alone, small ones first, with each M."""
    sides = range(least, most + 1)
    shapes = [(rows, cols) for cols in sides for rows in sides if (rows == cols if squares else rows <= cols)]
    return [Rectangle(rows, cols, around) for rows, cols in shapes for around in bounds]


def compute(size: Rectangle, limits: Limits, kept: Reductions = ALL, theorems: bool = True) -> BoardRecord:
    """Solve one size; where a limit is met, `bound` is larger than `mines`."""
    start = time.perf_counter()
    proof = prove(size, limits.begin(), kept, theorems)
    seconds = round(time.perf_counter() - start, 6)
    board = tuple(mine_rows(proof.board))
    known = (proof.mines, proof.ceiling, proof.method, proof.effort.peak, seconds)
    return BoardRecord(size.rows, size.cols, size.around, *known, board)


BEGIN = b'{"rows": '
"""Of the line of a record: what is cut off after it is taken for one that was not written to its end."""


def read(path: Path) -> dict[Rectangle, BoardRecord]:
    """The records of a file; of several of one size the last. A last line that is cut off is left out.

    Raises
    ------
    InputError
        It can't be read, another line is no record, or its board breaks the rules.
    """
    found = {}
    *lines, last = files.read(path).split(b"\n")
    if not (last.startswith(BEGIN) or BEGIN.startswith(last)):
        raise InputError("a last line that is no record", "a record", str(path), len(lines) + 1)
    for number, line in enumerate(lines, 1):
        try:
            record = BoardRecord.of(json.loads(line.decode()))
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
            raise InputError(f"a line that is no record ({error})", "a record", str(path), number) from None
        found[record.size] = record
    return found


def append(path: Path, records: Iterable[BoardRecord]) -> None:
    """Write records to the end of a file, each at once; a last line that is cut off is removed first.

    The folders above it are made.
    Each is written as a whole, so several may write to one file.

    Raises
    ------
    UsageError
        The file can't be written.
    """
    with appended(path) as file:
        if file.readable():
            file.seek(0)
            known = file.read()
            file.truncate(known.rfind(b"\n") + 1)
        for record in records:
            file.write(record.line().encode() + b"\n")
            file.flush()


def shipped_records() -> dict[Rectangle, BoardRecord]:
    """The records that come with the package."""
    return read(files.shipped() / "maxmines" / "records.jsonl")
