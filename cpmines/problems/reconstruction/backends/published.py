"""The published solution of Baltic OI 2010, "Mines": every third row from both ends, then the others.

The difference of the first two rows of the table is the table of row 3 alone, a board of a single row; rows
6, 9, ... follow, and so from the other end; then the rows between them. It works along a side that is not 2
(mod 3) and declines tables where both are. It takes for granted that there is a board: on the table of a
board it is right, on any other it gives a board that does not have this table. It does not count.
"""

from __future__ import annotations

import numpy as np

from cpmines.answer import Answer, Limits
from cpmines.problem import Function, Trust
from cpmines.problems.reconstruction.problem import Boards, Table

__all__ = ["BACKEND", "solve"]

Line = list[int]


def solve(table: Table, limits: Limits) -> Answer[Boards]:
    rows, cols = table.shape
    if rows % 3 == 2 and cols % 3 == 2:
        return Answer.declined(f"the method leaves out {rows} x {cols}: both sides are 2 (mod 3)")
    turned = rows % 3 == 2
    cells = np.array(board(table.sums.T.tolist() if turned else table.sums.tolist(), limits))
    mines = cells == 1
    return Answer.solved(Boards(mines.T if turned else mines))


def board(table: list[Line], limits: Limits) -> list[Line]:
    """The cells of a table whose number of rows is not 2 (mod 3)."""
    rows = len(table)
    found: dict[int, Line] = {}
    for step, first, end in ((1, 2, rows), (-1, rows - 3, -1)):
        triples = [0] * len(table[0])
        for row in range(first, end, 3 * step):
            limits.check()
            near, far = table[row - step], table[row - 2 * step]
            triples = [total + a - b for total, a, b in zip(triples, near, far, strict=True)]
            found[row] = single_row(triples)
    nothing = [0] * len(table[0])
    for row in set(range(rows)) - set(found):
        limits.check()
        above, below = triple_sums(found.get(row - 1, nothing)), triple_sums(found.get(row + 1, nothing))
        found[row] = single_row([a - b - c for a, b, c in zip(table[row], above, below, strict=True)])
    return [found[row] for row in range(rows)]


def triple_sums(line: Line) -> Line:
    """For each cell of a row the sum of itself and its neighbours in the row."""
    return [sum(line[max(col - 1, 0) : col + 2]) for col in range(len(line))]


def single_row(sums: Line) -> Line:
    """The cells of a board of one row from its table; of two possible rows any one.

    Cells are numbered from 1, as in the text, so that the cells 0 and cols + 1 are known to be empty.
    """
    cols = len(sums)
    known = {0: 0, cols + 1: 0}
    for col in range(3, cols + 1, 3):
        known[col] = known[col - 3] + sums[col - 2] - sums[col - 3]
    for col in range(cols - 2, 0, -3):
        known[col] = known[col + 3] + sums[col] - sums[col + 1]
    if cols % 3 == 2:
        decide_pairs(sums, known)
    else:
        if 1 not in known:
            known[1] = sums[0] - known[2]
        sweep(sums, known, 1)
    return [known[col] for col in range(1, cols + 1)]


def decide_pairs(sums: Line, known: dict[int, int]) -> None:
    """Fill a row in which every third cell is known: a pair that sums to 0 or 2 decides all the others."""
    for col in range(1, len(sums) + 1):
        pair = [near for near in (col - 1, col, col + 1) if near % 3 != 0]
        (third,) = {col - 1, col, col + 1} - set(pair)
        rest = sums[col - 1] - known[third]
        if rest in (0, 2):
            known.update(dict.fromkeys(pair, rest // 2))
            sweep(sums, known, col)
            return
    unknown = [col for col in range(1, len(sums) + 1) if col not in known]
    known.update({col: (k + 1) % 2 for k, col in enumerate(unknown)})


def sweep(sums: Line, known: dict[int, int], col: int) -> None:
    """Fill a row to the right of the known cells col - 1 and col, and to the left of col and col + 1."""
    for right in range(col + 1, len(sums) + 1):
        if right not in known:
            known[right] = sums[right - 2] - known[right - 1] - known[right - 2]
    for left in range(col - 1, 0, -1):
        if left not in known:
            known[left] = sums[left] - known[left + 1] - known[left + 2]


BACKEND = Function(
    {"board": solve},
    "the editorial of Baltic OI 2010, for tables of boards, not both sides 2 (mod 3)",
    Trust.UNRELIABLE,
)
