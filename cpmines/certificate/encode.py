"""Formulas made to be checked: rules as clauses over the cells, sums with a meaning for each variable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from cpmines.check.formula import Clause, Meanings
from cpmines.demands.statement import Rule

__all__ = ["Sums", "clauses_of", "dimacs", "excluding"]


def clauses_of(rule: Rule) -> Iterator[Clause]:
    """The rule without further variables, for any numbers that it allows."""
    for centre in rule.centres:
        for first, last in reversed(rule.gaps(centre)):
            yield from excluding(rule, centre, first, last)


def excluding(rule: Rule, centre: bool, first: int, last: int) -> Iterator[Clause]:
    """The mines are not `first` to `last`, where the cell in the middle, if there is one, is `centre`.

    If of any `first` cells one is empty, or one of any n - `last` others is a mine, they are fewer or more.
    """
    literal = (-rule.middle if centre else rule.middle,) if rule.middle else ()
    for mines in combinations(rule.others, first):
        left = [cell for cell in rule.others if cell not in mines]
        for empty in combinations(left, len(rule.others) - last):
            yield (*literal, *(-cell for cell in mines), *empty)


def dimacs(clauses: Sequence[Clause], variables: int) -> str:
    """The text of a formula."""
    lines = [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return "\n".join([f"p cnf {variables} {len(clauses)}", *lines, ""])


class Sums:
    """Sums of cells, the variables that say what they reach, and the clauses that define these.

    Attributes
    ----------
    meanings
        As they are written.
    clauses
        The definitions so far.
    """

    def __init__(self, cells: int) -> None:
        self.meanings = Meanings(cells)
        self.clauses: list[Clause] = []
        self.top = cells
        self.variables: dict[tuple[str, int], int] = {}

    def reaches(self, part: str, number: int) -> int:
        """The variable "this part has at least so many mines", from 1 to its size."""
        if part.startswith("c"):
            return int(part[1:])
        if (part, number) not in self.variables:
            self.top += 1
            self.variables[part, number] = self.top
            self.meanings.add_count(self.top, part, number)
        return self.variables[part, number]

    def add(self, left: str, right: str) -> str:
        """The sum of two parts, yet without a variable."""
        name = f"s{len(self.meanings.sums) + 1}"
        self.meanings.add_sum(name, left, right)
        return name

    def at_least(self, whole: str, first: int, second: int) -> None:
        """If the parts reach these numbers, the whole reaches their sum; 0 is always reached."""
        left, right = self.meanings.sums[whole]
        literals = [
            -self.reaches(part, number) for part, number in ((left, first), (right, second)) if number
        ]
        self.clauses.append((*literals, self.reaches(whole, first + second)))

    def at_most(self, whole: str, first: int, second: int) -> None:
        """If the parts have no more than these numbers, the whole has no more than their sum."""
        left, right = self.meanings.sums[whole]
        literals = [
            self.reaches(part, number + 1)
            for part, number in ((left, first), (right, second))
            if number < self.meanings.size(part)
        ]
        self.clauses.append((*literals, -self.reaches(whole, first + second + 1)))

    def tree(self, cells: Sequence[int], least: int = 1, most: int | None = None) -> str:
        """The sum of cells as a balanced tree, defined as far as it matters for `least` to `most` mines.

        The numbers that matter in a part are those from which `least` and `most` + 1 can still be reached.
        This is the totalizer of Bailleux and Boufkhad (2003), each node cut to a window.
        """
        most = len(cells) if most is None else most

        def window(part: str) -> range:
            size = self.meanings.size(part)
            return range(max(1, least - (len(cells) - size)), min(size, most + 1) + 1)

        level = [f"c{cell}" for cell in cells]
        while len(level) > 1:
            pairs = list(zip(level[::2], level[1::2], strict=False))
            wholes = [self.add(left, right) for left, right in pairs]
            for whole, (left, right) in zip(wholes, pairs, strict=True):
                self._define(whole, window(whole), [0, *window(left)], [0, *window(right)])
            level = wholes + level[2 * len(pairs) :]
        return level[0]

    def _define(self, whole: str, wanted: range, first: list[int], second: list[int]) -> None:
        left, right = (self.meanings.size(part) for part in self.meanings.sums[whole])
        for one in first:
            for other in second:
                if one + other in wanted:
                    self.at_least(whole, one, other)
        below = (
            {*(number - 1 for number in numbers if number), size}
            for numbers, size in ((first, left), (second, right))
        )
        lefts, rights = map(sorted, below)
        for one in lefts:
            for other in rights:
                if one + other + 1 in wanted:
                    self.at_most(whole, one, other)
        for number in wanted[1:]:
            self.clauses.append((-self.reaches(whole, number), self.reaches(whole, number - 1)))
