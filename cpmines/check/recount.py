"""Counting all placements once more, cell by cell, from the rules alone.

The free cells fall into components that no rule joins. In one, cells are placed in an order; the state
between two is the *code* of each rule that has begun and not ended: how many mines it has, plus one more than
it can count if the cell in its middle is one. With each state goes the number of ways to reach it (or to end
from it), by number of mines: the polynomial sum of ways x^mines, written as one integer by x = 2^width.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cpmines.demands.statement import Rule, Statement

__all__ = ["Recount", "along", "joined", "recount"]

MOST_STATES = 200_000
MOST_CELLS = 2_000
"""Free cells beyond which it is not counted again: the integers become long."""

State = tuple[tuple[int, int], ...]
"""Pairs of a rule's number and its code, ascending, without codes of 0."""
Layer = dict[State, int]


@dataclass(frozen=True)
class Recount:
    """Placements by number of mines in free cells, and the part of them with a mine in each cell."""

    by_mines: dict[int, int]
    mines_in: dict[int, Fraction]

    @property
    def count(self) -> int:
        return sum(self.by_mines.values())


@dataclass(frozen=True)
class Counted:
    """A rule where it counts a cell: what a mine there adds to its code, and the codes that can end well.

    A code of a rule that has ended here is not kept in the state.
    """

    rule: int
    weight: int
    alive: frozenset[int]
    last: bool


@dataclass(frozen=True)
class JoinedCells:
    """Free cells that rules join, in the order of placing, and the rules, by the indices of their cells."""

    cells: list[int]
    rules: list[tuple[Rule, dict[int, int]]]

    def steps(self) -> list[list[Counted]]:
        """For each cell the rules that count it."""
        found: list[list[Counted]] = [[] for _ in self.cells]
        for number, (rule, index) in enumerate(self.rules):
            middle = len(rule.others) + 1
            alive = frozenset(mines + middle * centre for centre, mines in rule.allowed)
            order = sorted(rule.cells, key=index.__getitem__, reverse=True)
            for cell in order:
                weight = middle if cell == rule.middle else 1
                found[index[cell]].append(Counted(number, weight, alive, cell == order[0]))
                alive = alive | {code - weight for code in alive}
        return found

    @staticmethod
    def next(state: State, counted: list[Counted], mine: int) -> State | None:
        """The state after one more cell, None if a rule is broken."""
        codes = dict(state)
        for each in counted:
            code = codes.pop(each.rule, 0) + each.weight * mine
            if code not in each.alive:
                return None
            if code and not each.last:
                codes[each.rule] = code
        return tuple(sorted(codes.items()))

    def layers(self, width: int) -> list[Layer] | None:
        """The states after 0, 1, ... cells with their numbers of ways; None if there are too many."""
        layers: list[Layer] = [{(): 1}]
        states = 0
        for counted in self.steps():
            after: defaultdict[State, int] = defaultdict(int)
            for state, ways in layers[-1].items():
                for mine in (0, 1):
                    if (reached := self.next(state, counted, mine)) is not None:
                        after[reached] += ways << width * mine
            layers.append(dict(after))
            states += len(after)
            if states > MOST_STATES:
                return None
        return layers

    def with_mine(self, layers: list[Layer], width: int) -> list[int]:
        """For each cell the placements with a mine in it, by number of mines."""
        found = [0] * len(self.cells)
        ends: Layer = {(): 1}
        for index, counted in reversed(list(enumerate(self.steps()))):
            before: Layer = {}
            for state, ways in layers[index].items():
                empty, mined = (
                    ends.get(reached, 0) if (reached := self.next(state, counted, mine)) is not None else 0
                    for mine in (0, 1)
                )
                before[state] = empty + (mined << width)
                found[index] += ways * (mined << width)
            ends = before
        return found


def recount(statement: Statement) -> Recount | str:
    """All placements, or why they are not counted. No placement gives a count of 0."""
    free = statement.free_cells()
    if len(free) > MOST_CELLS:
        return f"{len(free)} cells, at most {MOST_CELLS} are counted again"
    width = len(free) + 1
    parts = _components(statement)
    if parts is None:
        return Recount({}, {})
    placements, with_mine = [], []
    for component in parts:
        layers = component.layers(width)
        if layers is None:
            return f"more than {MOST_STATES} states"
        placements.append(layers[-1].get((), 0))
        with_mine.append(component.with_mine(layers, width))
    return _combine(statement, parts, placements, with_mine)


def joined(cells: Iterable[int], groups: Iterable[Sequence[int]]) -> list[list[int]]:
    """The cells, those together that groups join, in the order given. Cells of groups must be among them."""
    leader = {cell: cell for cell in cells}

    def find(cell: int) -> int:
        while leader[cell] != cell:
            leader[cell] = leader[leader[cell]]
            cell = leader[cell]
        return cell

    for group in groups:
        for cell in group[1:]:
            leader[find(cell)] = find(group[0])
    members: defaultdict[int, list[int]] = defaultdict(list)
    for cell in leader:
        members[find(cell)].append(cell)
    return list(members.values())


def along(statement: Statement) -> list[int]:
    """The free cells in an order along the shorter side."""
    cells, cols = statement.free_cells(), statement.cols
    if cols <= statement.rows:
        return cells
    return sorted(cells, key=lambda cell: ((cell - 1) % cols, cell))


def _components(statement: Statement) -> list[JoinedCells] | None:
    """None if a rule without cells is broken. Cells without a rule are components of their own."""
    rules = [rule for _, rule in statement.rules()]
    if any(not rule.cells and (False, 0) not in rule.allowed for rule in rules):
        return None
    parts = [JoinedCells(cells, []) for cells in joined(along(statement), (rule.cells for rule in rules))]
    place = {cell: (part, index) for part in parts for index, cell in enumerate(part.cells)}
    for rule in rules:
        if rule.cells:
            part = place[rule.cells[0]][0]
            part.rules.append((rule, {cell: place[cell][1] for cell in rule.cells}))
    return parts


def _combine(
    statement: Statement, parts: list[JoinedCells], placements: list[int], with_mine: list[list[int]]
) -> Recount:
    """Multiply the components, for each the others, by products of those before and after it."""
    width = sum(len(part.cells) for part in parts) + 1
    after = [1]
    for ways in reversed(placements):
        after.append(after[-1] * ways)
    after.reverse()
    by_mines = _wanted(statement, after[0], width)
    count = sum(by_mines.values())
    mines_in: dict[int, Fraction] = {}
    before = 1
    for number, part in enumerate(parts if count else ()):
        others = before * after[number + 1]
        for cell, ways in zip(part.cells, with_mine[number], strict=True):
            mines_in[cell] = Fraction(sum(_wanted(statement, others * ways, width).values()), count)
        before *= placements[number]
    return Recount(by_mines, mines_in)


def _wanted(statement: Statement, ways: int, width: int) -> dict[int, int]:
    """The coefficients other than 0 of the numbers of mines that the total allows."""
    total, mask = statement.total, (1 << width) - 1
    if total is not None:
        numbers = range(max(total.least, 0), total.most + 1)
    else:
        numbers = range(ways.bit_length() // width + 1)
    found = {mines: ways >> width * mines & mask for mines in numbers}
    return {mines: count for mines, count in found.items() if count}
