"""What a problem's instance demands of its cells, read from the board alone.

Variable k is the k-th cell of the board in reading order, from 1; true is a mine. A rule looks at one 3x3
block: how many mines there may be among some of its cells, depending perhaps on the cell in the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

from cpmines.board import MINE, UNKNOWN

__all__ = ["Allowed", "Rule", "Statement", "Total", "rejects", "statement_of"]

Allowed = frozenset[tuple[bool, int]]
"""Pairs of: a mine in the middle, number of mines among the others. Without a middle the first is False."""


@dataclass(frozen=True)
class Rule:
    """One rule about a block.

    Attributes
    ----------
    middle
        Variable on which the number depends, 0 if it depends on none.
    others
        Variables whose mines are counted.
    allowed
        What may be there.
    """

    middle: int
    others: tuple[int, ...]
    allowed: Allowed

    @classmethod
    def exactly(cls, others: list[int], number: int) -> Rule:
        return cls(0, tuple(others), frozenset({(False, number)}))

    def implies(self, clause: tuple[int, ...]) -> bool:
        """Does `clause` hold in every placement that the rule allows? Tried out on all placements."""
        variables = {*self.others, self.middle}
        if any(abs(literal) not in variables for literal in clause):
            return False
        middle = next((literal for literal in clause if abs(literal) == self.middle), 0)
        sides = [literal > 0 for literal in clause if abs(literal) != self.middle]
        return not rejects(
            bool(self.middle),
            len(self.others),
            self.allowed,
            _sign(middle),
            sum(sides),
            len(sides) - sum(sides),
        )


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@cache
def rejects(
    has_middle: bool, others: int, allowed: Allowed, middle: int, positive: int, negative: int
) -> bool:
    """Is there a placement that a rule allows and a clause rejects?

    Parameters
    ----------
    others
        Number of cells whose mines the rule counts.
    middle
        1 or -1 if the cell in the middle is in the clause, positive or negative; 0 if not.
    positive, negative
        Number of literals of the clause among the others.
    """
    fixed = (False,) * positive + (True,) * negative
    centres = ((middle < 0,) if middle else (False, True)) if has_middle else (False,)
    return any(
        (centre, sum(fixed) + sum(free)) in allowed
        for centre in centres
        for free in product((False, True), repeat=others - len(fixed))
    )


@dataclass(frozen=True)
class Total:
    """Among all `cells` (their number) that can have a mine there are `least` to `most` mines."""

    cells: int
    least: int
    most: int


@dataclass(frozen=True)
class Statement:
    """The demands of one instance.

    Attributes
    ----------
    rows, cols
        Size of the board.
    free
        Is this variable a cell that can have a mine or none?
    rule
        The rule of the block around a cell, named by its variable; None if there is none.
    total
        Number of mines in all free cells together, None if it is not given.
    """

    rows: int
    cols: int
    free: Callable[[int], bool]
    rule: Callable[[int], Rule | None]
    total: Total | None = None

    def block(self, variable: int) -> list[int]:
        """The variables of the block around a cell, itself included, in reading order."""
        return block(variable, self.rows, self.cols)

    def rules_at(self, variable: int) -> Iterator[Rule]:
        """The rules that can be about a cell."""
        yield from (rule for centre in self.block(variable) if (rule := self.rule(centre)) is not None)

    def rules(self) -> Iterator[tuple[int, Rule]]:
        """All rules, with the cell whose block they are about."""
        for centre in range(1, self.rows * self.cols + 1):
            if (rule := self.rule(centre)) is not None:
                yield centre, rule

    def free_cells(self) -> list[int]:
        return [variable for variable in range(1, self.rows * self.cols + 1) if self.free(variable)]

    def with_at_least(self, mines: int) -> Statement:
        """The demands, and at least so many mines."""
        cells = len(self.free_cells())
        return replace(self, total=Total(cells, mines, cells))

    def name(self, variable: int) -> str:
        """A cell in a message."""
        row, col = divmod(variable - 1, self.cols)
        return f"row {row + 1}, column {col + 1}"


def block(variable: int, rows: int, cols: int) -> list[int]:
    row, col = divmod(variable - 1, cols)
    return [
        near_row * cols + near_col + 1
        for near_row in range(max(0, row - 1), min(rows, row + 2))
        for near_col in range(max(0, col - 1), min(cols, col + 2))
    ]


def statement_of(problem: str, instance: Any) -> Statement:
    """The demands of an instance of one of the problems that have rules about placements."""
    if problem == "maxmines":
        return _most(instance.rows, instance.cols, instance.around)
    if problem in ("mosaic", "reconstruction"):
        return _sums(instance.sums)
    return _position(instance.cells, instance.mines)


def _position(cells: Any, mines: int | None) -> Statement:
    """A clue is the number of mines in the cells around it; known mines are taken off."""
    rows, cols = cells.shape
    codes = cells.ravel().tolist()

    def rule(centre: int) -> Rule | None:
        if codes[centre - 1] < 0:
            return None
        around = [cell for cell in block(centre, rows, cols) if cell != centre]
        known = sum(codes[cell - 1] == MINE for cell in around)
        return Rule.exactly(
            [cell for cell in around if codes[cell - 1] == UNKNOWN], codes[centre - 1] - known
        )

    total = None
    if mines is not None:
        left = mines - codes.count(MINE)
        total = Total(codes.count(UNKNOWN), left, left)
    return Statement(rows, cols, lambda cell: codes[cell - 1] == UNKNOWN, rule, total)


def _sums(sums: Any) -> Statement:
    """An entry is the number of mines in its block; negative entries are gaps."""
    rows, cols = sums.shape
    entries = sums.ravel().tolist()

    def rule(centre: int) -> Rule | None:
        return (
            Rule.exactly(block(centre, rows, cols), entries[centre - 1]) if entries[centre - 1] >= 0 else None
        )

    return Statement(rows, cols, lambda cell: True, rule)


def _most(rows: int, cols: int, around: int) -> Statement:
    """Around a mine not all cells are mines, around an empty cell at most `around` are."""

    @cache
    def allowed(others: int) -> Allowed:
        beside_mine = {(True, count) for count in range(others)}
        return frozenset(beside_mine | {(False, count) for count in range(min(around, others) + 1)})

    def rule(centre: int) -> Rule:
        others = tuple(cell for cell in block(centre, rows, cols) if cell != centre)
        return Rule(centre, others, allowed(len(others)))

    return Statement(rows, cols, lambda cell: True, rule)
