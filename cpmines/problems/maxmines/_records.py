"""The record table: for each size and M the most mines, a board, and how they are known."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from cpmines.answer import Limits
from cpmines.board import mine_rows, parse_mine_rows
from cpmines.errors import InputError
from cpmines.files import shipped
from cpmines.problems.maxmines._frontier import ALL, Reductions
from cpmines.problems.maxmines.direct import prove
from cpmines.problems.maxmines.problem import PROBLEM, MaxMines, Rectangle

__all__ = ["Record", "append", "compute", "missing", "read", "shipped_records", "sizes"]


@dataclass(frozen=True)
class Record:
    """What is known of one size, the shorter side first.

    Attributes
    ----------
    mines, bound
        The mines of `board`, and an upper bound; the most mines if they are equal.
    proof
        What the bound rests on: ``theorem`` or ``frontier``.
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
    def proved(self) -> bool:
        return self.mines == self.bound

    @property
    def value(self) -> MaxMines:
        return replace(MaxMines.of(parse_mine_rows(self.board)), mines=self.mines, bound=self.bound)

    def line(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Record:
        """The record of a line. Raises `ValueError` or `TypeError` if it is none, or its board is wrong."""
        record = cls(**{**fields, "board": tuple(fields["board"]), "confirmed": tuple(fields["confirmed"])})
        if faults := PROBLEM.judge(record.size, record.value):
            raise ValueError(faults[0])
        return record


def sizes(most: int, squares: bool = False, least: int = 1) -> list[Rectangle]:
    """All sizes with sides from `least` to `most`, or the squares alone, small ones first, with every M."""
    sides = range(least, most + 1)
    shapes = [(rows, cols) for cols in sides for rows in sides if (rows == cols if squares else rows <= cols)]
    return [Rectangle(rows, cols, bound) for rows, cols in shapes for bound in range(1, 9)]


def compute(size: Rectangle, limits: Limits, kept: Reductions = ALL, theorems: bool = True) -> Record:
    """Solve one size; where a limit is met, `bound` is larger than `mines`."""
    start = time.perf_counter()
    proof = prove(size, limits.begin(), kept, theorems)
    seconds = round(time.perf_counter() - start, 6)
    board = tuple(mine_rows(proof.board))
    known = (proof.mines, proof.ceiling, proof.method, proof.effort.peak, seconds)
    return Record(size.rows, size.cols, size.bound, *known, board)


def read(path: Path) -> dict[Rectangle, Record]:
    """The records of a file; of several of one size the last. A last line that is cut off is left out.

    Raises
    ------
    InputError
        Another line is no record, or its board breaks the rules.
    """
    found = {}
    text = path.read_text()
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1], 1):
        try:
            record = Record.of(json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            raise InputError(f"a line that is no record ({error})", "a record", str(path), number) from None
        found[record.size] = record
    return found


def append(path: Path, records: Iterable[Record]) -> None:
    """Write records to the end of a file, each at once; a last line that is cut off is removed first."""
    text = path.read_text() if path.exists() else ""
    if not text.endswith("\n") and text:
        path.write_text(text[: text.rfind("\n") + 1])
    with path.open("a") as file:
        for record in records:
            file.write(record.line() + "\n")
            file.flush()


def shipped_records() -> dict[Rectangle, Record]:
    """The records that come with the package."""
    return read(shipped() / "maxmines" / "records.jsonl")


def missing(wanted: Iterable[Rectangle], known: Mapping[Rectangle, Record]) -> Iterator[Rectangle]:
    """The sizes of which nothing is known, or no proof."""
    return (size for size in wanted if size not in known or not known[size].proved)
