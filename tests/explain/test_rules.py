"""One and two clues against all ways to meet them."""

from __future__ import annotations

from itertools import product

import numpy as np

from cpmines.clues import Clue
from cpmines.explain.rules import NOTHING, Forced, one, two

CELLS = range(7)


def forced(*clues: Clue) -> Forced:
    """By all ways to fill the cells."""
    cells = sorted({cell for clue in clues for cell in clue.cells})
    ways = [
        values
        for choice in product((0, 1), repeat=len(cells))
        for values in [dict(zip(cells, choice, strict=True))]
        if all(sum(values[cell] for cell in clue.cells) == clue.mines for clue in clues)
    ]
    assert ways
    safe = tuple(cell for cell in cells if not any(values[cell] for values in ways))
    return safe, tuple(cell for cell in cells if all(values[cell] for values in ways))


def random_clue(rng: np.random.Generator, place: int, mines: np.ndarray) -> Clue:
    cells = tuple(sorted(rng.choice(CELLS, rng.integers(1, 6), replace=False).tolist()))
    return Clue(place, 8, cells, int(mines[list(cells)].sum()))


def test_one_and_two_clues() -> None:
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(2000):
        mines = rng.integers(0, 2, len(CELLS))
        first, second = (random_clue(rng, place, mines) for place in (0, 1))
        assert one(first) == forced(first)
        assert two(first, second) == forced(first, second)
        found += two(first, second) != NOTHING
    assert found > 200
