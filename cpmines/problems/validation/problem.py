"""Validation: is every clue of a finished board right? (Codeforces 984B)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cpmines.answer import Answer
from cpmines.board import MINE, Board, read_only
from cpmines.fields import known, whole_of
from cpmines.grid import neighbour_counts
from cpmines.printed import says_yes
from cpmines.problem import Problem
from cpmines.question import Asked, Question

__all__ = ["PROBLEM", "Validation", "Validity"]


SHOWN = {character: clue for clue, character in enumerate(Board.characters[:-1])}
"""Clues by their characters."""


@dataclass(frozen=True, eq=False)
class Validity:
    """Whether every clue is right, and which are not.

    Attributes
    ----------
    wrong
        The wrong cells in reading order: int32 of shape (wrong, 4), read-only, with the columns row, column,
        clue shown, mines around. None if the backend only says yes or no.
    """

    valid: bool
    wrong: NDArray[np.int32] | None = None

    @classmethod
    def of(cls, wrong: ArrayLike) -> Validity:
        """The verdict that follows from the list of all wrong cells."""
        cells = read_only(np.reshape(np.asarray(wrong, np.int32), (-1, 4)), np.int32)
        return cls(len(cells) == 0, cells)


class Validation(Problem[Board, Validity]):
    summary = "Finished board: which clues are wrong?"
    questions = (
        Question(
            "wrong", "All clues that are wrong.", fields=("valid", "wrong"), determined=("valid", "wrong")
        ),
        Question("valid", "Is every clue right?", fields=("valid",), determined=("valid",)),
    )
    printed = "valid"
    warm_up = ("2 3\n1*1\n121\n",)

    def parse(self, data: bytes | str, source: str = "-") -> list[Board]:
        return [Board.parse(data, source)]

    def render(self, instance: Board) -> str:
        return str(instance)

    def size(self, instance: Board) -> int:
        return instance.cells.size

    def describe(self, instance: Board) -> str:
        return "x".join(map(str, instance.shape))

    def judge(self, instance: Board, asked: Asked, value: Validity) -> list[str]:
        mines = neighbour_counts(instance.cells == MINE)
        rows, cols = np.nonzero((instance.cells != mines) & (instance.cells != MINE))
        if value.valid != (len(rows) == 0):
            return [f"claimed {'valid' if value.valid else 'not valid'}, wrong cells: {len(rows)}"]
        true = np.stack([rows, cols, instance.cells[rows, cols], mines[rows, cols]], axis=1)
        if value.wrong is None or np.array_equal(true, value.wrong):
            return []
        claimed = {tuple(cell) for cell in value.wrong.tolist()}
        actual = {tuple(cell) for cell in true.tolist()}
        faults = [_fault("is wrong but not reported", cell) for cell in sorted(actual - claimed)]
        faults += [_fault("was reported, which is not so", cell) for cell in sorted(claimed - actual)]
        return faults or ["the wrong cells are not in reading order, or one is repeated"]

    def to_json(self, value: Validity) -> dict[str, Any]:
        fields: dict[str, Any] = {"valid": value.valid}
        if value.wrong is not None:
            fields["wrong"] = [
                {"row": row, "col": col, "shown": Board.characters[shown], "mines": mines}
                for row, col, shown, mines in value.wrong.tolist()
            ]
        return fields

    def from_json(self, fields: Mapping[str, Any]) -> Validity:
        valid = fields["valid"]
        if type(valid) is not bool:
            raise ValueError(f"valid {valid!r}, expected true or false")
        return Validity(valid, known(fields, "wrong", _wrong_cells))

    def headline(self, value: Validity) -> str:
        if value.valid:
            return "valid"
        return "not valid" if value.wrong is None else f"{len(value.wrong)} wrong"

    def draw(self, instance: Board, value: Validity) -> str:
        if value.valid:
            return "valid: every clue is right"
        if value.wrong is None:
            return "not valid"
        lines = [
            f"row {row + 1}, column {col + 1} shows {Board.characters[shown]}, mines around: {mines}"
            for row, col, shown, mines in value.wrong.tolist()
        ]
        return "\n".join([f"not valid, wrong cells: {len(lines)}", *lines])

    def verdict(self, instance: Board, answer: Answer[Validity]) -> str:
        return "YES" if answer.value is not None and answer.value.valid else "NO"

    def read_verdict(self, instance: Board, text: str) -> Answer[Validity]:
        return Answer.solved(Validity(says_yes(text)))


def _wrong_cells(cells: Any) -> NDArray[np.int32]:
    rows = [
        (whole_of(cell["row"]), whole_of(cell["col"]), SHOWN[cell["shown"]], whole_of(cell["mines"]))
        for cell in cells
    ]
    return np.array(rows, np.int32).reshape(-1, 4)


def _fault(what: str, cell: tuple[int, ...]) -> str:
    row, col, shown, mines = cell
    return f"row {row + 1}, column {col + 1} {what} (shows {shown}, mines around: {mines})"


PROBLEM = Validation()
