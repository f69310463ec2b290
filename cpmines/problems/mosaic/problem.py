"""Mosaic: table of 3x3 sums with gaps, as in Mosaic or Fill-a-Pix: which boards have it, and is it one?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer
from cpmines.board import mine_rows, parse_mine_rows, read_only
from cpmines.files import read_sums
from cpmines.grid import box_sums
from cpmines.numerals import Shown, decimal, readable
from cpmines.printed import rows, says_no
from cpmines.problem import Picture, Problem
from cpmines.text import Document, alphabet

__all__ = ["GAP", "PROBLEM", "Mosaic", "Puzzle", "Solution"]

GAP = -1
SHOWN_FAULTS = 10
"""Of a wrong board, so many cells are named; the others are counted."""
SYMBOLS = alphabet({**{str(digit): digit for digit in range(10)}, ".": GAP, "?": GAP})
ENTRY = "a number 0-9, or . or ? for none"
WORD = re.compile(rb"[^ ]+")


@dataclass(frozen=True, eq=False, repr=False)
class Puzzle:
    """For some cells the number of mines in the 3x3 block around, the cell itself included.

    Attributes
    ----------
    sums
        int8 of shape (rows, cols), read-only: 0-9, or `GAP` where none is shown.

    >>> Puzzle.parse("2 3\\n1 -1 0\\n? 1 .\\n")
    Puzzle.parse('2 3\\n1.0\\n.1.\\n')
    """

    sums: NDArray[np.int8]

    def __post_init__(self) -> None:
        sums = np.asarray(self.sums)
        if sums.ndim != 2 or sums.size == 0:
            raise ValueError(f"sums of shape {sums.shape}, expected (rows, cols), both at least 1")
        if sums.min() < GAP or sums.max() > 9:
            raise ValueError(f"sums from {sums.min()} to {sums.max()}, expected 0 to 9, or {GAP} for a gap")
        object.__setattr__(self, "sums", read_only(sums))

    @classmethod
    def parse(cls, data: bytes | str, source: str = "-") -> Puzzle:
        """Read ``rows cols`` and the rows, or an ``.npy`` array.

        Numbers stand with or without spaces between them; a gap is ``.`` or ``?``, with spaces also ``-1``.

        Raises
        ------
        InputError
        """
        return cls(read_sums(data, source, GAP, rows_of))

    @property
    def shape(self) -> tuple[int, int]:
        rows, cols = self.sums.shape
        return rows, cols

    def __str__(self) -> str:
        characters = np.frombuffer(b"0123456789.", np.uint8)
        lines = [characters[row].tobytes().decode() for row in self.sums]
        return "\n".join(["{} {}".format(*self.shape), *lines, ""])

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Puzzle) and np.array_equal(self.sums, other.sums)

    def __hash__(self) -> int:
        return hash((self.shape, self.sums.tobytes()))


def rows_of(document: Document, rows: int, cols: int) -> NDArray[np.int8]:
    """The rows of a puzzle; the first one says whether spaces stand between the entries."""
    end = document.data.find(b"\n", document.at)
    first = document.data[document.at : end if end >= 0 else len(document.data)]
    if b" " not in first and cols > 1:
        return document.cells(rows, cols, SYMBOLS, ENTRY)
    document.dimensions(rows, cols)
    return np.array([spaced(document, row, rows, cols) for row in range(rows)], np.int8)


def spaced(document: Document, row: int, rows: int, cols: int) -> list[int]:
    """The next line, whose entries have spaces between them."""
    line = document.next_line()
    here = document.line - 1
    if line is None:
        document.fail("the end of the input", f"row {row + 1} of {rows}", line=document.line)
    entries = []
    for word in WORD.finditer(line):
        text = word.group()
        entry = GAP if text == b"-1" else int(SYMBOLS[text[0]]) if len(text) == 1 else None
        if entry is None or entry < GAP:
            expected = f"{ENTRY} (or -1)"
            document.fail(repr(text.decode("latin-1")), expected, line=here, column=word.start() + 1)
        entries.append(entry)
    if len(entries) != cols:
        found = f"{len(entries)} entr{'y' if len(entries) == 1 else 'ies'}"
        document.fail(found, f"{cols} in a row", line=here)
    return entries


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Shown):
    """One board with the shown sums, and what is known of all of them.

    Attributes
    ----------
    mines
        bool of shape (rows, cols), read-only.
    solutions
        How many boards have the sums; None if the backend does not count.
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

    @property
    def open_cells(self) -> int | None:
        """Number of cells in which the boards differ."""
        return None if self.forced is None else int((self.forced < 0).sum())


