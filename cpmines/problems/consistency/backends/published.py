"""The published solution of Codeforces gym 106368F: a queue of clues, then YES if nothing went wrong.

Two faults of the text are kept: whatever propagation leaves open counts as consistent, though the problem is
NP-complete, and a clue cell is undecided like any other, so that it may become a mine (``11/11`` passes).
"""

from __future__ import annotations

from collections import deque

from cpmines.answer import Answer, Limits
from cpmines.board import MINE, Position
from cpmines.grid import OFFSETS
from cpmines.problem import Function, Trust
from cpmines.problems.consistency.problem import Placement

__all__ = ["BACKEND", "solve"]

Cell = tuple[int, int]
CHECK_EVERY = 1024


def around(row: int, col: int, rows: int, cols: int) -> list[Cell]:
    near = [(row + down, col + right) for down, right in OFFSETS]
    return [(r, c) for r, c in near if 0 <= r < rows and 0 <= c < cols]


def solve(position: Position, limits: Limits) -> Answer[Placement]:
    if position.mines is not None:
        return Answer.declined("the published text knows no total number of mines")
    rows, cols = position.shape
    shown = position.cells.tolist()
    state = {(r, c): True if shown[r][c] == MINE else None for r in range(rows) for c in range(cols)}
    need: dict[Cell, int] = {}
    undecided: dict[Cell, int] = {}
    for row, col in state:
        if shown[row][col] >= 0:
            near = [state[cell] for cell in around(row, col, rows, cols)]
            need[row, col] = shown[row][col] - near.count(True)
            undecided[row, col] = near.count(None)
    queue = deque(need)
    steps = 0
    while queue:
        steps += 1
        if steps % CHECK_EVERY == 0:
            limits.check()
        clue = queue.popleft()
        if need[clue] < 0 or need[clue] > undecided[clue]:
            return Answer.infeasible()
        if undecided[clue] == 0 or need[clue] not in (0, undecided[clue]):
            continue
        mine = need[clue] > 0
        for cell in around(*clue, rows, cols):
            if state[cell] is not None:
                continue
            state[cell] = mine
            for other in around(*cell, rows, cols):
                if other in need:
                    need[other] -= mine
                    undecided[other] -= 1
                    queue.append(other)
    return Answer.solved(Placement())


BACKEND = Function(
    {"exists": solve},
    "the published queue of Codeforces gym 106368F, yes or no",
    Trust.UNRELIABLE,
    packages=(),
)
