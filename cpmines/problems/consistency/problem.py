"""Consistency: is there a placement of mines that a partly revealed board allows? (Codeforces gym 106368F)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer
from cpmines.board import MINE, UNKNOWN, Position, mine_rows, read_only
from cpmines.fields import board_of, known
from cpmines.numerals import plural
from cpmines.positions.problem import PositionProblem, placement_faults
from cpmines.printed import says_yes
from cpmines.question import Asked, Question

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
    summary = "Partly revealed board: is there a placement of mines?"
    questions = (
        Question("placement", "Mines that satisfy every clue, and the total.", fields=("mines",)),
        Question("exists", "Is there such a placement?"),
    )
    printed = "exists"

    def judge(self, instance: Position, asked: Asked, value: Placement) -> list[str]:
        return [] if value.mines is None else placement_faults(instance, value.mines)

    def to_json(self, value: Placement) -> dict[str, Any]:
        return {} if value.mines is None else {"mines": mine_rows(value.mines)}

    def from_json(self, fields: Mapping[str, Any]) -> Placement:
        return Placement(known(fields, "mines", board_of))

    def headline(self, value: Placement) -> str:
        return "consistent" if value.mines is None else plural(int(value.mines.sum()), "mine")

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
