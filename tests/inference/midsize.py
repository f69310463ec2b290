"""Boards from 8 x 8 to 60 x 60 with large counts that are within reach, and what `direct` says of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

from cpmines.board import Position
from cpmines.run import solve
from tests.inference.twin import Cell, Found, clues_of, parts

__all__ = ["board", "by_ganak", "differences"]

MOST_WITH_TOTAL = 120
"""Unknown cells up to which a formula has the total: it takes their square."""


def board(random: Random) -> tuple[list[str], int | None]:
    """Rows and perhaps the total. Parts shown and densities differ, also from place to place."""
    height, width = random.randint(8, 60), random.randint(8, 60)
    density, share, flagged = (
        random.uniform(0.05, 0.35),
        random.uniform(0.4, 0.95),
        random.choice((0, 0, 0.3)),
    )
    mines = [[random.random() < density for _ in range(width)] for _ in range(height)]
    dark = (random.randrange(height), random.randrange(width), random.randint(0, max(height, width) // 2))
    rows = []
    for r in range(height):
        row = ""
        for c in range(width):
            inside = abs(r - dark[0]) < dark[2] and abs(c - dark[1]) < dark[2]
            if inside or random.random() >= (flagged if mines[r][c] else share):
                row += "."
            else:
                around = [
                    mines[i][j]
                    for i in range(max(r - 1, 0), min(r + 2, height))
                    for j in range(max(c - 1, 0), min(c + 2, width))
                ]
                row += "*" if mines[r][c] else str(sum(around))
        rows.append(row)
    if random.random() < 0.15:
        rows = changed(rows, random)
    number = sum(map(sum, mines)) + random.choice((0, 0, 0, 0, 1, -3, 40))
    return rows, random.choice((None, min(max(number, 0), height * width)))


def changed(rows: list[str], random: Random) -> list[str]:
    """One clue is another, by one, which often fits no placement."""
    r, c = random.randrange(len(rows)), random.randrange(len(rows[0]))
    shown = rows[r][c]
    if not shown.isdecimal():
        return rows
    other = min(8, max(0, int(shown) + random.choice((-1, 1))))
    return [*rows[:r], rows[r][:c] + str(other) + rows[r][c + 1 :], *rows[r + 1 :]]


def position(rows: Sequence[str], total: int | None) -> Position:
    size = [len(rows), len(rows[0]), *([] if total is None else [total])]
    return Position.parse("\n".join([" ".join(map(str, size)), *rows, ""]))


def differences(rows: Sequence[str], total: int | None, found: Found | None) -> list[str]:
    """Where consistency, counting and deduction by `direct` differ from what was found."""
    asked = position(rows, total)
    answers: dict[str, Any] = {
        "consistency": solve("consistency", asked, "direct"),
        "counting": solve("counting", asked, "direct", fractions=True),
        "deduction": solve("deduction", asked, "direct"),
    }
    statuses = {name: str(answer.status) for name, answer in answers.items()}
    if set(statuses.values()) != {"infeasible" if found is None else "solved"}:
        return [f"{statuses}, the twin finds {'none' if found is None else found.count}"]
    if found is None:
        return []
    counts, cells = answers["counting"].value, answers["deduction"].value.rows()
    told = [f"count {counts.count}, the twin {found.count}"] * (counts.count != found.count)
    if counts.by_mines is not None and dict(counts.by_mines) != found.by_mines:
        told.append("other counts by mines")
    for (r, c), chance in found.chances.items():
        if counts.fractions[r, c] != chance or counts.probability[r, c] != float(chance):
            told.append(f"chance {counts.fractions[r, c]} in {r}, {c}, the twin {chance}")
        if cells[r][c] != ("s" if chance == 0 else "m" if chance == 1 else "?"):
            told.append(f"deduction {cells[r][c]} in {r}, {c}, the twin's chance {chance}")
    return told


def by_ganak(rows: Sequence[str], total: int | None) -> int:
    """The number of placements by a #SAT counter, on clauses of our own.

    Without a total each part is counted by itself; with one, the clauses have all unknown cells in them.
    """
    clues = clues_of(rows)
    if any(not cells and need for cells, need in clues.sums):
        return 0
    if total is not None:
        return sharp(clues.unknown, clues.sums, total - clues.mines)
    found = 1 << (len(clues.unknown) - len(clues.beside))
    for cells, sums in parts(clues):
        found *= sharp(cells, sums)
    return found


def sharp(
    cells: Sequence[Cell], sums: Sequence[tuple[frozenset[Cell], int]], mines: int | None = None
) -> int:
    """Placements in these cells: of a clue no subset that is too large is mines, none that is is safe."""
    import pyganak

    number = {cell: k for k, cell in enumerate(cells, 1)}
    clauses, top = ([], len(cells)) if mines is None else exactly(list(number.values()), mines)
    for inside, need in sums:
        literals = [number[cell] for cell in inside]
        if not 0 <= need <= len(literals):
            return 0
        clauses += [[-x for x in some] for some in combinations(literals, need + 1)]
        clauses += [list(some) for some in combinations(literals, len(literals) - need + 1)]
    counter = pyganak.Counter(seed=0)
    counter.new_vars(top)
    counter.add_clauses(clauses)
    counter.set_sampling_set(range(1, len(cells) + 1))
    return int(counter.count())


def exactly(cells: list[int], need: int) -> tuple[list[list[int]], int]:
    """Clauses that so many of the first variables are true; the last of the variables that they add.

    A variable for each cell and number k says: at least k of the cells up to this one.
    """
    count = len(cells)
    if not 0 <= need <= count:
        return [[1], [-1]], count
    true = count + count * count + 1

    def least(place: int, k: int) -> int:
        return true if k <= 0 else -true if k > place else count + (place - 1) * count + k

    clauses = [[true], [least(count, need)], [-least(count, need + 1)]]
    for place, cell in enumerate(cells, 1):
        for k in range(1, place + 1):
            here, before, fewer = least(place, k), least(place - 1, k), least(place - 1, k - 1)
            clauses += [[-before, here], [-cell, -fewer, here], [-here, before, cell], [-here, before, fewer]]
    return clauses, true
