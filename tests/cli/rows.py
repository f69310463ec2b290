"""A small problem of somebody else, as a folder: rows of cells in which no two mines are side by side."""

from __future__ import annotations

from pathlib import Path

__all__ = ["write_problem"]

PROBLEM = """
from dataclasses import dataclass

from cpmines.answer import Status
from cpmines.errors import InputError
from cpmines.problem import Problem
from cpmines.question import Maximise, Option, Question


@dataclass(frozen=True)
class Row:
    mines: int | None = None
    count: int | None = None


class Rows(Problem):
    summary = "A row of cells: mines of which no two are side by side."
    questions = (
        Question("most", "The most mines.", ("mines",), ("mines",), Maximise("mines")),
        Question(
            "count", "How many ways.", ("count",), ("count",), options=(Option("least", int, "Of mines.", 0),)
        ),
    )
    printed = "most"

    def parse(self, data, source="-"):
        text = data.decode() if isinstance(data, bytes) else data
        if not text.strip().isdecimal():
            raise InputError("no number", "a number of cells", source)
        return [int(text)]

    def render(self, instance):
        return f"{instance}\\n"

    def size(self, instance):
        return instance

    def describe(self, instance):
        return str(instance + 0)

    def judge(self, instance, asked, value):
        return [] if value.mines is None or value.mines <= (instance + 1) // 2 else ["too many mines"]

    def to_json(self, value):
        return {name: number for name, number in vars(value).items() if number is not None}

    def from_json(self, fields):
        return Row(**fields)

    def headline(self, value):
        return f"{value.count} ways" if value.mines is None else f"{value.mines} mines"

    def draw(self, instance, value):
        return self.headline(value)

    def verdict(self, instance, answer):
        return str(answer.value.mines)


PROBLEM = Rows()
"""

BRUTE = """
from itertools import product

from cpmines.answer import Answer
from cpmines.problem import Function
from {package}.problem import Row


def ways(cells):
    return [way for way in product((0, 1), repeat=cells) if (1, 1) not in zip(way, way[1:])]


def most(cells, limits):
    return Answer.solved(Row(mines=max(map(sum, ways(cells)))))


def count(cells, limits, least):
    return Answer.solved(Row(count=sum(sum(way) >= least for way in ways(cells))))


BACKEND = Function({{"most": most, "count": count}}, "every way", packages=())
"""

FORMULA = """
from cpmines.answer import Answer
from cpmines.problem import Function
from {package}.problem import Row

def solve(cells, limits):
    return Answer.solved(Row(mines=(cells + {add}) // 2))

BACKEND = Function(solve, "a formula", packages=())
"""

GENERATE = """
FAMILIES = {"rows": lambda rng, cells=5: cells}


def tiny(rng):
    return int(rng.integers(1, 6))


def shrink(cells):
    return [cells - 1] if cells > 1 else []
"""


def write_problem(folder: Path, package: str, *, add: int = 1, without: tuple[str, ...] = ()) -> Path:
    """Write the problem's folder; with another `add` than 1 the backend ``formula`` is wrong.

    Parameters
    ----------
    package
        Dotted name that the folder will have.
    without
        Files that are left out.
    """
    texts = {
        "__init__.py": "",
        "problem.py": PROBLEM,
        "generate.py": GENERATE,
        "backends/__init__.py": "",
        "backends/exhaustion.py": BRUTE.format(package=package),
        "backends/formula.py": FORMULA.format(package=package, add=add),
    }
    for name, text in texts.items():
        if name not in without:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    return folder
