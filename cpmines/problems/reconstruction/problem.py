"""Reconstruction: which boards have this table of 3x3 sums? (Baltic OI 2010, "Mines")"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer
from cpmines.board import mine_rows, parse_mine_rows, read_only
from cpmines.errors import UsageError
from cpmines.files import read_sums
from cpmines.grid import box_sums
from cpmines.printed import rows, says_no
from cpmines.problem import Option, Picture, Problem
from cpmines.problems.reconstruction.reason import Reason, faults_of_reason
from cpmines.problems.reconstruction.values import Asked, Boards, Value
from cpmines.text import Document

__all__ = ["PROBLEM", "Asked", "Boards", "Reason", "Reconstruction", "Table", "Value"]

WITH_NUMBERS = 2500
"""Cells up to which a picture shows the entries too."""
NAMES = ("sample", "index", "all", "limit", "fewest", "most", "nearest")


NOTHING_MORE = Asked()


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """For each cell the number of mines in the 3x3 block around it, the cell itself included.

    Attributes
    ----------
    sums
        int8 of shape (rows, cols), entries 0-9, read-only.
    asked
        What is asked beyond one board and the facts about all.

    >>> Table.parse("2 3\\n1 1 0\\n1 1 0\\n")
    Table.parse('2 3\\n110\\n110\\n')
    """

    sums: NDArray[np.int8]
    asked: Asked = NOTHING_MORE

    def __post_init__(self) -> None:
        sums = np.asarray(self.sums)
        if sums.ndim != 2 or sums.size == 0:
            raise ValueError(f"sums of shape {sums.shape}, expected (rows, cols), both at least 1")
        if sums.min() < 0 or sums.max() > 9:
            raise ValueError(f"sums from {sums.min()} to {sums.max()}, expected 0 to 9")
        object.__setattr__(self, "sums", read_only(sums))

    @classmethod
    def parse(cls, data: bytes | str, source: str = "-", *, fitting: bool = True) -> Table:
        """Read ``rows cols`` and the rows of numbers, with or without spaces, or an ``.npy`` array.

        Parameters
        ----------
        fitting
            An entry above the size of its block is an error; measured tables may have such entries.

        Raises
        ------
        InputError
        """
        return cls(read_sums(data, source, 0, Document.digits, fitting=fitting))

    @classmethod
    def of(cls, mines: NDArray[np.bool_]) -> Table:
        """The table of a board."""
        return cls(box_sums(np.ascontiguousarray(mines)))

    @property
    def shape(self) -> tuple[int, int]:
        rows, cols = self.sums.shape
        return rows, cols

    def __str__(self) -> str:
        lines = [row.tobytes().decode() for row in self.sums + np.int8(ord("0"))]
        return "\n".join(["{} {}".format(*self.shape), *lines, ""])

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return False
        return self.asked == other.asked and np.array_equal(self.sums, other.sums)

    def __hash__(self) -> int:
        return hash((self.shape, self.sums.tobytes()))


class Reconstruction(Problem[Table, Value]):
    question = "Table of 3x3 sums: which boards have it, and how many are there?"
    determined = ("solutions", "forced", "mine_count", "distance")
    warm_up = ("2 2\n11\n11\n", "1 3\n222\n")
    options = (
        Option("sample", int, "Draw so many boards at random, all with the same probability."),
        Option("index", int, "Give the board with this number, from 1, in a fixed order."),
        Option("all", bool, "Give all boards."),
        Option("limit", int, f"With --all: at most so many, by default {Asked.limit}."),
        Option("fewest", bool, "Give a board with the fewest mines."),
        Option("most", bool, "Give a board with the most mines."),
        Option("nearest", bool, "If there is no board: one with the nearest table, and the wrong entries."),
    )

    def parse(self, data: bytes | str, source: str = "-") -> list[Table]:
        return [Table.parse(data, source)]

    def read(self, data: bytes | str, source: str = "-", **asked: Any) -> list[Table]:
        return [self.ask(Table.parse(data, source, fitting=not asked.get("nearest")), **asked)]

    def render(self, instance: Table) -> str:
        return str(instance)

    def describe(self, instance: Table) -> str:
        return "x".join(map(str, instance.shape))

    def ask(self, instance: Table, **asked: Any) -> Table:
        chosen = {name: value for name, value in asked.items() if name in NAMES}
        if set(asked) - set(NAMES):
            return super().ask(instance, **{name: asked[name] for name in set(asked) - set(NAMES)})
        kinds = [name for name in NAMES if name != "limit" and chosen.get(name)]
        if len(kinds) > 1:
            raise UsageError(f"one of these at a time: {', '.join(kinds)}")
        if "limit" in chosen and kinds != ["all"]:
            raise UsageError("limit needs all")
        for name in ("sample", "index", "limit"):
            if chosen.get(name, 1) < 1:
                raise UsageError(f"{name} {chosen[name]}: expected at least 1")
        extreme = int("most" in kinds) - int("fewest" in kinds)
        more = Asked(
            chosen.get("sample", 0),
            chosen.get("index", 0),
            bool(chosen.get("all")),
            chosen.get("limit", Asked.limit),
            extreme,
            bool(chosen.get("nearest")),
        )
        return replace(instance, asked=more)

    def judge(self, instance: Table, value: Value) -> list[str]:
        if isinstance(value, Reason):
            return faults_of_reason(value, instance.sums)
        if value.wrong is not None and not instance.asked.nearest:
            return ["a board whose table is only near, which was not asked for"]
        return value.faults(instance.sums)

    def to_json(self, value: Value) -> dict[str, Any]:
        return {"reason": value.to_json()} if isinstance(value, Reason) else value.to_json()

    def headline(self, value: Value) -> str:
        if not isinstance(value, Reason):
            return value.headline()
        return f"shown by {len(value.entries)} entr{'y' if len(value.entries) == 1 else 'ies'}"

    def draw(self, instance: Table, value: Value) -> str:
        return value.sentence(instance.shape) if isinstance(value, Reason) else value.draw()

    def picture(self, instance: Table, value: Value) -> Picture | None:
        if not isinstance(value, Boards):
            return None
        numbers = instance.sums if instance.sums.size <= WITH_NUMBERS else None
        return Picture(value.mines, numbers, None if value.forced is None else value.forced < 0)

    def verdict(self, instance: Table, answer: Answer[Value]) -> str:
        if not isinstance(answer.value, Boards):
            return "NO"
        return "\n".join(row.replace("*", "X") for row in mine_rows(answer.value.mines))

    def read_verdict(self, instance: Table, text: str) -> Answer[Value]:
        if says_no(text):
            return Answer.infeasible()
        shown = rows(text, instance.shape, "X*.")
        return Answer.solved(Boards(parse_mine_rows([row.replace("X", "*") for row in shown])))


PROBLEM = Reconstruction()
