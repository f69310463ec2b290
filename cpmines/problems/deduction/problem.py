"""Deduction: what is certain about each unknown cell of a partly revealed board?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer
from cpmines.board import MINE, UNKNOWN, Position, read_only
from cpmines.fields import codes_of
from cpmines.grid import neighbour_counts
from cpmines.numerals import plural
from cpmines.positions.problem import PositionProblem, fault, places, wrong_shape
from cpmines.printed import rows, says_no
from cpmines.question import Asked, Question

__all__ = ["FORCED", "PROBLEM", "SAFE", "Deduction", "Deductions"]

SAFE, FORCED = 9, 10
"""Codes of unknown cells that are a mine in no placement, and in all of them."""

CHARACTERS = np.frombuffer(b"012345678sm?*", np.uint8)
"""By code; those of unknown and known mines, which are negative, at the end."""
CODES = {**{chr(character): code for code, character in enumerate(CHARACTERS[:-2])}, "?": UNKNOWN, "*": MINE}


@dataclass(frozen=True, eq=False)
class Deductions:
    """What is certain.

    Attributes
    ----------
    cells
        int8 of shape (rows, cols), read-only: the board's own codes, with `SAFE` and `FORCED` in unknown
        cells that are certain; those left `UNKNOWN` are a mine in some placements and none in others.
    """

    cells: NDArray[np.int8]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", read_only(self.cells))

    @classmethod
    def of(cls, position: Position, state: NDArray[np.int8]) -> Deductions:
        """From states: 1 for a mine in all placements, 0 in none, -1 in some; int8 (rows, cols)."""
        certain = np.choose(state + 1, np.array([UNKNOWN, SAFE, FORCED], np.int8))
        return cls(np.where(position.cells == UNKNOWN, certain, position.cells))

    def rows(self) -> list[str]:
        """One string a row: ``s`` safe, ``m`` mine, ``?`` open, or the board's own character."""
        return [CHARACTERS[row].tobytes().decode() for row in self.cells]


class Deduction(PositionProblem[Deductions]):
    summary = "Partly revealed board: which unknown cells are surely safe, which surely mines?"
    questions = (
        Question(
            "certain",
            "What is the same in all placements.",
            fields=("cells",),
            determined=("cells",),
        ),
    )
    printed = "certain"

    def judge(self, instance: Position, asked: Asked, value: Deductions) -> list[str]:
        if shape := wrong_shape("answer", value.cells.shape, instance):
            return shape
        cells, board = value.cells, instance.cells
        known = board != UNKNOWN
        faults = [fault(cell, "a known cell was changed") for cell in places(known & (cells != board))]
        codes = np.isin(cells, (UNKNOWN, SAFE, FORCED))
        faults += [fault(cell, "neither safe, mine nor open") for cell in places(~known & ~codes)]
        mines, maybe = (
            neighbour_counts((cells == MINE) | (cells == FORCED)),
            neighbour_counts(cells == UNKNOWN),
        )
        clue = board >= 0
        faults += [
            fault(
                (row, col), f"the clue is {board[row, col]}, {plural(mines[row, col], 'mine')} around claimed"
            )
            for row, col in places(clue & (mines > board))
        ]
        faults += [
            fault((row, col), f"the clue is {board[row, col]}, too many cells around are claimed to be safe")
            for row, col in places(clue & (mines + maybe < board))
        ]
        return faults

    def to_json(self, value: Deductions) -> dict[str, Any]:
        return {"cells": value.rows()}

    def from_json(self, fields: Mapping[str, Any]) -> Deductions:
        return Deductions(codes_of(fields["cells"], CODES))

    def headline(self, value: Deductions) -> str:
        safe, mines = int((value.cells == SAFE).sum()), int((value.cells == FORCED).sum())
        return f"{safe} safe, {plural(mines, 'mine')}, {int((value.cells == UNKNOWN).sum())} open"

    def draw(self, instance: Position, value: Deductions) -> str:
        return "\n".join(value.rows())

    def verdict(self, instance: Position, answer: Answer[Deductions]) -> str:
        return "NO" if answer.value is None else "\n".join(answer.value.rows())

    def read_verdict(self, instance: Position, text: str) -> Answer[Deductions]:
        if says_no(text):
            return Answer.infeasible()
        return Answer.solved(Deductions(codes_of(rows(text, instance.shape, "".join(CODES)), CODES)))


PROBLEM = Deduction()