class Mosaic(Problem[Puzzle, Solution]):
    question = "Table of 3x3 sums with gaps: which boards have it, and is it only one?"
    determined = ("solutions", "forced")
    # None has many boards, as engines go through them; the last is too much for small tables, and searched.
    warm_up = (
        "3 4\n1.1.\n.2.1\n1..1\n",
        "2 2\n..\n..\n",
        "1 3\n1.1\n",
        "4 4\n2..2\n....\n.2..\n2..2\n",
        "7 7\n.......\n.76546.\n.66544.\n.64334.\n.43445.\n.32434.\n.......\n",
    )

    def parse(self, data: bytes | str, source: str = "-") -> list[Puzzle]:
        return [Puzzle.parse(data, source)]

    def render(self, instance: Puzzle) -> str:
        return str(instance)

    def describe(self, instance: Puzzle) -> str:
        return f"{'x'.join(map(str, instance.shape))}, {int((instance.sums >= 0).sum())} sums"

    def judge(self, instance: Puzzle, value: Solution) -> list[str]:
        for name, array in (("board", value.mines), ("array of forced cells", value.forced)):
            if array is not None and array.shape != instance.shape:
                return [f"{name} of shape {array.shape}, the puzzle has shape {instance.shape}"]
        found = box_sums(value.mines)
        cells = np.argwhere((instance.sums != found) & (instance.sums != GAP)).tolist()
        faults = [
            f"row {row + 1}, column {col + 1}: the puzzle shows {instance.sums[row, col]}, "
            f"the board has {found[row, col]}"
            for row, col in cells[:SHOWN_FAULTS]
        ]
        if len(cells) > SHOWN_FAULTS:
            faults.append(f"and {len(cells) - SHOWN_FAULTS} more cells")
        if value.forced is not None and ((value.forced >= 0) & (value.forced != value.mines)).any():
            faults.append("a cell that is claimed to be the same in all boards differs in the board shown")
        if value.solutions is not None and value.solutions < 1:
            faults.append(f"{value.solutions} boards claimed, and one shown")
        if value.solutions is not None and value.open_cells is not None:
            most = 1 << value.open_cells
            if not (value.solutions == 1 if most == 1 else 2 <= value.solutions <= most):
                faults.append(f"the boards differ in {value.open_cells} cells, which is not their number")
        return faults

    def to_json(self, value: Solution) -> dict[str, Any]:
        fields: dict[str, Any] = {"mines": mine_rows(value.mines)}
        if value.solutions is not None:
            fields["solutions"] = decimal(value.solutions)
        if value.forced is not None:
            fields["forced"] = cell_rows(value.forced)
        return fields

    def headline(self, value: Solution) -> str:
        if value.solutions is None:
            return "a board"
        return "unique" if value.solutions == 1 else f"{readable(value.solutions)} boards"

    def draw(self, instance: Puzzle, value: Solution) -> str:
        lines = [*mine_rows(value.mines), self.headline(value)]
        if value.open_cells:
            same = value.mines.size - value.open_cells
            lines[-1] += f"; what is the same in all, {same} of {value.mines.size} cells:"
            lines += cell_rows(value.forced)
        return "\n".join(lines)

    def picture(self, instance: Puzzle, value: Solution) -> Picture | None:
        return Picture(value.mines, instance.sums, None if value.forced is None else value.forced < 0)

    def verdict(self, instance: Puzzle, answer: Answer[Solution]) -> str:
        return "NO" if answer.value is None else "\n".join(mine_rows(answer.value.mines))

    def read_verdict(self, instance: Puzzle, text: str) -> Answer[Solution]:
        if says_no(text):
            return Answer.infeasible()
        return Answer.solved(Solution(parse_mine_rows(rows(text, instance.shape, "*."))))


def cell_rows(forced: NDArray[np.int8] | None) -> list[str]:
    """One string a row: ``*`` mine, ``.`` none, ``?`` open."""
    characters = np.frombuffer(b".*?", np.uint8)
    return [] if forced is None else [characters[row].tobytes().decode() for row in forced]


PROBLEM = Mosaic()
