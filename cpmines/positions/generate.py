"""Random positions of many kinds, consistent and not, and smaller ones to shrink to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, UNKNOWN, Position
from cpmines.grid import box_sums, many_first, neighbour_counts, without_lines

__all__ = ["FAMILIES", "PROFILES", "medium", "shrink", "small", "tiny"]

Mask = NDArray[np.bool_]


def show(mines: Mask, shown: Mask, known: Mask | bool = False) -> NDArray[np.int8]:
    """Cells of a board: true clues where `shown` and no mine, mines where `known`, the rest unknown."""
    cells = np.where(shown & ~mines, neighbour_counts(mines), np.int8(UNKNOWN))
    cells[mines & known] = MINE
    return cells


def revealed(
    rng: np.random.Generator,
    rows: int = 16,
    cols: int = 30,
    density: float = 0.206,
    share: float = 0.5,
    changed: int = 0,
    total: bool = False,
) -> Position:
    """Independent mines, each safe cell shown with probability `share`; `changed` clues are off by one."""
    mines = rng.random((rows, cols)) < density
    cells = show(mines, rng.random((rows, cols)) < share)
    clues = np.flatnonzero(cells >= 0)
    for clue in rng.choice(clues, min(changed, len(clues)), replace=False):
        value = cells.flat[clue]
        cells.flat[clue] = value + 1 if value == 0 or (value < 8 and rng.random() < 0.5) else value - 1
    return Position(cells, int(mines.sum()) if total else None)


def game(
    rng: np.random.Generator,
    rows: int = 16,
    cols: int = 30,
    mines: int = 99,
    share: float = 0.3,
    total: bool = True,
) -> Position:
    """A game as players meet it: safe cells opened one by one, with all around a 0, until `share` is open."""
    placed = np.zeros((rows, cols), np.bool_)
    placed.flat[rng.choice(rows * cols, mines, replace=False)] = True
    blank = (neighbour_counts(placed) == 0) & ~placed
    shown = np.zeros_like(placed)
    safe = rng.permutation(np.flatnonzero(~placed))
    first = safe[blank.flat[safe]][:1]
    for cell in [*first, *safe]:
        if shown.sum() >= share * len(safe):
            break
        shown.flat[cell] = True
        if blank.flat[cell]:
            shown |= flood(blank, int(cell))
    return Position(show(placed, shown), mines if total else None)


def flood(blank: Mask, start: int) -> Mask:
    """The blank cells connected with `start`, and all cells around them."""
    reached = np.zeros_like(blank)
    reached.flat[start] = True
    while True:
        wider = box_sums(reached & blank) > 0
        if (wider == reached).all():
            return reached
        reached = wider


def chain(rng: np.random.Generator, rows: int = 3, cols: int = 100, broken: bool = False) -> Position:
    """Every third row unknown; each cell follows from the two before it, from the left end to the right.

    If `broken`, the last clues contradict what arrives, and nothing shows it earlier.
    """
    mines = np.zeros((rows, cols), np.bool_)
    wires = mines[1::3]
    for col in range(2, cols):
        alike = wires[:, col - 1] == wires[:, col - 2]
        wires[:, col] = np.where(alike, ~wires[:, col - 1], rng.random(len(wires)) < 0.5)
    if cols > 3:
        wires[:, -1] = wires[:, -2] ^ (not broken)
        wires[:, -3] = ~wires[:, -2]
    shown = np.ones_like(mines)
    shown[1::3] = False
    cells = show(mines, shown)
    if broken:
        cells[-3:, -1] = np.where(cells[-3:, -1] >= 0, 1, UNKNOWN)
    return Position(cells)


def stuck(
    rng: np.random.Generator, rows: int = 5, cols: int = 7, broken: int = 1, total: bool = False
) -> Position:
    """Pairs of clues with the same four unknown neighbours among known mines; `broken` pairs differ by one.

    Propagation sees each clue alone and stops at once.
    """
    cells = np.full((rows, cols), MINE, np.int8)
    pairs = [(row, col) for row in range(0, rows - 1, 3) for col in range(0, cols - 2, 4)]
    order = rng.permutation(len(pairs))
    wanted = {}
    for rank, index in enumerate(order):
        row, col = pairs[index]
        cells[row : row + 2, col : col + 3] = UNKNOWN
        need = int(rng.integers(1, 4 if rank >= broken else 3))
        wanted[row, col + 1], wanted[row + 1, col + 1] = need, need + (rank < broken)
    return among_mines(cells, wanted, sum(list(wanted.values())[::2]) if total else None)


def rings(rng: np.random.Generator, rows: int = 3, cols: int = 4) -> Position:
    """Nested rings of unknown cells, clues between them: neighbours along a ring differ.

    A ring of an odd number of cells, which is one with rows + cols odd, has no placement, and propagation
    can't see it.
    """
    cells = np.full((rows, cols), MINE, np.int8)
    wanted = {}
    for inset in range(0, min(rows, cols) // 2, 2):
        top, bottom, left, right = inset, rows - 1 - inset, inset, cols - 1 - inset
        if bottom - top < 2 or right - left < 2:
            break
        around = [(top, col) for col in range(left, right)] + [(row, right) for row in range(top, bottom)]
        around += [(bottom, col) for col in range(right, left, -1)]
        around += [(row, left) for row in range(bottom, top, -1)]
        offset = int(rng.integers(0, 2))
        for k, (row, col) in enumerate(around):
            cells[row, col] = UNKNOWN
            if k % 2 == offset:
                wanted[row, col] = 1
    return among_mines(cells, wanted)


def among_mines(
    cells: NDArray[np.int8], wanted: dict[tuple[int, int], int], total: int | None = None
) -> Position:
    """The position in which the clues in `wanted` need so many mines besides the known ones.

    `total` is the number of mines besides the known ones, None for no total.
    """
    known = cells == MINE
    counts = neighbour_counts(known)
    for place, need in wanted.items():
        cells[place] = need + counts[place]
    return Position(cells, None if total is None else min(cells.size, int(known.sum()) + total))


def noise(rng: np.random.Generator, rows: int = 4, cols: int = 4, known: float = 0.4) -> Position:
    """Each cell by itself: unknown, or with probability `known` a mine or a small clue."""
    clues = rng.choice([MINE, 0, 1, 1, 2, 2, 3], (rows, cols))
    return Position(np.where(rng.random((rows, cols)) < known, clues, UNKNOWN))


def tiny(rng: np.random.Generator, most: int = 13) -> Position:
    """A position with at most `most` unknown cells, consistent in about half of the cases."""
    while True:
        position = draw_tiny(rng)
        if (position.cells == UNKNOWN).sum() <= most:
            return position


def draw_tiny(rng: np.random.Generator) -> Position:
    kind = rng.choice(
        ["revealed", "total", "noise", "stuck", "rings", "chain"], p=[0.4, 0.3, 0.1, 0.1, 0.05, 0.05]
    )
    rows, cols = (int(size) for size in rng.integers(1, 7, 2))
    if kind == "noise":
        return noise(rng, rows, cols, rng.random())
    if kind == "stuck":
        return stuck(
            rng, 2, int(rng.choice([3, 7, 8, 11])), int(rng.integers(0, 2)), bool(rng.integers(0, 2))
        )
    if kind == "rings":
        return rings(rng, int(rng.integers(3, 6)), int(rng.integers(3, 7)))
    if kind == "chain":
        return chain(rng, 3, int(rng.integers(4, 13)), bool(rng.integers(0, 2)))
    share = rng.choice([0.0, 0.3, 0.5, 0.7, 1.0], p=[0.05, 0.25, 0.3, 0.3, 0.1])
    changed = int(rng.choice([0, 1, 2], p=[0.35, 0.4, 0.25]))
    position = revealed(
        rng, rows, cols, rng.random(), share, changed if kind == "revealed" else 0, kind == "total"
    )
    return off_by_some(rng, position)


def small(rng: np.random.Generator) -> Position:
    """A position of up to 9 x 9 cells."""
    return draw(rng, *rng.integers(1, 10, 2).tolist())


def medium(rng: np.random.Generator) -> Position:
    """A position of up to 30 x 30 cells; one in eight is a game of experts."""
    if rng.random() < 0.125:
        return game(rng, share=rng.uniform(0.1, 0.9), total=bool(rng.integers(0, 2)))
    return draw(rng, *rng.integers(5, 31, 2).tolist())


def draw(rng: np.random.Generator, rows: int, cols: int) -> Position:
    """A position of this size, consistent in about half of the cases; chains and rings may be thinner."""
    kind = rng.choice(["revealed", "noise", "stuck", "rings", "chain"], p=[0.7, 0.05, 0.1, 0.05, 0.1])
    if kind == "noise":
        return noise(rng, rows, cols, rng.uniform(0, 0.1))
    if kind == "stuck":
        return stuck(rng, rows, cols, int(rng.integers(0, 2)), bool(rng.integers(0, 2)))
    if kind == "rings":
        return rings(rng, max(rows, 3), max(cols, 3))
    if kind == "chain":
        return chain(rng, 3 * max(1, rows // 3), max(cols, 4), bool(rng.integers(0, 2)))
    share = rng.choice([0.0, 0.3, 0.6, 0.9, 1.0], p=[0.05, 0.35, 0.3, 0.2, 0.1])
    changed = int(rng.choice([0, 1, 2], p=[0.5, 0.35, 0.15]))
    total = bool(rng.integers(0, 2))
    position = revealed(rng, rows, cols, rng.uniform(0.1, 0.4), share, changed, total)
    return off_by_some(rng, position)


def off_by_some(rng: np.random.Generator, position: Position) -> Position:
    """The position; its total, if it has one, is sometimes one or two too small or too large."""
    if position.mines is None:
        return position
    off = int(rng.choice([0, 0, -1, 1, -2, 2]))
    return Position(position.cells, min(max(position.mines + off, 0), position.cells.size))


def shrink(position: Position) -> Iterator[Position]:
    """Positions with fewer rows or columns, without a total or with a lower one, with simpler cells.

    Many rows, columns or cells at a time come first.
    """
    cells, mines = position.cells, position.mines
    for smaller in without_lines(cells):
        yield Position(smaller, None if mines is None else min(mines, smaller.size))
    if mines is not None:
        yield Position(cells)
        for fewer in sorted({0, mines // 2, mines - 1}):
            if 0 <= fewer < mines:
                yield Position(cells, fewer)
    for known in many_first(np.flatnonzero(cells != UNKNOWN)):
        if len(known) > 1:
            simpler = cells.copy()
            simpler.flat[known] = UNKNOWN
            yield Position(simpler, mines)
    for cell in np.flatnonzero(cells != UNKNOWN):
        simpler = cells.copy()
        for code in {UNKNOWN, max(int(cells.flat[cell]) - 1, UNKNOWN)}:
            simpler.flat[cell] = code
            yield Position(simpler.copy(), mines)


PROFILES = {"tiny": tiny, "small": small, "medium": medium}

FAMILIES = {
    "revealed": revealed,
    "game": game,
    "chain": chain,
    "stuck": stuck,
    "rings": rings,
    "noise": noise,
}
