"""Consistency: propagation against a plain Python queue, its growth, the exact backends on all boards."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks import Case
from cpmines.answer import Limits, Status
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.files import instance_files, read, shipped
from cpmines.grid import OFFSETS
from cpmines.inference.propagation import propagate
from cpmines.positions import generate as positions
from cpmines.run import run, warm_up

__all__ = ["cases", "plain_queue"]

Outcome = tuple[int, int] | None


def plain_queue(position: Position) -> Outcome:
    """Propagation with a queue and lists of lists: numbers of mines and unknown cells, None if broken."""
    rows, cols = position.shape
    cells = position.cells.tolist()
    need = [[0] * cols for _ in range(rows)]
    left = [[0] * cols for _ in range(rows)]
    queue: deque[tuple[int, int]] = deque()
    for row in range(rows):
        for col in range(cols):
            if cells[row][col] >= 0:
                near = [cells[r][c] for r, c in around(row, col, rows, cols)]
                need[row][col] = cells[row][col] - near.count(MINE)
                left[row][col] = near.count(UNKNOWN)
                queue.append((row, col))
    decided: set[tuple[int, int]] = set()
    while queue:
        row, col = queue.popleft()
        if need[row][col] < 0 or need[row][col] > left[row][col]:
            return None
        if need[row][col] not in (0, left[row][col]):
            continue
        mine = need[row][col] > 0
        for r, c in around(row, col, rows, cols):
            if cells[r][c] != UNKNOWN or (r, c) in decided:
                continue
            if mine:
                cells[r][c] = MINE
            else:
                decided.add((r, c))
            for near_row, near_col in around(r, c, rows, cols):
                if cells[near_row][near_col] >= 0:
                    need[near_row][near_col] -= mine
                    left[near_row][near_col] -= 1
                    queue.append((near_row, near_col))
    return sum(row.count(MINE) for row in cells), sum(row.count(UNKNOWN) for row in cells) - len(decided)


def around(row: int, col: int, rows: int, cols: int) -> list[tuple[int, int]]:
    near = [(row + down, col + right) for down, right in OFFSETS]
    return [(r, c) for r, c in near if 0 <= r < rows and 0 <= c < cols]


def kernel_queue(position: Position) -> Outcome:
    known = propagate(position, Limits())
    return None if known.conflict is not None else (known.mines, known.unknowns)


def equal(first: Any, second: Any) -> bool:
    return bool(first == second)


def propagation_cases(scale: float) -> Iterator[Case]:
    rng = np.random.default_rng(1)
    side = max(30, int(1000 * scale**0.5))
    for share in (0.3, 0.6, 0.9):
        position = positions.revealed(rng, side, side, share=share)
        yield case(f"propagation, {side} x {side}, {share:.0%} shown", position)
    position = positions.chain(rng, side, side)
    yield case(f"propagation, chains of {side} cells on {side} x {side}", position)
    yield case(f"propagation, a chain of {side * side // 3} cells", positions.chain(rng, 3, side * side // 3))
    for factor in (1, 2, 3):
        size = factor * side
        position = positions.revealed(rng, size, size, share=0.6)
        yield case(f"growth of propagation, {size} x {size}", position, alone=True)


def case(name: str, position: Position, alone: bool = False) -> Case:
    rivals: dict[str, Callable[[], Outcome]] = {"propagation": lambda: kernel_queue(position)}
    if not alone:
        rivals["plain Python queue"] = lambda: plain_queue(position)
    return Case(name, rivals, equal, position.cells.size)


def decide(positions: list[Position], backend: str) -> list[Status]:
    return [run("consistency", position, backend, Limits()).status for position in positions]


def exact_case(name: str, positions: list[Position]) -> Case:
    backends = ("direct", "cpsat", "sat")
    rivals = {backend: lambda backend=backend: decide(positions, backend) for backend in backends}
    return Case(name if len(positions) == 1 else f"{name}, {len(positions)} boards", rivals, equal)


def cases(scale: float) -> Iterator[Case]:
    for backend in ("direct", "propagation", "cpsat", "sat"):
        warm_up("consistency", backend)
    yield from propagation_cases(scale)
    boards = [Position.parse(read(file), str(file)) for file in instance_files(shipped() / "consistency")]
    yield exact_case("shipped instances", boards[:: max(1, round(1 / scale))])
    rng = np.random.default_rng(1)
    for share in (0.3, 0.4, 0.5, 0.6):
        side = max(20, int(300 * scale**0.5))
        position = positions.revealed(rng, side, side, share=share)
        yield exact_case(f"random {side} x {side}, {share:.0%} shown", [position])
