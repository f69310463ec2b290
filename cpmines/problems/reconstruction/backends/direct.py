"""Running sums along both axes, then the choices that they leave: the boards, how many, what they share.

Linear time for every size and question, but for `nearest`; the derivation is in the package's docstring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.errors import LimitError
from cpmines.numerals import plural
from cpmines.problem import Function
from cpmines.problems.reconstruction.decide import decide
from cpmines.problems.reconstruction.explain import explain
from cpmines.problems.reconstruction.members import Choices, numbers
from cpmines.problems.reconstruction.problem import Boards, Table, Value
from cpmines.problems.reconstruction.repair import repair

__all__ = ["ANSWERS", "BACKEND"]

Describe = Callable[..., Boards]
"""A function of all boards and the limits, and of the options of a question."""


def solve(table: Table, limits: Limits, *, describe: Describe, **options: Any) -> Answer[Value]:
    """What `describe` says of all boards, or a reason why there is none."""
    found = decide(table.sums, limits)
    if isinstance(found, Choices):
        value = describe(found, limits, **options)
        cut = "limit" in options and found.count > options["limit"]
        note = f"{plural(options['limit'], 'board')} listed, there are more" if cut else ""
        return Answer(Status.SOLVED, value, note=note)
    try:
        return Answer.infeasible(found, explain(table.sums, limits))
    except LimitError as limit:
        return Answer.infeasible(f"{found}; no reason: {limit}")


def nearest(table: Table, limits: Limits) -> Answer[Boards]:
    found = decide(table.sums, limits)
    if isinstance(found, Choices):
        return Answer.solved(Boards.near(table.sums, mines_of(found)))
    return repair(table.sums, limits)


def mines_of(found: Choices, number: int | None = None) -> NDArray[np.bool_]:
    return found.board(number).view(np.bool_)


def board(found: Choices, limits: Limits) -> Boards:
    return Boards(mines_of(found))


def unique(found: Choices, limits: Limits) -> Boards:
    if found.count == 1:
        return Boards(mines_of(found), unique=True)
    return Boards(mines_of(found, 0), unique=False, other=mines_of(found, 1))


def count(found: Choices, limits: Limits) -> Boards:
    return Boards(mines_of(found), found.count)


def forced(found: Choices, limits: Limits) -> Boards:
    return replace(facts(found, limits), solutions=None)


def facts(found: Choices, limits: Limits) -> Boards:
    cells = found.board()
    return Boards(cells.view(np.bool_), found.count, found.forced(cells))


def extreme(found: Choices, limits: Limits) -> Boards:
    """All boards of a table have as many mines."""
    value = facts(found, limits)
    return replace(value, mine_count=int(value.mines.sum()))


def every(found: Choices, limits: Limits, limit: int) -> Boards:
    return listed(found, limits, range(min(limit, found.count)), min(limit, found.count))


def drawn(found: Choices, limits: Limits, sample: int) -> Boards:
    return listed(found, limits, numbers(found, sample, limits.seed), sample)


def numbered(found: Choices, limits: Limits, index: int) -> Boards:
    if index > found.count:
        raise LimitError(Stop.DECLINED, f"there is no board {index}, only {found.count}")
    return listed(found, limits, [index - 1], 1)


def listed(found: Choices, limits: Limits, chosen: Iterable[int], length: int) -> Boards:
    """The facts, and the boards with these numbers, so many. Raises `LimitError`."""
    limits.require(length * found.start.size, "the list of boards")
    boards = []
    for number in chosen:
        limits.check()
        boards.append(mines_of(found, number))
    return replace(facts(found, limits), boards=tuple(boards))


DESCRIPTIONS: dict[str, Describe] = {
    "facts": facts,
    "board": board,
    "unique": unique,
    "count": count,
    "forced": forced,
    "all": every,
    "sample": drawn,
    "index": numbered,
    "fewest": extreme,
    "most": extreme,
}

ANSWERS: dict[str, Callable[..., Answer[Any]]] = {
    **{name: partial(solve, describe=describe) for name, describe in DESCRIPTIONS.items()},
    "nearest": nearest,
}

BACKEND = Function(ANSWERS, "running sums along both axes, exact for every size")
