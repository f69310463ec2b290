"""Mosaic: table of 3x3 sums with gaps, as in Mosaic or Fill-a-Pix: is there only one board?"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.numerals import plural
from cpmines.sums import questions
from cpmines.sums.problem import SumsProblem
from cpmines.sums.table import GAP, Table
from cpmines.text import Document, alphabet

__all__ = ["GAP", "PROBLEM", "Mosaic", "Puzzle"]

SYMBOLS = alphabet({**{str(digit): digit for digit in range(10)}, ".": GAP, "?": GAP})
ENTRY = "a number 0-9, or . or ? for none"
WORD = re.compile(rb"[^ ]+")


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
class Puzzle(Table):
    """A table with gaps: `GAP` where no sum is shown, as text ``.`` or ``?``, with spaces also ``-1``.

    >>> Puzzle.parse("2 3\\n1 -1 0\\n? 1 .\\n")
    Puzzle.parse('2 3\\n1.0\\n.1.\\n')
    """

    lowest = GAP

    @staticmethod
    def rows_of(document: Document, rows: int, cols: int) -> NDArray[np.int8]:
        """The first row says whether spaces stand between the entries."""
        end = document.data.find(b"\n", document.at)
        first = document.data[document.at : end if end >= 0 else len(document.data)]
        if b" " not in first and cols > 1:
            return document.cells(rows, cols, SYMBOLS, ENTRY)
        document.dimensions(rows, cols)
        return np.array([spaced(document, row, rows, cols) for row in range(rows)], np.int8)


class Mosaic(SumsProblem[Puzzle]):
    summary = "Table of 3x3 sums with gaps: which boards have it, and is it only one?"
    questions = (
        questions.UNIQUE,
        questions.BOARD,
        questions.COUNT,
        questions.FORCED,
        questions.FACTS,
        questions.ALL,
        questions.NEAREST,
    )
    # None has many boards, as engines go through them; the last is too much for small tables, and searched.
    warm_up = (
        "3 4\n1.1.\n.2.1\n1..1\n",
        "2 2\n..\n..\n",
        "1 3\n1.1\n",
        "4 4\n2..2\n....\n.2..\n2..2\n",
        "7 7\n.......\n.76546.\n.66544.\n.64334.\n.43445.\n.32434.\n.......\n",
    )
    table = Puzzle

    def describe(self, instance: Puzzle) -> str:
        return f"{super().describe(instance)}, {plural(int((instance.sums != GAP).sum()), 'sum')}"


PROBLEM = Mosaic()
