"""Frontier dynamic programming: cell by cell along the shorter side, over reduced states.

What is to come depends on the last width + 1 cells only, and on each only as far as it has neighbours to
come. So few states are left, and a hash table of them instead of a table over all pairs of lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits, Stop
from cpmines.errors import LimitError
from cpmines.problem import Function
from cpmines.problems.maxmines._steps import WIDEST, Step, line_steps
from cpmines.problems.maxmines.problem import MaxMines, Rectangle

__all__ = ["BACKEND", "solve"]

SLOTS_PER_STATE = 2.5
"""Slots of the next layer for each state of this one; a state has at most two successors."""
SLOT_BYTES = 16
CHOICE_BYTES = 8
CELL_BYTES = 4
SLICE = 1 << 18
"""Slots, or cells of the greedy board, from one check of the time to the next."""


@dataclass
class Frontier:
    """The layer of states behind the last cell placed, and what leads back to the first line.

    Attributes
    ----------
    layer, states
        The hash table, see `kernels`, and how many states are in it.
    choices
        For each line and each state at its end: the number of its ancestor at the end of the line before,
        and the line's mines as bits; both uint32 of shape (states,).
    """

    width: int
    bound: int
    limits: Limits
    layer: NDArray[np.uint64]
    states: int = 1
    choices: list[tuple[NDArray[np.uint32], NDArray[np.uint32]]] = field(default_factory=list)
    choices_bytes: int = 0

    @classmethod
    def start(cls, width: int, bound: int, limits: Limits) -> Frontier:
        """No cell is placed: one state."""
        layer = np.zeros((2, 2), np.uint64)
        layer[0, 1] = 1 << 32
        return cls(width, bound, limits, layer)

    def place(self, step: Step) -> None:
        """Place one cell."""
        from cpmines.problems.maxmines import kernels

        slots = int(SLOTS_PER_STATE * self.states) + 2
        size = SLOT_BYTES * (slots + len(self.layer)) + self.choices_bytes
        self.limits.require(size, f"a frontier of {self.states} states")
        target = np.zeros((slots, 2), np.uint64)
        most = np.uint64(self.bound)
        self.states = 0
        for start in range(0, len(self.layer), SLICE):
            self.limits.check()
            stop = min(start + SLICE, len(self.layer))
            self.states += kernels.advance(
                self.layer, start, stop, target, step.better, step.near, step.left, step.keep, most
            )
        self.layer = target

    def end_line(self) -> None:
        """Store the choices of the line that is complete."""
        from cpmines.problems.maxmines import kernels

        self.choices_bytes += CHOICE_BYTES * self.states
        choice = np.empty(self.states, np.uint32), np.empty(self.states, np.uint32)
        kernels.settle(self.layer, self.width, *choice)
        self.choices.append(choice)

    def best_board(self) -> NDArray[np.bool_]:
        """A board with the most mines, bool of shape (lines, width)."""
        number = int(self.layer[:, 1].max()) & 0xFFFFFFFF
        lines = np.empty(len(self.choices), np.uint32)
        for line in range(len(lines) - 1, -1, -1):
            ancestors, mines = self.choices[line]
            lines[line] = mines[number]
            number = int(ancestors[number])
        board: NDArray[np.bool_] = (lines[:, None] >> np.arange(self.width) & 1).astype(np.bool_)
        return board


def optimum(width: int, length: int, bound: int, limits: Limits) -> NDArray[np.bool_]:
    """A board with the most mines, bool of shape (length, width).

    Raises
    ------
    LimitError
    """
    frontier = Frontier.start(width, bound, limits)
    steps = line_steps(width, min(length, 3))
    for line in range(length):
        kind = 0 if line == 0 else -1 if line == length - 1 else 1
        for placing in steps[kind]:
            frontier.place(placing)
        frontier.end_line()
    return frontier.best_board()


def greedy(instance: Rectangle, limits: Limits) -> NDArray[np.bool_]:
    """A valid board to which no mine can be added."""
    from cpmines.problems.maxmines import kernels

    rows, cols = instance.rows, instance.cols
    board, mines = np.zeros((rows, cols), np.bool_), np.zeros((rows, cols), np.int8)
    slab = max(1, SLICE // cols)
    for start in range(0, rows, slab):
        limits.check()
        kernels.greedy(board, mines, start, min(start + slab, rows), instance.bound)
    return board


def solve(instance: Rectangle, limits: Limits) -> Answer[MaxMines]:
    """The most mines; if a limit is met before the proof, a greedy board as a feasible answer."""
    rows, cols = instance.rows, instance.cols
    limits.require(CELL_BYTES * rows * cols, "the board")
    known = MaxMines.of(greedy(instance, limits))
    width, length = sorted((rows, cols))
    if width > WIDEST:
        note = f"no proof: the shorter side is {width}, a state holds at most {WIDEST}"
        return Answer.feasible(known, Stop.DECLINED, note)
    try:
        board = optimum(width, length, instance.bound, limits)
    except LimitError as limit:
        return Answer.feasible(known, Stop(limit.stop), limit.note)
    return Answer.solved(MaxMines.of(board.T if rows == width else board))


BACKEND = Function(solve, "frontier over reduced states along the shorter side", packages=("numpy", "numba"))
