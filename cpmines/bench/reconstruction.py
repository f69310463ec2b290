"""Reconstruction: every size class against the published method, and against the exact engines."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from cpmines import registry
from cpmines.answer import Limits
from cpmines.bench import Case
from cpmines.problems.reconstruction import generate
from cpmines.problems.reconstruction.problem import PROBLEM, Boards, Table
from cpmines.solve import warm_up

__all__ = ["cases"]


def solver(backend: str, table: Table) -> Callable[[], Boards | None]:
    """Build and solve, as a function of nothing."""
    found = registry.backend("reconstruction", backend)
    return lambda: found.prepare(table, Limits())().value


def agree(first: Any, second: Any) -> bool:
    """Both have a board or none, and the same number and forced cells where both know them."""
    if first is None or second is None:
        return first is second
    one, other = PROBLEM.to_json(first), PROBLEM.to_json(second)
    return all(one[name] == other[name] for name in PROBLEM.determined if name in one and name in other)


def versus(name: str, table: Table, *backends: str) -> Case:
    return Case(name, {backend: solver(backend, table) for backend in backends}, agree, table.sums.size)


def cases(scale: float) -> Iterator[Case]:
    rng = np.random.default_rng(1)
    for backend in ("direct", "cpsat", "sat"):
        warm_up("reconstruction", backend)
    side = max(10, round(1000 * scale**0.5)) * 3
    for rows in range(side, side + 3):
        for cols in range(side, side + 3):
            yield versus(f"{rows} x {cols}, random", generate.random(rng, rows, cols), "direct")
    for rows in (side // 10 // 3 * 3 + 2, side // 3 // 3 * 3 + 2, side + 2):
        table = generate.ambiguous(rng, rows, rows, levels=rows // 3)
        yield versus(f"{rows} x {rows}, many boards", table, "direct")
    for rows, cols in ((side // 3, side // 3), (side // 9 * 3 + 1, side // 9 * 3 + 2)):
        table = generate.random(rng, rows, cols)
        yield versus(f"{rows} x {cols}, random", table, "direct", "published")
    for make, boards in ((generate.unique, "one board"), (generate.doubled, "no board")):
        for rows in (60, 62, 100, 101):
            yield versus(f"{rows} x {rows}, {boards}", make(rng, rows, rows), "direct", "cpsat", "sat")
    yield reading(generate.random(rng, side, side))


def reading(table: Table) -> Case:
    header, *rows = str(table).splitlines()
    texts = {
        "digits": str(table).encode(),
        "with spaces": "\n".join([header, *(" ".join(row) for row in rows)]).encode(),
    }
    rivals = {name: partial(Table.parse, text) for name, text in texts.items()}
    return Case(f"{len(rows)} rows as text", rivals, operator.eq, table.sums.size)
