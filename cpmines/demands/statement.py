"""What a problem's instance demands of its cells, read from the board alone.

Variable k is the k-th cell of the board in reading order, from 1; true is a mine. A rule looks at one 3x3
block: how many mines there may be among some of its cells, depending perhaps on the cell in the middle. In a
problem about other things than mines, they are what is placed there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

__all__ = ["Allowed", "Rule", "Statement", "Total", "block", "rejects"]

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
        Variables whose mines are counted, free cells of the block.
    allowed
        What may be there: any numbers, also such that leave gaps.
    """

    middle: int
    others: tuple[int, ...]
    allowed: Allowed

    @classmethod
    def exactly(cls, others: Sequence[int], number: int) -> Rule:
        return cls(0, tuple(others), frozenset({(False, number)}))

    @property
    def cells(self) -> tuple[int, ...]:
        """All that it is about."""
        return (*self.others, self.middle) if self.middle else self.others

    @property
    def centres(self) -> tuple[bool, ...]:
        """The values that the cell in the middle can have."""
        return (False, True) if self.middle else (False,)

    def gaps(self, centre: bool) -> list[tuple[int, int]]:
        """The numbers of mines that this value in the middle does not allow, as intervals, ascending."""
        found = list[tuple[int, int]]()
        for number in range(len(self.others) + 1):
            if (centre, number) in self.allowed:
                continue
            if found and found[-1][1] == number - 1:
                found[-1] = (found[-1][0], number)
            else:
                found.append((number, number))
        return found

    def implies(self, clause: tuple[int, ...]) -> bool:
        """Does `clause` hold in every placement that the rule allows? Tried out on all placements."""
        if any(abs(literal) not in self.cells for literal in clause):
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
        Size of the board. It may have cells around the problem's own, on which rules are centred.
    free
        Is this variable a cell that can have a mine or none?
    rule
        The rule of the block around a cell, named by its variable; None if there is none.
    total
        Number of mines in all free cells together, None if it is not given.
    known
        Cells that are not free and have a mine.
    """

    rows: int
    cols: int
    free: Callable[[int], bool]
    rule: Callable[[int], Rule | None]
    total: Total | None = None
    known: tuple[int, ...] = ()

    @property
    def cells(self) -> int:
        """Number of all cells, free or not."""
        return self.rows * self.cols

    def block(self, variable: int) -> list[int]:
        """The variables of the block around a cell, itself included, in reading order."""
        return block(variable, self.rows, self.cols)

    def rules_at(self, variable: int) -> Iterator[Rule]:
        """The rules that can be about a cell."""
        yield from (rule for centre in self.block(variable) if (rule := self.rule(centre)) is not None)

    def rules(self) -> Iterator[tuple[int, Rule]]:
        """All rules, with the cell whose block they are about."""
        for centre in range(1, self.cells + 1):
            if (rule := self.rule(centre)) is not None:
                yield centre, rule

    def free_cells(self) -> list[int]:
        return [variable for variable in range(1, self.cells + 1) if self.free(variable)]

    def beyond(self, mines: int, *, fewest: bool = False) -> Statement:
        """The demands, and more mines than these, the known ones among them; with `fewest` fewer mines."""
        cells, number = len(self.free_cells()), mines - len(self.known)
        return replace(self, total=Total(cells, 0, number - 1) if fewest else Total(cells, number + 1, cells))

    def name(self, variable: int) -> str:
        """A cell in a message."""
        row, col = divmod(variable - 1, self.cols)
        return f"row {row + 1}, column {col + 1}"


def block(variable: int, rows: int, cols: int) -> list[int]:
    """The variables of the block around a cell of a board of this size, itself included, in reading order."""
    row, col = divmod(variable - 1, cols)
    return [
        near_row * cols + near_col + 1
        for near_row in range(max(0, row - 1), min(rows, row + 2))
        for near_col in range(max(0, col - 1), min(cols, col + 2))
    ]
