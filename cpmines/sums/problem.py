"""What problems on tables of sums have in common, but for their questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from cpmines.answer import Answer
from cpmines.board import mine_rows, parse_mine_rows
from cpmines.printed import rows, says_no
from cpmines.problem import Picture, Problem
from cpmines.question import Asked
from cpmines.sums.boards import OPEN, Boards
from cpmines.sums.judge import faults_of_boards
from cpmines.sums.table import Table

__all__ = ["SumsProblem"]

T = TypeVar("T", bound=Table)


class SumsProblem(Problem[T, Any]):
    """Which boards have these sums? Values are `Boards`; a subclass may have other ones as well.

    Attributes
    ----------
    table
        The class of the instances.
    mine
        The character of a mine in what programs print.
    """

    table: ClassVar[type[Any]]
    mine: ClassVar[str] = "*"
    printed = "board"

    def parse(self, data: bytes | str, source: str = "-") -> list[T]:
        return [self.table.parse(data, source)]

    def read(self, data: bytes | str, source: str, asked: Asked) -> list[T]:
        """Where the nearest table is asked for, entries may be above the size of their block."""
        return [self.table.parse(data, source, fitting=not asked.question.relaxed)]

    def render(self, instance: T) -> str:
        return str(instance)

    def size(self, instance: T) -> int:
        return instance.sums.size

    def describe(self, instance: T) -> str:
        return "x".join(map(str, instance.shape))

    def judge(self, instance: T, asked: Asked, value: Any) -> list[str]:
        return faults_of_boards(instance.sums, asked, value)

    def to_json(self, value: Any) -> dict[str, Any]:
        fields: dict[str, Any] = value.to_json()
        return fields

    def from_json(self, fields: Mapping[str, Any]) -> Any:
        return Boards.from_json(fields)

    def headline(self, value: Any) -> str:
        text: str = value.headline()
        return text

    def draw(self, instance: T, value: Any) -> str:
        return "\n".join(value.lines())

    def picture(self, instance: T, value: Any) -> Picture | None:
        if not isinstance(value, Boards):
            return None
        unsure = None if value.forced is None else value.forced == OPEN
        if unsure is None and value.other is not None:
            unsure = value.mines != value.other
        return Picture(value.mines, instance.sums, unsure)

    def verdict(self, instance: T, answer: Answer[Any]) -> str:
        if not isinstance(answer.value, Boards):
            return "NO"
        return "\n".join(mine_rows(answer.value.mines)).replace("*", self.mine)

    def read_verdict(self, instance: T, text: str) -> Answer[Any]:
        if says_no(text):
            return Answer.infeasible()
        shown = rows(text, instance.shape, "".join(dict.fromkeys(f"{self.mine}*.")))
        return Answer.solved(Boards(parse_mine_rows([row.replace(self.mine, "*") for row in shown])))
