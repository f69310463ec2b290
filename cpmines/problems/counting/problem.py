"""Counting: number of placements, by number of mines, and the probability of a mine in each unknown cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer
from cpmines.board import Position, read_only
from cpmines.errors import UsageError
from cpmines.inference.question import PositionProblem, density_of
from cpmines.problem import Option
from cpmines.problems.counting._judge import faults_of
from cpmines.problems.counting._listing import judged
from cpmines.problems.counting._text import headline, picture
from cpmines.text import decimal

__all__ = ["PROBLEM", "Counting", "Counts", "Query"]


@dataclass(frozen=True, eq=False, repr=False)
class Query(Position):
    """A position, and what is asked of it besides the plain question.

    Attributes
    ----------
    density
        Mines are independent with this probability, instead of equally likely placements; None if not.
    fractions
        Are probabilities to be shown as fractions?
    layouts, sample
        So many placements are listed, and so many drawn at random.
    """

    density: Fraction | None = None
    fractions: bool = False
    layouts: int = 0
    sample: int = 0

    @classmethod
    def of(cls, position: Position) -> Query:
        return position if isinstance(position, Query) else cls(position.cells, position.mines)


@dataclass(frozen=True, eq=False)
class Counts:
    """How many placements there are, and what they have in common.

    Attributes
    ----------
    count
        With a total in the position, of placements that have it.
    by_mines
        Number of mines, known ones included -> number of placements; None if that was not counted.
    probability
        float64 (rows, cols), read-only: of a mine; NaN in known cells. At a density if one was asked for.
    ratios
        object (rows, cols): the same as exact fractions, None in known cells; None altogether if not known.
    layouts, samples
        Placements listed and drawn, bool (rows, cols) each; they may be made only when they are taken.
    """

    count: int
    by_mines: dict[int, int] | None
    probability: NDArray[np.float64]
    ratios: NDArray[np.object_] | None = None
    layouts: Iterable[NDArray[np.bool_]] = ()
    samples: Iterable[NDArray[np.bool_]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "probability", read_only(self.probability, np.float64))


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
        fields["probability"] = [[None if x != x else x for x in row] for row in value.probability.tolist()]
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


PROBLEM = Counting()
