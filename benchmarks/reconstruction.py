"""Reconstruction: every size class, the published method, least squares, and the exact engines."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import Case
from cpmines import registry
from cpmines.answer import Limits
from cpmines.problems.reconstruction import generate
from cpmines.problems.reconstruction.decide import decide
from cpmines.problems.reconstruction.members import Choices
from cpmines.problems.reconstruction.problem import PROBLEM, Boards, Table
from cpmines.question import Asked
from cpmines.run import warm_up

__all__ = ["cases"]

Work = dict[str, Callable[[], Any]]


FACTS, BOARD = PROBLEM.ask("facts"), PROBLEM.ask("board")


def solver(backend: str, table: Table, asked: Asked = FACTS) -> Callable[[], Boards | None]:
    """Build and solve, as a function of nothing."""
    found = registry.backend("reconstruction", backend)
    return lambda: found.prepare(table, asked, Limits())().value


def agree(first: Any, second: Any) -> bool:
    """Both have a board or none, and the same number and forced cells where both know them."""
    if not isinstance(first, Boards) or not isinstance(second, Boards):
        return not isinstance(first, Boards) and not isinstance(second, Boards)
    one, other = PROBLEM.to_json(first), PROBLEM.to_json(second)
    return all(
        one[name] == other[name] for name in FACTS.question.determined if name in one and name in other
    )


def only_decided(table: Table) -> Boards | None:
    """A board or none, without count and forced cells, and without a reason."""
    found = decide(table.sums, Limits())
    return Boards(found.board().view(np.bool_)) if isinstance(found, Choices) else None


def least_squares(table: Table) -> Boards | None:
    """The sums as a sparse system of equations, solved by least squares and rounded."""
    from scipy import sparse
    from scipy.sparse.linalg import lsqr

    bands = [sparse.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(n, n)) for n in table.shape]
    system = sparse.kron(*bands, format="csr")
    solution = lsqr(system, table.sums.ravel().astype(float), atol=1e-10, btol=1e-10, iter_lim=4000)[0]
    mines = solution.reshape(table.shape) > 0.5
    return Boards(mines) if PROBLEM.judge(table, BOARD, Boards(mines)) == [] else None


def versus(name: str, table: Table, asked: Asked, *backends: str) -> Case:
    return Case(
        name, {backend: solver(backend, table, asked) for backend in backends}, agree, table.sums.size
    )


def cases(scale: float) -> Iterator[Case]:
    rng = np.random.default_rng(1)
    for backend in ("direct", "cpsat", "sat"):
        warm_up("reconstruction", backend)
    side = max(10, round(1000 * scale**0.5)) * 3
    for rows in range(side, side + 3):
        for cols in range(side, side + 3):
            table = generate.random(rng, rows, cols)
            work: Work = {"decided, a board": partial(only_decided, table), "direct": solver("direct", table)}
            yield Case(f"{rows} x {cols}, random", work, agree, table.sums.size)
    for rows in (side // 10 // 3 * 3 + 2, side // 3 // 3 * 3 + 2, side + 2, side * 10 // 3 // 3 * 3 + 2):
        table = generate.ambiguous(rng, rows, rows, levels=rows // 3)
        yield versus(f"{rows} x {rows}, many boards", table, FACTS, "direct")
    for rows, cols in ((side // 3, side // 3), (side // 9 * 3 + 1, side // 9 * 3 + 2)):
        table = generate.random(rng, rows, cols)
        yield versus(f"{rows} x {cols}, a board", table, BOARD, "direct", "published")
    for rows in (60, 99):
        table = generate.random(rng, rows, rows)
        work = {"direct": solver("direct", table), "scipy lsqr, rounded": partial(least_squares, table)}
        yield Case(f"{rows} x {rows}, random", work, None, table.sums.size)
    for make, boards in ((generate.unique, "one board"), (generate.doubled, "no board")):
        for rows in (60, 62, 100, 101):
            table = make(rng, rows, rows)
            rivals: Work = {"decided, a board": partial(only_decided, table)}
            rivals |= {backend: solver(backend, table) for backend in ("direct", "cpsat", "sat")}
            yield Case(f"{rows} x {rows}, {boards}", rivals, agree, table.sums.size)
    yield reading(generate.random(rng, side, side))


def reading(table: Table) -> Case:
    header, *rows = str(table).splitlines()
    texts = {
        "digits": str(table).encode(),
        "with spaces": "\n".join([header, *(" ".join(row) for row in rows)]).encode(),
    }
    rivals = {name: partial(Table.parse, text) for name, text in texts.items()}
    return Case(f"{len(rows)} rows as text", rivals, operator.eq, table.sums.size)
