"""Running sums along both axes, then the choices that they leave: the boards, how many, what they share."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.errors import LimitError
from cpmines.problem import Function
from cpmines.problems.reconstruction.decide import decide
from cpmines.problems.reconstruction.explain import explain
from cpmines.problems.reconstruction.members import Choices, numbers
from cpmines.problems.reconstruction.problem import Boards, Table, Value
from cpmines.problems.reconstruction.repair import repair

__all__ = ["BACKEND", "solve"]


def solve(table: Table, limits: Limits) -> Answer[Value]:
    """Linear time for every size, but for `nearest`; the derivation is in the package's docstring."""
    found = decide(table.sums, limits)
    if isinstance(found, Choices):
        return answer(table, found, limits)
    if table.asked.nearest:
        return repair(table.sums, limits)
    try:
        return Answer.infeasible(found, explain(table.sums, limits))
    except LimitError as limit:
        return Answer.infeasible(f"{found}; no reason: {limit}")


def answer(table: Table, found: Choices, limits: Limits) -> Answer[Value]:
    """What is asked of a table that has boards."""
    asked, board, count = table.asked, found.board(), found.count
    mines = board.view(np.bool_)
    if asked.nearest:
        return Answer.solved(Boards.near(table.sums, mines))
    if asked.index > count:
        return Answer.declined(f"there is no board {asked.index}, only {count}")
    listed, note = None, ""
    if asked.index:
        listed = [asked.index - 1]
    elif asked.sample:
        listed = numbers(found, asked.sample, limits.seed)
    elif asked.every:
        listed = list(islice(range(count), asked.limit))
        note = f"the first {asked.limit} boards are listed" if count > asked.limit else ""
    boards = None if listed is None else each(found, listed, limits)
    mine_count = int(mines.sum()) if asked.extreme else None
    value = Boards(mines, count, found.forced(board), boards, mine_count)
    return Answer(Status.SOLVED, value, Stop.FINISHED, note)


def each(found: Choices, listed: list[int], limits: Limits) -> tuple[NDArray[np.bool_], ...]:
    """The boards with these numbers."""
    limits.require(len(listed) * found.start.size, "the list of boards")
    boards = []
    for number in listed:
        limits.check()
        boards.append(found.board(number).view(np.bool_))
    return tuple(boards)


BACKEND = Function(solve, "running sums along both axes, exact for every size")
