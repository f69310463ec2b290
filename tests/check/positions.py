"""Small boards for tests of certificates."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np

from cpmines.board import MINE, UNKNOWN, Position

__all__ = ["random_position"]


def random_position(random: Random) -> Position:
    """A small board from a placement, now and then with a wrong clue, a known mine, a total."""
    rows, cols = random.choice([(1, 1), (1, 5), (3, 3), (2, 4), (4, 3)])
    mines = np.array([[random.random() < 0.3 for _ in range(cols)] for _ in range(rows)])
    cells = np.full((rows, cols), UNKNOWN, np.int8)
    for row, col in product(range(rows), range(cols)):
        block = mines[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2]
        if mines[row, col]:
            cells[row, col] = MINE if random.random() < 0.1 else UNKNOWN
        elif random.random() < 0.5:
            cells[row, col] = min(8, int(block.sum()) + (random.random() < 0.05))
    total = random.choice([None, int(mines.sum()), min(int(mines.sum()) + 1, rows * cols)])
    return Position(cells, total)
