"""A slow twin of the exact engine: placements of a board counted cell by cell, in plain Python.

It shares nothing with the package. A board is its rows as text; the unknown cells beside clues fall into
parts that no clue joins, and in one they are placed in an order. The state between two is what each clue that
has begun still lacks; with it goes the number of ways by mines, a polynomial in one integer (x = 2^width).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

__all__ = ["Cell", "Clues", "Found", "TooWideError", "clues_of", "found_by_twin", "parts"]

Cell = tuple[int, int]
State = tuple[tuple[int, int], ...]
MOST_STATES = 1_500


class TooWideError(Exception):
    """More states than a slow twin can go through."""


@dataclass(frozen=True)
class Clues:
    """What a board says: for each clue the unknown cells around it and how many of them are mines."""

    sums: list[tuple[frozenset[Cell], int]]
    unknown: list[Cell]
    mines: int

    @property
    def beside(self) -> set[Cell]:
        return {cell for cells, _ in self.sums for cell in cells}


@dataclass(frozen=True)
class Found:
    """Placements, by number of mines on the whole board, and the chance of a mine in each unknown cell."""

    by_mines: dict[int, int]
    chances: dict[Cell, Fraction]

    @property
    def count(self) -> int:
        return sum(self.by_mines.values())


def clues_of(rows: Sequence[str]) -> Clues:
    sums, unknown, mines = [], [], 0
    for r, row in enumerate(rows):
        for c, shown in enumerate(row):
            mines += shown == "*"
            if shown == ".":
                unknown.append((r, c))
            elif shown != "*":
                around = [
                    (i, j)
                    for i in range(max(r - 1, 0), min(r + 2, len(rows)))
                    for j in range(max(c - 1, 0), min(c + 2, len(row)))
                ]
                known = sum(rows[i][j] == "*" for i, j in around)
                sums.append(
                    (frozenset(cell for cell in around if rows[cell[0]][cell[1]] == "."), int(shown) - known)
                )
    return Clues(sums, unknown, mines)


def parts(clues: Clues) -> Iterator[tuple[list[Cell], list[tuple[frozenset[Cell], int]]]]:
    """Cells that clues join, with their clues."""
    touching = defaultdict(list)
    for number, (cells, _) in enumerate(clues.sums):
        for cell in cells:
            touching[cell].append(number)
    left = set(touching)
    while left:
        waiting, inside, numbers = [min(left)], set(), set()
        while waiting:
            cell = waiting.pop()
            if cell not in inside:
                inside.add(cell)
                numbers |= set(touching[cell])
                waiting += [other for number in touching[cell] for other in clues.sums[number][0]]
        left -= inside
        yield sorted(inside), [clues.sums[number] for number in sorted(numbers)]


def order(cells: list[Cell], sums: list[tuple[frozenset[Cell], int]]) -> list[Cell]:
    """Next is always the cell that begins the fewest clues and ends the most."""
    touching = {cell: [number for number, (inside, _) in enumerate(sums) if cell in inside] for cell in cells}
    left = [len(inside) for inside, _ in sums]
    whole, found, waiting = list(left), [], set(cells)
    while waiting:
        near = {
            cell
            for number, (inside, _) in enumerate(sums)
            if 0 < left[number] < whole[number]
            for cell in inside & waiting
        } or waiting
        cell = min(
            near,
            key=lambda one: (
                sum((left[n] == whole[n]) - (left[n] == 1) for n in touching[one]),
                sum(left[n] for n in touching[one]),
                one,
            ),
        )
        for number in touching[cell]:
            left[number] -= 1
        found.append(cell)
        waiting.remove(cell)
    return found


def counted(
    cells: list[Cell], sums: list[tuple[frozenset[Cell], int]], width: int
) -> tuple[int, dict[Cell, int]]:
    """The polynomial of a part, and that of the placements with a mine in each cell, x = 2^width."""
    places = order(cells, sums)
    rank = {cell: k for k, cell in enumerate(places)}
    clues: list[list[tuple[int, int, int, int]]] = [[] for _ in places]
    for number, (inside, need) in enumerate(sums):
        ranks = sorted(rank[cell] for cell in inside)
        for done, k in enumerate(ranks, 1):
            clues[k].append((number, need, len(ranks) - done, done))

    def after(state: State, k: int, mine: int) -> State | None:
        lacking = dict(state)
        for number, need, left, done in clues[k]:
            lack = (need if done == 1 else lacking.pop(number)) - mine
            if not 0 <= lack <= left:
                return None
            if left:
                lacking[number] = lack
        return tuple(sorted(lacking.items()))

    layers: list[dict[State, int]] = [{(): 1}]
    for k in range(len(places)):
        following: dict[State, int] = defaultdict(int)
        for state, ways in layers[-1].items():
            for mine in (0, 1):
                if (reached := after(state, k, mine)) is not None:
                    following[reached] += ways << (width * mine)
        if len(following) > MOST_STATES:
            raise TooWideError
        layers.append(following)
    total, having = layers[-1].get((), 0), {}
    to_end: dict[State, int] = {(): 1}
    for k in reversed(range(len(places))):
        before: dict[State, int] = {}
        mines = 0
        for state, ways in layers[k].items():
            ends = [
                to_end.get(reached, 0) if (reached := after(state, k, mine)) is not None else 0
                for mine in (0, 1)
            ]
            before[state] = ends[0] + (ends[1] << width)
            mines += (ways * ends[1]) << width
        having[places[k]], to_end = mines, before
    return total, having


def coefficients(packed: int, width: int) -> list[int]:
    mask, found = (1 << width) - 1, []
    while packed:
        found.append(packed & mask)
        packed >>= width
    return found


def times(left: list[int], right: list[int]) -> list[int]:
    """The product of two polynomials, by that of two integers in which their coefficients stand apart."""
    if not left or not right:
        return []
    size = (max(left).bit_length() + max(right).bit_length() + len(left).bit_length()) // 8 + 1
    packed = [
        int.from_bytes(b"".join(a.to_bytes(size, "little") for a in own), "little") for own in (left, right)
    ]
    count = len(left) + len(right) - 1
    product = (packed[0] * packed[1]).to_bytes(size * count, "little")
    return [int.from_bytes(product[size * k : size * (k + 1)], "little") for k in range(count)]


def found_by_twin(rows: Sequence[str], total: int | None) -> Found | None:
    """What holds of all placements; None if there is none. Raises `TooWideError`."""
    clues = clues_of(rows)
    if any(not cells and need for cells, need in clues.sums):
        return None
    alone = len(clues.unknown) - len(clues.beside)
    found = []
    for cells, sums in parts(clues):
        width = len(cells) + 1
        packed, having = counted(cells, sums, width)
        if not packed:
            return None
        found.append(
            (coefficients(packed, width), {cell: coefficients(own, width) for cell, own in having.items()})
        )
    free = [comb(alone, k) for k in range(alone + 1)]
    weights = [1 if total is None else int(k == total - clues.mines) for k in range(len(clues.unknown) + 1)]

    def scored(polynomial: list[int]) -> int:
        return sum(a * w for a, w in zip(polynomial, weights, strict=False))

    ahead, behind = [[1]], [free]
    for own, _ in found:
        ahead.append(times(ahead[-1], own))
    for own, _ in reversed(found):
        behind.append(times(behind[-1], own))
    whole = times(ahead[-1], free)
    count = scored(whole)
    if not count:
        return None
    chances = {}
    for k, (own, having) in enumerate(found):
        others = times(ahead[k], behind[len(found) - 1 - k])
        reach = [
            sum(others[j] * weights[i + j] for j in range(min(len(others), len(weights) - i)))
            for i in range(len(own))
        ]
        for cell, mines in having.items():
            chances[cell] = Fraction(sum(a * b for a, b in zip(mines, reach, strict=False)), count)
    if alone:
        one = times(ahead[-1], [0, *(comb(alone - 1, k) for k in range(alone))])
        chances |= dict.fromkeys(set(clues.unknown) - clues.beside, Fraction(scored(one), count))
    by_mines = {k + clues.mines: a * weights[k] for k, a in enumerate(whole) if a * weights[k]}
    return Found(by_mines, chances)
