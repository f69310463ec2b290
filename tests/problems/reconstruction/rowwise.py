"""An exact count that shares nothing with the package: row by row, for tables with few columns."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

Boards = tuple[int, int, int]
"""How many, and as bits of an integer the cells with a mine in all and in any of them."""


def count(sums: NDArray[np.int8]) -> tuple[int, NDArray[np.int8] | None]:
    """The number of boards and the forced cells (1, 0, -1 as in `Boards`; None if there is no board)."""
    rows, cols = sums.shape
    by_triples = defaultdict(list)
    triples = {}
    for line in range(1 << cols):
        bits = [0, *(line >> col & 1 for col in range(cols)), 0]
        triples[line] = np.array([sum(bits[col : col + 3]) for col in range(cols)])
        by_triples[triples[line].tobytes()].append(line)
    found: dict[tuple[int, int], Boards] = {(0, line): (1, line, line) for line in range(1 << cols)}
    for row in range(rows):
        after: dict[tuple[int, int], Boards] = {}
        for (above, here), (number, every, some) in found.items():
            rest = (sums[row] - triples[above] - triples[here]).tobytes()
            for below in by_triples.get(rest, []):
                shifted = below << (row + 1) * cols
                seen = after.get((here, below), (0, -1, 0))
                after[here, below] = (
                    seen[0] + number,
                    seen[1] & (every | shifted),
                    seen[2] | some | shifted,
                )
        found = after
    ends = [boards for (_, below), boards in found.items() if below == 0]
    if not ends:
        return 0, None
    every, some = ends[0][1], 0
    for _, in_all, in_any in ends:
        every, some = every & in_all, some | in_any
    cells = [1 if every >> k & 1 else -1 if some >> k & 1 else 0 for k in range(rows * cols)]
    return sum(number for number, _, _ in ends), np.array(cells, np.int8).reshape(rows, cols)
