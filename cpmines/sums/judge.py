"""What is wrong with a value, from the table alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cpmines.numerals import decimal, plural, readable
from cpmines.question import Asked
from cpmines.sums.boards import OPEN, Boards, differences
from cpmines.sums.table import Sums

__all__ = ["faults_of_boards"]

Mask = NDArray[np.bool_]

SHOWN = 10
"""Of a wrong board, so many cells are named; the others are counted."""


def faults_of_boards(sums: Sums, asked: Asked, value: Boards) -> list[str]:
    """Everything that is wrong with the boards and the claims for the table `sums`."""
    for name, array in (("board", value.mines), ("array of forced cells", value.forced)):
        if array is not None and array.shape != sums.shape:
            return [f"{name} of shape {array.shape}, the table has shape {sums.shape}"]
    if value.wrong is not None:
        if asked.name != "nearest":
            return ["a board whose table is only near, which was not asked for"]
        right = np.array_equal(differences(sums, value.mines), value.wrong)
        return [] if right else ["the wrong entries are not those named"]
    faults = [*of_board(sums, value.mines), *of_forced(value), *of_count(value), *of_unique(sums, value)]
    faults += of_list(sums, asked, value)
    if value.mine_count is not None and value.mine_count != value.mines.sum():
        faults.append(f"{plural(value.mine_count, 'mine')} claimed, the board has {value.mines.sum()}")
    return faults


def of_board(sums: Sums, mines: Mask) -> list[str]:
    if mines.shape != sums.shape:
        return [f"board of shape {mines.shape}, the table has shape {sums.shape}"]
    cells = differences(sums, mines)
    faults = [
        f"row {row + 1}, column {col + 1}: the table says {shown}, the board has {found}"
        for row, col, shown, found in cells[:SHOWN].tolist()
    ]
    return [*faults, f"and {plural(len(cells) - SHOWN, 'more cell')}"] if len(cells) > SHOWN else faults


def of_forced(value: Boards) -> Iterator[str]:
    if value.forced is None:
        return
    if value.forced.min() < OPEN or value.forced.max() > 1:
        yield f"the forced cells are not all 0, 1 or {OPEN}"
        return
    shown = [mines for mines in (value.mines, value.other, *(value.boards or ())) if mines is not None]
    for mines in (mines for mines in shown if mines.shape == value.forced.shape):
        for row, col in np.argwhere((value.forced != OPEN) & (value.forced != mines))[:SHOWN].tolist():
            claim = "a mine" if value.forced[row, col] else "empty"
            place = f"row {row + 1}, column {col + 1}"
            yield f"{place} is claimed to be {claim} in all boards, the board shown differs"


def of_count(value: Boards) -> Iterator[str]:
    if value.solutions is None:
        return
    if value.solutions < 1:
        yield f"{plural(value.solutions, 'board', decimal)} claimed, and one shown"
    elif value.forced is not None:
        varying = int((value.forced == OPEN).sum())
        if value.solutions == 1 and varying:
            yield f"one board claimed, and {plural(varying, 'cell')} not the same in all"
        elif value.solutions.bit_length() > varying + 1 or value.solutions > 1 << varying:
            claimed = plural(value.solutions, "board", readable)
            yield f"{claimed} claimed, and {plural(varying, 'cell')} in which they differ"


def of_unique(sums: Sums, value: Boards) -> Iterator[str]:
    """`other` shows that there are two; without it the number of boards has to say so."""
    if value.other is not None:
        yield from (f"the other board: {fault}" for fault in of_board(sums, value.other))
        if np.array_equal(value.other, value.mines):
            yield "the other board is the same one"
    if value.unique is None:
        return
    if value.unique and (value.other is not None or value.solutions not in (None, 1)):
        yield "the board is claimed to be the only one, and there are others"
    if not value.unique and (value.solutions == 1 or (value.other is None and value.solutions is None)):
        yield "other boards are claimed, and none is shown"


def of_list(sums: Sums, asked: Asked, value: Boards) -> Iterator[str]:
    """The boards that were asked for one by one."""
    if value.boards is None:
        return
    for number, board in enumerate(value.boards, 1):
        yield from (f"board {number}: {fault}" for fault in of_board(sums, board))
    options, listed = asked.values(), len(value.boards)
    if "limit" in options:
        most = options["limit"] if value.solutions is None else min(value.solutions, options["limit"])
        if listed > most or (listed < most and value.solutions is not None):
            yield f"{plural(listed, 'board')} listed, expected {most}"
        if len({board.tobytes() for board in value.boards}) < listed:
            yield "a board is listed twice"
    elif listed != (wanted := options.get("sample", 1)):
        yield f"{plural(listed, 'board')} listed, expected {wanted}"
