"""Finished boards, right ones and ones with wrong clues, and smaller boards to shrink to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cpmines.board import MINE, Board
from cpmines.grid import neighbour_counts, without_lines

__all__ = ["FAMILIES", "PROFILES", "shrink", "tiny"]


def finished(
    rng: np.random.Generator, rows: int = 16, cols: int = 30, density: float = 0.206, wrong: int = 0
) -> Board:
    """A random board with `wrong` of its clues (all, if it has fewer) changed to another number."""
    if not 0 <= density <= 1:
        raise ValueError(f"a density of {density}, expected 0 to 1")
    mines = rng.random((rows, cols)) < density
    cells = np.where(mines, np.int8(MINE), neighbour_counts(mines))
    clues = np.flatnonzero(cells >= 0)
    changed = rng.choice(clues, min(wrong, len(clues)), replace=False)
    flat = cells.ravel()
    flat[changed] = (flat[changed] + rng.integers(1, 9, len(changed))) % 9
    return Board(cells)


def noise(rng: np.random.Generator, rows: int = 4, cols: int = 4) -> Board:
    """Every cell drawn by itself: mines half of the time, small clues otherwise."""
    clues = rng.integers(0, 4, (rows, cols))
    return Board(np.where(rng.random((rows, cols)) < 0.5, MINE, clues))


def tiny(rng: np.random.Generator) -> Board:
    """A board of at most 5 x 5, right in about half of the cases."""
    rows, cols = rng.integers(1, 6, 2)
    if rng.random() < 0.2:
        return noise(rng, rows, cols)
    return finished(rng, rows, cols, density=rng.random(), wrong=int(rng.integers(0, 3) * rng.integers(0, 2)))


def small(rng: np.random.Generator) -> Board:
    """A board of up to 12 x 12, right in about half of the cases."""
    return draw(rng, 12)


def medium(rng: np.random.Generator) -> Board:
    """A board of up to 60 x 60, right in about half of the cases."""
    return draw(rng, 60)


def draw(rng: np.random.Generator, most: int) -> Board:
    """A board of sides up to `most`; with so many cells, few wrong ones are the hard case."""
    rows, cols = rng.integers(1, most + 1, 2).tolist()
    return finished(rng, rows, cols, rng.uniform(0, 0.6), int(rng.integers(0, 2)) * int(rng.integers(1, 4)))


def shrink(board: Board) -> Iterator[Board]:
    """Boards with fewer rows or columns, or with a simpler cell."""
    cells = board.cells
    yield from (Board(smaller) for smaller in without_lines(cells))
    for cell in np.flatnonzero(cells != 0):
        simpler = cells.copy()
        simpler.flat[cell] = 0 if simpler.flat[cell] == MINE else simpler.flat[cell] - 1
        yield Board(simpler)


PROFILES = {"tiny": tiny, "small": small, "medium": medium}

FAMILIES = {"finished": finished, "noise": noise}
