"""Consistency: is there a placement of mines that a partly revealed board allows? (Codeforces gym 106368F)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer
from cpmines.board import MINE, UNKNOWN, Position, mine_rows, read_only
from cpmines.grid import neighbour_counts
from cpmines.positions.problem import PositionProblem, fault, places, wrong_shape
from cpmines.printed import says_yes

__all__ = ["PROBLEM", "Consistency", "Placement"]


@dataclass(frozen=True, eq=False)
class Placement:
    """Mines that satisfy a position.

    Attributes
    ----------
    mines
        bool of shape (rows, cols), read-only; None if the backend only says that there is a placement.
    """

    mines: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        if self.mines is not None:
            object.__setattr__(self, "mines", read_only(self.mines, np.bool_))


class Consistency(PositionProblem[Placement]):
    question = "Partly revealed board: is there a placement of mines?"
    warm_up = (
        "4 5\n01.1.\n.2.21\n..2..\n1...*\n",
        "4 6 7\n1....1\n.3..3.\n.3..3.\n1....1\n",
        "2 3\n.1.\n.2.\n",
    )

    def judge(self, instance: Position, value: Placement) -> list[str]:
        if value.mines is None:
            return []
        if shape := wrong_shape("placement", value.mines.shape, instance):
            return shape
        cells, mines = instance.cells, value.mines
        faults = [fault(cell, "the known mine is missing") for cell in places((cells == MINE) & ~mines)]
        faults += [fault(cell, "a mine on a clue") for cell in places((cells >= 0) & mines)]
        counts = neighbour_counts(mines)
        faults += [
            fault((row, col), f"the clue is {cells[row, col]}, mines around: {counts[row, col]}")
            for row, col in places((cells >= 0) & (cells != counts))
        ]
        placed = int(mines.sum())
        if instance.mines not in (None, placed):
            faults.append(f"the placement has {placed} mines, the total is {instance.mines}")
        return faults

    def to_json(self, value: Placement) -> dict[str, Any]:
        return {} if value.mines is None else {"mines": mine_rows(value.mines)}

    def headline(self, value: Placement) -> str:
        return "consistent" if value.mines is None else f"{int(value.mines.sum())} mines"

    def draw(self, instance: Position, value: Placement) -> str:
        if value.mines is None:
            return "consistent"
        characters = np.frombuffer(b"012345678.*", np.uint8)
        cells = np.where(value.mines & (instance.cells == UNKNOWN), MINE, instance.cells)
        return "\n".join(characters[row].tobytes().decode() for row in cells)

    def verdict(self, instance: Position, answer: Answer[Placement]) -> str:
        return "NO" if answer.value is None else "YES"

    def read_verdict(self, instance: Position, text: str) -> Answer[Placement]:
        return Answer.solved(Placement()) if says_yes(text) else Answer.infeasible()


PROBLEM = Consistency()
