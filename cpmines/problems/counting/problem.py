"""Counting: number of placements, by number of mines, and the probability of a mine in each unknown cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer
from cpmines.board import Position
from cpmines.errors import UsageError
from cpmines.numerals import decimal, plural
from cpmines.positions.problem import PositionProblem, density_of
from cpmines.printed import whole_number
from cpmines.problems.counting.judge import faults_of
from cpmines.problems.counting.listing import judged
from cpmines.problems.counting.text import headline, picture
from cpmines.problems.counting.values import Counts, fields_of, read_fields
from cpmines.question import Asked, Option, Question

__all__ = ["PROBLEM", "Counting", "Counts"]

DENSITY = Option(
    "density", str, "Independent mines with this probability, a number or a fraction.", read=density_of
)


class Counting(PositionProblem[Counts]):
    summary = "Partly revealed board: how many placements of mines, and how likely is each mine?"
    questions = (
        Question(
            "chances",
            "The number of placements, and how likely each cell is a mine.",
            fields=("count", "probability"),
            determined=("count", "by_mines", "probability"),
            options=(DENSITY, Option("fractions", bool, "Probabilities as exact fractions.")),
        ),
        Question("count", "The number of placements.", fields=("count",), determined=("count", "by_mines")),
        Question(
            "layouts",
            "The number of placements, and some of them.",
            fields=("count",),
            determined=("count",),
            options=(Option("layouts", int, "List up to so many placements.", required=True, least=0),),
        ),
        Question(
            "sample",
            "Placements drawn at random.",
            options=(
                Option(
                    "sample", int, "Draw so many placements at random; see --seed.", required=True, least=0
                ),
                DENSITY,
            ),
        ),
    )
    printed = "count"

    def refusal(self, instance: Position, asked: Asked) -> str:
        if asked.values().get("density") is None or instance.mines is None:
            return ""
        return f"a density for a position with a total of {plural(instance.mines, 'mine')}"

    def judge(self, instance: Position, asked: Asked, value: Counts) -> list[str]:
        return faults_of(instance, asked, value)

    def to_json(self, value: Counts) -> dict[str, Any]:
        return fields_of(value)

    def from_json(self, fields: Mapping[str, Any]) -> Counts:
        return read_fields(fields)

    def headline(self, value: Counts) -> str:
        return headline(value)

    def draw(self, instance: Position, value: Counts) -> str:
        return picture(instance, value)

    def listing(
        self, instance: Position, asked: Asked, value: Counts
    ) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        return judged(instance, asked, value)

    def verdict(self, instance: Position, answer: Answer[Counts]) -> str:
        if answer.value is None:
            return "0"
        if answer.value.count is None:
            raise UsageError("the judge expects the number of placements, which this answer does not have")
        return decimal(answer.value.count)

    def read_verdict(self, instance: Position, text: str) -> Answer[Counts]:
        count = whole_number(text)
        return Answer.solved(Counts(count)) if count else Answer.infeasible()


PROBLEM = Counting()
