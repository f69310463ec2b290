"""Counting: number of placements, by number of mines, and the probability of a mine in each unknown cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer
from cpmines.board import Position
from cpmines.errors import UsageError
from cpmines.numerals import decimal
from cpmines.positions.problem import PositionProblem, density_of
from cpmines.printed import whole_number
from cpmines.problem import Option
from cpmines.problems.counting.judge import faults_of
from cpmines.problems.counting.listing import judged
from cpmines.problems.counting.text import headline, picture
from cpmines.problems.counting.values import Counts, Query

__all__ = ["PROBLEM", "Counting", "Counts", "Query"]


class Counting(PositionProblem[Counts]):
    question = "Partly revealed board: how many placements of mines, and how likely is each mine?"
    determined = ("count", "by_mines", "probability")
    warm_up = (
        "4 5\n01.1.\n.2.21\n..2..\n1...*\n",
        "4 6 7\n1....1\n.3..3.\n.3..3.\n1....1\n",
        "2 3\n.1.\n.2.\n",
    )
    options = (
        Option("density", str, "Independent mines with this probability, a number or a fraction."),
        Option("fractions", bool, "Probabilities as exact fractions."),
        Option("layouts", int, "List up to so many placements."),
        Option("sample", int, "Draw so many placements at random; see --seed."),
    )

    def ask(self, instance: Position, **asked: Any) -> Position:
        known = {option.name for option in self.options}
        if unknown := sorted(set(asked) - known):
            raise UsageError(f"no option {', '.join(unknown)} for counting")
        if "density" in asked:
            asked["density"] = density_of(asked["density"])
            if instance.mines is not None:
                raise UsageError(f"a density for a position with a total of {instance.mines} mines")
        for name in ("layouts", "sample"):
            if asked.get(name, 0) < 0:
                raise UsageError(f"{name} {asked[name]}, expected at least 0")
        return replace(Query.of(instance), **asked) if asked else instance

    def judge(self, instance: Position, value: Counts) -> list[str]:
        return faults_of(Query.of(instance), value)

    def to_json(self, value: Counts) -> dict[str, Any]:
        fields: dict[str, Any] = {"count": decimal(value.count)}
        if value.by_mines is not None:
            fields["by_mines"] = {str(mines): decimal(count) for mines, count in value.by_mines.items()}
        if value.probability is not None:
            rows = value.probability.tolist()
            fields["probability"] = [[None if x != x else x for x in row] for row in rows]
        if value.ratios is not None:
            fields["fractions"] = [[None if x is None else str(x) for x in row] for row in value.ratios]
        return fields

    def headline(self, value: Counts) -> str:
        return headline(value.count)

    def draw(self, instance: Position, value: Counts) -> str:
        return picture(instance, value)

    def listing(self, instance: Position, value: Counts) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        return judged(Query.of(instance), value)

    def verdict(self, instance: Position, answer: Answer[Counts]) -> str:
        return "0" if answer.value is None else decimal(answer.value.count)

    def read_verdict(self, instance: Position, text: str) -> Answer[Counts]:
        count = whole_number(text)
        return Answer.solved(Counts(count, None, None)) if count else Answer.infeasible()


PROBLEM = Counting()
