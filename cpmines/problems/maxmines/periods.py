"""Boards of any length: the frontier of a narrow board becomes periodic.

A line maps the layer of states behind the lines before to the layer behind it. The map does not depend on the
line (but for the first and the last), and to add a number of mines to all states adds it to their images: it
is linear over max and plus. So if the layers behind s and behind s + p lines have the same states, and all
mines differ by the same g, then so do those behind s + k and s + k + p lines for every k >= 0; and as the
last line only looks at the layer before it, a board of c + p lines has g mines more than one of c lines, for
all c > s. Dominated states are left out by what is in their layer alone, so this holds with dominance too.

References
----------
Cohen, Dubois, Quadrat, Viot (1985), A linear-system-theoretic view of discrete-event processes. IEEE TAC 30.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.problems.maxmines.frontier import Frontier
from cpmines.problems.maxmines.problem import Repeat
from cpmines.problems.maxmines.steps import line_steps

__all__ = ["WIDEST_PERIOD", "Period", "long_board", "period"]

WIDEST_PERIOD = 8
MOST_PERIODS = 200
"""Lengths tried to find a board that repeats itself."""
LAYERS_BYTES = 16


@dataclass(frozen=True)
class Period:
    """Boards of more than `start` lines have `mines` mines more if they have `lines` lines more."""

    width: int
    around: int
    start: int
    lines: int
    mines: int

    @property
    def density(self) -> Fraction:
        """Mines per cell of a board whose length grows beyond all bounds."""
        return Fraction(self.mines, self.lines * self.width)

    def representative(self, length: int) -> int:
        """The least length congruent to `length` to which periodicity leads back."""
        return length if length <= self.start else self.start + 1 + (length - self.start - 1) % self.lines


class History:
    """The layers behind each line of an endless board; states by number, mines beside them."""

    def __init__(self, width: int, around: int, limits: Limits) -> None:
        self.frontier = Frontier.start(width, around, limits)
        self.states: list[NDArray[np.uint64]] = []
        self.mines: list[NDArray[np.int64]] = []

    def extend(self) -> None:
        """Place one more line that is not the last."""
        frontier = self.frontier
        frontier.place_line(line_steps(frontier.width, 3)[min(len(self.states), 1)], len(self.states))
        layer = frontier.layer[frontier.layer[:, 1] != 0]
        self.states.append(layer[:, 0].copy())
        self.mines.append((layer[:, 1] >> np.uint64(32)).astype(np.int64) - 1)
        held = LAYERS_BYTES * sum(map(len, self.states))
        frontier.limits.require(held + frontier.bytes, f"the layers of {len(self.states)} lines")

    def last(self) -> tuple[tuple[bytes, bytes], int]:
        """The last layer but for a constant, and the constant."""
        order = np.argsort(self.states[-1])
        top = int(self.mines[-1].max())
        return (self.states[-1][order].tobytes(), (self.mines[-1][order] - top).tobytes()), top


_known: dict[tuple[int, int], Period] = {}


def period(width: int, around: int, limits: Limits) -> Period:
    """The period of boards with `width` cells in a line, for the least `start` and `lines` there are.

    Raises
    ------
    LimitError
    """
    history = History(width, around, limits)
    seen: dict[tuple[bytes, bytes], tuple[int, int]] = {}
    while (width, around) not in _known:
        history.extend()
        layer, top = history.last()
        if layer in seen:
            start, before = seen[layer]
            lines = len(history.states) - start
            _known[width, around] = Period(width, around, start, lines, top - before)
        seen[layer] = len(history.states), top
    return _known[width, around]


def long_board(width: int, length: int, around: int, limits: Limits) -> tuple[NDArray[np.bool_], Repeat]:
    """A best board of `length` lines, with the lines that repeat written once.

    Returns
    -------
    board, repeat
        bool of shape (lines, width), and which of its lines stand how many times.

    Raises
    ------
    LimitError
        Also where no best board of the lengths looked at has such lines, as it may be if `length` is small.
    """
    found = period(width, around, limits)
    history = History(width, around, limits)
    short = found.representative(length)
    last_try = min(length, short + MOST_PERIODS * found.lines)
    while short <= last_try:
        while len(history.states) < short - 1:
            history.extend()
        path, board = _best(history, short)
        for first, last in _repeats(path, found):
            if (length - short) % (last - first) == 0:
                times = 1 + (length - short) // (last - first)
                return board, Repeat(0, first, last, times)
        short += found.lines
    raise LimitError(Stop.DECLINED, f"no board of up to {short} lines repeats itself")


def _best(history: History, length: int) -> tuple[list[tuple[int, int]], NDArray[np.bool_]]:
    """A best board of `length` lines, and behind each line but the last its state and its mines."""
    frontier = history.frontier
    closing = Frontier(frontier.width, frontier.around, frontier.limits, _layer(history, length - 2))
    closing.states = len(history.states[length - 2])
    closing.choices = frontier.choices[: length - 1]
    closing.place_line(line_steps(frontier.width, 3)[-1], length - 1)
    number = int(closing.layer[:, 1].max()) & 0xFFFFFFFF
    board = closing.board(length, number)
    path = []
    for line in range(length - 1, 0, -1):
        number = int(closing.choices[line][0][number])
        path.append((int(history.states[line - 1][number]), int(history.mines[line - 1][number])))
    return path[::-1], board


def _layer(history: History, line: int) -> NDArray[np.uint64]:
    """The layer behind a line as a hash table, states numbered as in its choices."""
    from cpmines.problems.maxmines.kernels import frontier as kernels

    states, mines = history.states[line], history.mines[line].astype(np.uint64)
    payloads = (mines + np.uint64(1) << np.uint64(32)) | np.arange(len(states), dtype=np.uint64)
    layer = np.zeros((2 * len(states) + 2, 2), np.uint64)
    kernels.gather(np.column_stack([states, payloads]), np.arange(len(states)), layer)
    return layer


def _repeats(path: list[tuple[int, int]], found: Period) -> list[tuple[int, int]]:
    """Where the path comes back to a state with as many mines as the period promises, the nearest first."""
    pairs = []
    for last, (state, mines) in enumerate(path):
        for first, (other, before) in enumerate(path[:last]):
            if other == state and (mines - before) * found.lines == found.mines * (last - first):
                pairs.append((first + 1, last + 1))
    return sorted(pairs, key=lambda pair: pair[1] - pair[0])
