"""Tables of boards, with one board or many on purpose, tables of no board, and simpler tables to shrink to.

A cell of the core is written as a *pattern*: the cell itself, or 1 - cell where the shifts of its row and
column are subtracted. All cells of a lone line being equal as a pattern is what leaves it two values.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.errors import UsageError
from cpmines.grid import above_block, block_sizes, box_sums, many_first, without_lines
from cpmines.numerals import plural
from cpmines.problems.reconstruction.axis import kernel_vector
from cpmines.problems.reconstruction.decide import decide
from cpmines.problems.reconstruction.members import Choices
from cpmines.sums.table import Table

__all__ = ["FAMILIES", "PROFILES", "shrink", "tiny"]

Mask = NDArray[np.bool_]
Index = NDArray[np.intp]

ATTEMPTS = 500


def random(rng: np.random.Generator, rows: int = 9, cols: int = 9, density: float = 0.3) -> Table:
    """The table of a random board."""
    return Table.of(rng.random((rows, cols)) < density)


def unique(rng: np.random.Generator, rows: int = 8, cols: int = 8) -> Table:
    """A table with exactly one board.

    Read a 1 of the core as an arrow from its row to its column, a 0 as one back. A shift must not fall along
    arrows, so there is only one if closed walks of arrows connect all rows and columns; they are planted.
    """
    if min(rows, cols) < 1:
        raise ValueError(f"{plural(rows, 'row')} and {plural(cols, 'column')}, expected at least 1")
    return Table.of(board_of(unique_pattern(rng, rows, cols)))


def unique_pattern(rng: np.random.Generator, rows: int, cols: int) -> Mask:
    """A pattern that determines all shifts."""
    pattern = rng.random((rows, cols)) < 0.5
    down, across = np.flatnonzero(kernel_vector(rows)), np.flatnonzero(kernel_vector(cols))
    for lone, kernel in ((pattern, across), (pattern.T, down)):
        if len(kernel):
            ends = np.array([rng.choice(kernel, 2, replace=False) for _ in lone])
            lone[np.arange(len(lone)), ends[:, 0]] = False
            lone[np.arange(len(lone)), ends[:, 1]] = True
    if len(down) and len(across):
        plant_walk(pattern, rng.permutation(down), rng.permutation(across))
    return pattern


def plant_walk(pattern: Mask, rows: Index, cols: Index) -> None:
    """Put all the given rows and columns on closed walks, in place: two cells a line of the longer side."""
    k = np.arange(max(len(rows), len(cols)))
    last = k - 1 if len(rows) >= len(cols) else k
    pattern[rows[k % len(rows)], cols[k % len(cols)]] = True
    pattern[rows[(last + 1) % len(rows)], cols[last % len(cols)]] = False


def ambiguous(
    rng: np.random.Generator, rows: int = 8, cols: int = 8, free: float = 0.5, levels: int = 3
) -> Table:
    """A table with several boards.

    Parameters
    ----------
    free
        Share of the lone lines that have two values.
    levels
        At least 2: rows and columns of the core are put on so many levels, and a cell is 1 where its row's
        level is below its column's, 0 where it is above. Shifting all from some level up gives another board.
    """
    if levels < 2:
        raise ValueError(f"{plural(levels, 'level')}, expected at least 2")
    down, across = kernel_vector(rows) != 0, kernel_vector(cols) != 0
    if not (down.any() or across.any()):
        raise UsageError(f"a table of {rows} x {cols} has at most one board: no side is 2 (mod 3)")
    pattern = rng.random((rows, cols)) < 0.5
    for lone, varied, kernel in ((pattern, ~down, across), (pattern.T, ~across, down)):
        if kernel.any() and varied.any():
            lines = np.flatnonzero(varied)
            chosen = lines[np.append(True, rng.random(len(lines) - 1) < free)]
            lone[np.ix_(chosen, kernel)] = rng.random((len(chosen), 1)) < 0.5
    if down.any() and across.any():
        row_level, col_level = rng.integers(0, levels, rows)[down], rng.integers(0, levels, cols)[across]
        row_level[:2] = 0, levels - 1
        above = col_level - row_level[:, None]
        pattern[np.ix_(down, across)] = np.where(above == 0, pattern[np.ix_(down, across)], above > 0)
    return Table.of(board_of(pattern))


def board_of(pattern: Mask) -> Mask:
    """The board of a pattern."""
    rows, cols = pattern.shape
    return pattern ^ np.not_equal.outer(kernel_vector(rows) < 0, kernel_vector(cols) < 0)


def changed(
    rng: np.random.Generator, rows: int = 9, cols: int = 9, density: float = 0.3, entries: int = 1
) -> Table:
    """The table of a random board with some entries one too large or too small: mostly of no board."""
    sums, block = random(rng, rows, cols, density).sums.copy(), block_sizes(rows, cols)
    for cell in rng.choice(sums.size, min(entries, sums.size), replace=False):
        up = sums.flat[cell] == 0 or (sums.flat[cell] < block.flat[cell] and rng.random() < 0.5)
        sums.flat[cell] += 1 if up else -1
    return Table(sums)


def spoilt(rng: np.random.Generator, rows: int = 9, cols: int = 9, density: float = 0.3) -> Table:
    """The table of a random board with one entry one too large or too small, which has no board."""
    for _ in range(ATTEMPTS):
        table = changed(rng, rows, cols, density)
        if not isinstance(decide(table.sums, Limits()), Choices):
            return table
    raise UsageError(f"of {ATTEMPTS} tables of {rows} x {cols} with a changed entry all have a board")


def counted(rng: np.random.Generator, rows: int = 8, cols: int = 8, boards: int = 12) -> Table:
    """A table with exactly so many boards.

    Lone lines of two values give a power of two. If both sides are 2 (mod 3) the core gives any factor: one
    part of it whose rows and columns are tied together, then single columns and rows in a chain; a shift may
    begin at each.
    """
    if boards < 1:
        raise UsageError(f"{boards} boards, expected at least 1")
    down, across = np.flatnonzero(kernel_vector(rows)), np.flatnonzero(kernel_vector(cols))
    lone_rows = np.setdiff1d(np.arange(rows), down) if len(across) else down[:0]
    lone_cols = np.setdiff1d(np.arange(cols), across) if len(down) else across[:0]
    free = min((boards & -boards).bit_length() - 1, len(lone_rows) + len(lone_cols))
    links = (boards >> free) - 1
    room = 2 * min(len(down), len(across)) - 4
    if boards != (links + 1) << free or links > max(room, 0):
        raise UsageError(
            f"no construction known for a table of {rows} x {cols} with exactly {plural(boards, 'board')}"
        )
    pattern = unique_pattern(rng, rows, cols)
    for k in range(links):
        lines, turned = (across, pattern) if k % 2 == 0 else (down, pattern.T)
        others = down if k % 2 == 0 else across
        line, earlier = lines[k // 2], others[: k // 2 + k % 2]
        turned[np.setdiff1d(others, earlier), line] = k % 2 == 0
    if links:
        plant_walk(pattern, rng.permutation(down[links // 2 :]), rng.permutation(across[(links + 1) // 2 :]))
    chosen = rng.permutation(len(lone_rows) + len(lone_cols))[:free]
    pattern[np.ix_(lone_rows[chosen[chosen < len(lone_rows)]], across)] = rng.random() < 0.5
    pattern[np.ix_(down, lone_cols[chosen[chosen >= len(lone_rows)] - len(lone_rows)])] = rng.random() < 0.5
    return Table.of(board_of(pattern))


def doubled(
    rng: np.random.Generator, rows: int = 9, cols: int = 9, density: float = 0.3, cells: int = 1
) -> Table:
    """A table in which some mines count twice: right as sums of integers, but mostly of no board."""
    most = block_sizes(rows, cols)
    twice = np.zeros((rows, cols), np.bool_)
    twice.flat[rng.choice(twice.size, min(cells, twice.size), replace=False)] = True
    mines = (rng.random((rows, cols)) < density) | twice
    return Table(np.minimum(box_sums(mines) + box_sums(twice), most))


def noise(rng: np.random.Generator, rows: int = 3, cols: int = 3) -> Table:
    """Every entry drawn by itself from 0 to the size of its block."""
    return Table(rng.integers(0, block_sizes(rows, cols), endpoint=True, dtype=np.int8))


def tiny(rng: np.random.Generator) -> Table:
    """A table of at most 16 cells, of all size classes alike, with a board in about half of the cases."""
    rows = cols = 16
    residues = rng.integers(1, 4, 2)
    while rows * cols > 16:
        rows, cols = (residues + 3 * rng.integers(0, 3, 2)).tolist()
    kind = rng.random()
    if kind < 0.2:
        return random(rng, rows, cols, rng.choice([0.0, 0.2, 0.5, 0.8, 1.0]))
    if kind < 0.45:
        several = kind > 0.3 and (rows % 3 == 2 or cols % 3 == 2)
        return ambiguous(rng, rows, cols, rng.random(), 2) if several else unique(rng, rows, cols)
    if kind < 0.65:
        return changed(rng, rows, cols, rng.random())
    return doubled(rng, rows, cols, rng.random()) if kind < 0.9 else noise(rng, rows, cols)


def small(rng: np.random.Generator) -> Table:
    """A table of up to 9 x 9, of all size classes alike, with a board in about half of the cases."""
    return draw(rng, 3)


def medium(rng: np.random.Generator) -> Table:
    """A table of up to 30 x 30, of all size classes alike, with a board in about half of the cases."""
    return draw(rng, 10)


def draw(rng: np.random.Generator, triples: int) -> Table:
    """A table whose sides are 1 to 3 times `triples`, as often of each class modulo 3."""
    rows, cols = (rng.integers(1, 4, 2) + 3 * rng.integers(0, triples, 2)).tolist()
    kind = rng.random()
    if kind < 0.3:
        return random(rng, rows, cols, rng.random())
    if kind < 0.6:
        several = kind > 0.4 and (rows % 3 == 2 or cols % 3 == 2)
        levels = int(rng.integers(2, 5))
        return ambiguous(rng, rows, cols, rng.random(), levels) if several else unique(rng, rows, cols)
    return changed(rng, rows, cols, rng.random()) if kind < 0.8 else doubled(rng, rows, cols, rng.random())


def shrink(table: Table) -> Iterator[Table]:
    """Tables of smaller boards and of boards with a mine less; then the table itself with less in it."""
    mines = _a_board(table)
    if mines is not None:
        yield from (Table.of(smaller) for smaller in without_lines(mines))
        for cells in many_first(np.flatnonzero(mines)):
            fewer = mines.copy()
            fewer.flat[cells] = False
            yield Table.of(fewer)
    yield from (Table(smaller) for smaller in without_lines(table.sums) if above_block(smaller) is None)
    for cell in np.flatnonzero(table.sums):
        lower = table.sums.copy()
        lower.flat[cell] -= 1
        yield Table(lower)


def _a_board(table: Table) -> Mask | None:
    """A board of the table, None if there is none, or if `decide` fails: it may be what is under test."""
    try:
        found = decide(table.sums, Limits())
        mines = found.board().view(np.bool_) if isinstance(found, Choices) else None
    except Exception:
        return None
    return mines if mines is not None and table == Table.of(mines) else None


PROFILES = {"tiny": tiny, "small": small, "medium": medium}

FAMILIES = {
    "random": random,
    "unique": unique,
    "ambiguous": ambiguous,
    "counted": counted,
    "changed": changed,
    "spoilt": spoilt,
    "doubled": doubled,
    "noise": noise,
}
