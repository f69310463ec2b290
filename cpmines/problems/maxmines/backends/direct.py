"""Maxmines by dynamic programming over a frontier: cell by cell along the shorter side.

Of the cells placed, only the last width + 1 touch cells to come. A state keeps of each what the future needs:
how many mines an empty cell may still get, whether a mine still needs an empty neighbour. States that another
one dominates are left out, so are those that can't lead to more mines than the best board known, which a
search of few states finds first; and the frontier goes to the middle of the board only, where it meets
itself.

References
----------
Larrosa, Morancho, Niso (2005), On the practical use of variable elimination in constraint optimization
problems: 'still-life' as a case study. JAIR 23.
Chu, Stuckey (2012), A complete solution to the maximum density still life problem. Artificial
Intelligence 184-185.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.errors import LimitError
from cpmines.problem import Function
from cpmines.problems.maxmines.count import count_best, list_best, orbits
from cpmines.problems.maxmines.frontier import (
    ALL,
    SLICE,
    Frontier,
    Pruning,
    Reductions,
    SearchEffort,
    lines_of,
)
from cpmines.problems.maxmines.meeting import meet
from cpmines.problems.maxmines.periods import WIDEST_PERIOD, long_board
from cpmines.problems.maxmines.problem import MaxMines, Rectangle
from cpmines.problems.maxmines.steps import WIDEST
from cpmines.problems.maxmines.strips import MOST_LINES, WIDEST_STRIP, strips
from cpmines.problems.maxmines.theorems import closed_form, theorem_board, upper_bound

__all__ = ["BACKEND", "Proof", "count", "greedy", "prove", "solve"]

CELL_BYTES = 4
NARROW = 6
"""Boards of shorter sides are solved before the bounds of strips are made."""
BEAM = 4000
"""States of the search for a good board, at the end of each strip."""
BEAM_BYTES = 1 << 12
"""The layers between two ends of strips take no more for each of those states."""
ROUGH = 5
"""Columns of the widest strip of a first search; its tables take milliseconds."""
LONG = 1000
"""Longer boards are solved by their period, if they are narrow enough."""
WRITTEN_OUT = 1 << 20
"""Cells of a board whose lines are all written out."""
MOST_LISTED = 1 << 17
"""Best boards to look at for their symmetries."""


@dataclass
class Proof:
    """What is known of the most mines on a board.

    Attributes
    ----------
    board
        A valid board, bool of shape (rows, cols); the best one if it has `ceiling` mines.
    ceiling
        No board has more mines.
    method
        What the proof rests on: ``theorem``, ``bound`` (by counting) or ``frontier``.
    """

    board: NDArray[np.bool_]
    ceiling: int
    effort: SearchEffort
    method: str = "frontier"
    stop: Stop = Stop.FINISHED
    note: str = ""

    @property
    def mines(self) -> int:
        return int(np.count_nonzero(self.board))


def sweep(
    size: tuple[int, int, int],
    pruning: Pruning | None,
    floor: int,
    limits: Limits,
    kept: Reductions,
    effort: SearchEffort,
) -> NDArray[np.bool_] | None:
    """The best board of ``width, length, M`` with more than `floor` mines, as bool of shape (length, width).

    None if there is none, or none that `pruning` leaves.
    """
    width, length, around = size
    lines = lines_of(width, length)
    held = 0 if pruning is None else pruning.strips.bytes
    frontier = lower = Frontier.start(width, around, limits, kept.dominance, effort, held)
    middle = (length + 1) // 2 if kept.meeting and length > 1 else length
    for line in range(middle):
        if line == length - middle:  # the lines are odd in number, and one less belongs to the part below
            lower = replace(frontier)
        frontier.place_line(lines[line], line, pruning)
    if middle == length:
        best = int(frontier.layer[:, 1].max())
        found = (best >> 32) - 1 > floor
        return frontier.board(length, best & 0xFFFFFFFF) if found else None
    _, numbers = meet(frontier, lower, floor)
    if numbers is None:
        return None
    below = lower.board(length - middle, numbers[1])
    return np.concatenate([frontier.board(middle, numbers[0]), below[::-1]])


def improve(proof: Proof, size: tuple[int, int, int], limits: Limits, kept: Reductions) -> None:
    """Raise the board of `proof` and lower its ceiling until they meet. Raises `LimitError`."""
    width, length, around = size
    least = length // 2 if kept.meeting else 0
    bounded = kept.bounds and width >= NARROW and length <= MOST_LINES
    for widest, beam in [(ROUGH, BEAM), (WIDEST_STRIP, BEAM), (WIDEST_STRIP, None)][0 if bounded else 2 :]:
        if proof.mines == proof.ceiling:
            return
        pruning = None
        if bounded:
            parts = strips(width, around, length, limits, least, widest)
            fitting = beam and min(beam, 1 + (limits.memory - parts.bytes) // BEAM_BYTES)
            pruning = Pruning(parts, length, proof.mines + 1, fitting)
        attempt(proof, size, pruning, limits, kept)


def attempt(
    proof: Proof, size: tuple[int, int, int], pruning: Pruning | None, limits: Limits, kept: Reductions
) -> None:
    """One sweep, and what it shows. Raises `LimitError`, but not before the ceiling is lowered."""
    proof.effort = SearchEffort()
    try:
        found = sweep(size, pruning, proof.mines, limits, kept, proof.effort)
        if found is not None:
            turned = proof.board.shape == size[:2] and size[0] != size[1]
            proof.board = found.T if turned else found
        if pruning is None or pruning.whole:
            proof.ceiling = proof.mines
    finally:
        if pruning is not None:
            proof.ceiling = max(proof.mines, min(proof.ceiling, pruning.ceiling))


def prove(instance: Rectangle, limits: Limits, kept: Reductions = ALL, theorems: bool = True) -> Proof:
    """The best board, or if a limit is met a good one, with a bound on the best.

    Parameters
    ----------
    kept
        The reductions to use.
    theorems
        May closed forms be used?

    Raises
    ------
    LimitError
        Not even a board fits into the memory.
    """
    rows, cols = instance.rows, instance.cols
    limits.require(CELL_BYTES * rows * cols, "the board")
    if theorems and closed_form(instance) is not None:
        board = theorem_board(instance)
        return Proof(board, int(np.count_nonzero(board)), SearchEffort(), "theorem")
    ceiling = upper_bound(instance) if theorems else rows * cols
    proof = Proof(greedy(instance, limits), ceiling, SearchEffort())
    width, length = sorted((rows, cols))
    if proof.mines == proof.ceiling:
        proof.method = "bound"
        return proof
    if width > WIDEST:
        proof.stop = Stop.DECLINED
        proof.note = f"no proof: the shorter side is {width}, a state holds at most {WIDEST}"
        return proof
    try:
        improve(proof, (width, length, instance.around), limits, kept)
    except LimitError as limit:
        proof.stop, proof.note = Stop(limit.stop), limit.note
    return proof


def greedy(instance: Rectangle, limits: Limits) -> NDArray[np.bool_]:
    """A valid board to which no mine can be added."""
    from cpmines.problems.maxmines.kernels import greedy as kernels

    rows, cols = instance.rows, instance.cols
    board, mines = np.zeros((rows, cols), np.bool_), np.zeros((rows, cols), np.int8)
    slab = max(1, SLICE // cols)
    for start in range(0, rows, slab):
        limits.check()
        kernels.greedy(board.view(np.uint8), mines, start, min(start + slab, rows), instance.around)
    return board


def explicit(instance: Rectangle) -> bool:
    """Is the board to be written out, and solved as any other?"""
    width, length = sorted((instance.rows, instance.cols))
    return width > WIDEST_PERIOD or length <= LONG


def periodic(instance: Rectangle, limits: Limits) -> MaxMines:
    """The best board of any length; lines that repeat are written once where it has many cells."""
    width, length = sorted((instance.rows, instance.cols))
    board, repeat = long_board(width, length, instance.around, limits)
    if instance.rows == width:
        board, repeat = board.T, replace(repeat, axis=1)
    if width * length > WRITTEN_OUT:
        value = MaxMines.of(board, repeat)
    else:
        value = MaxMines.of(repeat.written_out(board, repeat.times))
    return replace(value, bound=value.mines)


def counted(instance: Rectangle, value: MaxMines, limits: Limits, listed: bool) -> Answer[MaxMines]:
    """`value`, which has the most mines, with the number of such boards, as far as limits allow.

    Parameters
    ----------
    listed
        Are the boards asked for, too? Else they are only listed to count them up to symmetry.
    """
    try:
        width, length, pruning = to_count(instance, value, limits)
        number = count_best(width, length, instance.around, pruning, limits)
    except LimitError as limit:
        note = f"the most mines are proved, not how many boards have them: {limit}"
        return Answer.feasible(value, Stop(limit.stop), note)
    value = replace(value, optimal_boards=number)
    if number > MOST_LISTED and not listed:
        return Answer.solved(value)
    try:
        boards = list_best(width, length, instance.around, pruning, limits, number)
    except LimitError as limit:
        if not listed:
            return Answer.solved(value)
        note = f"the most mines are proved, and how many boards have them, not which: {limit}"
        return Answer.feasible(value, Stop(limit.stop), note)
    if instance.rows == width and width != length:
        boards = np.ascontiguousarray(np.swapaxes(boards, 1, 2))
    value = replace(value, distinct_boards=orbits(boards))
    return Answer.solved(replace(value, boards=boards) if listed else value)


def to_count(instance: Rectangle, value: MaxMines, limits: Limits) -> tuple[int, int, Pruning | None]:
    """Width, length, and what leaves out states that lead to fewer mines. Raises `LimitError`."""
    width, length = sorted((instance.rows, instance.cols))
    if value.repeat is not None:
        raise LimitError(Stop.DECLINED, f"{width * length} cells, counted up to {WRITTEN_OUT}")
    if width > WIDEST:
        raise LimitError(Stop.DECLINED, f"the shorter side is {width}, a state holds at most {WIDEST}")
    if width < NARROW or length > MOST_LINES:
        return width, length, None
    return width, length, Pruning(strips(width, instance.around, length, limits), length, value.mines)


def solve(instance: Rectangle, limits: Limits) -> Answer[MaxMines]:
    """The most mines; if a limit is met before the proof, a good board and a bound as a feasible answer."""
    if not explicit(instance):
        value = periodic(instance, limits)
    else:
        proof = prove(instance, limits)
        value = replace(MaxMines.of(proof.board), bound=proof.ceiling)
        if proof.mines < proof.ceiling:
            return Answer.feasible(value, proof.stop, proof.note)
    return Answer.solved(value)


def count(instance: Rectangle, limits: Limits, listed: bool = False) -> Answer[MaxMines]:
    """`solve`, and how many boards have the most mines; feasible if a limit leaves something open."""
    best = solve(instance, limits)
    if best.status is not Status.SOLVED or best.value is None:
        return best
    return counted(instance, best.value, limits, listed)


def every(instance: Rectangle, limits: Limits) -> Answer[MaxMines]:
    """`count`, and the boards."""
    return count(instance, limits, listed=True)


BACKEND = Function(
    {"most": solve, "count": count, "every": every},
    "frontier over reduced states along the shorter side",
    packages=("numpy",),
)
