"""The definition: of all boards, those in which every shown block has as many mines as its entry says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits, Stop
from cpmines.errors import LimitError
from cpmines.problem import Function
from cpmines.question import Question
from cpmines.sums.boards import Boards
from cpmines.sums.table import GAP, Sums, Table

__all__ = ["brute_force"]

LARGEST = 20

Many = NDArray[np.bool_]
"""Boards, bool (boards, rows, cols)."""


def every_board(sums: Sums, limits: Limits) -> NDArray[np.bool_]:
    """All boards of the size of the table, bool (rows, cols, boards). Raises `LimitError`."""
    if sums.size > LARGEST:
        raise LimitError(Stop.DECLINED, f"2^{sums.size} boards, at most 2^{LARGEST} are tried")
    limits.require(5 * sums.size << sums.size, "the list of all boards")
    boards = np.zeros((sums.size, 1 << sums.size), np.bool_)
    for cell, mine in enumerate(boards):  # the digits of the board's number
        mine.reshape(-1, 2, 1 << cell)[:, 1] = True
    return boards.reshape(*sums.shape, -1)


def shown(sums: Sums, limits: Limits) -> Iterator[tuple[int, tuple[slice, slice]]]:
    """Each entry that is shown, and the cells of its block."""
    for row, col in np.argwhere(sums != GAP).tolist():
        limits.check()
        block = (slice(max(row - 1, 0), row + 2), slice(max(col - 1, 0), col + 2))
        yield int(sums[row, col]), block


def solve(table: Table, limits: Limits, *, describe: Callable[..., Boards], **options: Any) -> Answer[Boards]:
    """What `describe` says of all boards with the sums."""
    boards = every_board(table.sums, limits)
    for entry, block in shown(table.sums, limits):
        boards = boards[:, :, boards[block].sum(axis=(0, 1)) == entry]
    found = boards.transpose(2, 0, 1)
    return Answer.solved(describe(found, **options)) if len(found) else Answer.infeasible()


def nearest(table: Table, limits: Limits) -> Answer[Boards]:
    boards = every_board(table.sums, limits)
    distance = np.zeros(boards.shape[2], np.int32)
    for entry, block in shown(table.sums, limits):
        distance += np.abs(boards[block].sum(axis=(0, 1)) - entry)
    return Answer.solved(Boards.near(table.sums, boards[:, :, distance.argmin()]))


def facts(boards: Many) -> Boards:
    return Boards.seen(boards, True)


def listed(boards: Many, limit: int) -> Boards:
    return replace(facts(boards), boards=tuple(boards[:limit]))


def extreme(boards: Many, sign: int) -> Boards:
    counts = boards.sum(axis=(1, 2))
    best = int((sign * counts).argmax())
    return replace(facts(boards), mines=boards[best], other=None, unique=None, mine_count=int(counts[best]))


ANSWERS: dict[str, Callable[..., Answer[Boards]]] = {
    **{name: partial(solve, describe=facts) for name in ("board", "unique", "count", "forced", "facts")},
    "all": partial(solve, describe=listed),
    "fewest": partial(solve, describe=partial(extreme, sign=-1)),
    "most": partial(solve, describe=partial(extreme, sign=1)),
    "nearest": nearest,
}


def brute_force(questions: Iterable[Question]) -> Function[Boards]:
    """The backend, for those of the questions that brute force answers."""
    answers = {question.name: ANSWERS[question.name] for question in questions if question.name in ANSWERS}
    return Function(answers, "all boards, block by block")
