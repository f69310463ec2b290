"""Reconstruction: which boards have this table of 3x3 sums? (Baltic OI 2010, "Mines")"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cpmines.problem import Picture
from cpmines.problems.reconstruction.reason import Reason, faults_of_reason
from cpmines.question import Asked
from cpmines.sums import questions
from cpmines.sums.boards import Boards
from cpmines.sums.problem import SumsProblem
from cpmines.sums.table import Table

__all__ = ["PROBLEM", "Boards", "Reason", "Reconstruction", "Table", "Value"]

WITH_NUMBERS = 2500
"""Cells up to which a picture shows the entries too."""

Value = Boards | Reason
"""A reason comes with the status `infeasible`."""


class Reconstruction(SumsProblem[Table]):
    summary = "Table of 3x3 sums: which boards have it, and how many are there?"
    questions = (
        questions.FACTS,
        questions.BOARD,
        questions.UNIQUE,
        questions.COUNT,
        questions.FORCED,
        questions.ALL,
        questions.SAMPLE,
        questions.INDEX,
        questions.FEWEST,
        questions.MOST,
        questions.NEAREST,
    )
    warm_up = ("2 2\n11\n11\n", "1 3\n222\n")
    table = Table
    mine = "X"

    def judge(self, instance: Table, asked: Asked, value: Value) -> list[str]:
        if isinstance(value, Reason):
            return faults_of_reason(value, instance.sums)
        return super().judge(instance, asked, value)

    def from_json(self, fields: Mapping[str, Any]) -> Value:
        return Reason.from_json(fields) if "reason" in fields else super().from_json(fields)

    def draw(self, instance: Table, value: Value) -> str:
        return value.sentence(instance.shape) if isinstance(value, Reason) else super().draw(instance, value)

    def picture(self, instance: Table, value: Value) -> Picture | None:
        picture = super().picture(instance, value)
        if picture is None or instance.sums.size <= WITH_NUMBERS:
            return picture
        return replace(picture, numbers=None)


PROBLEM = Reconstruction()
