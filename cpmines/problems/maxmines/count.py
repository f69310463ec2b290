"""How many boards have the most mines, and which: the frontier without dominance.

A board with the most mines goes through states that are reached with the most mines of all boards through
them, so a state needs that number alone, and how many boards have it. Bounds leave out nothing that counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.numerals import readable
from cpmines.problems.maxmines.frontier import (
    SLICE,
    SLOT_BYTES,
    SLOTS_PER_STATE,
    Frontier,
    Pruning,
    lines_of,
)
from cpmines.problems.maxmines.steps import FrontierStep

if TYPE_CHECKING:
    from cpmines.problems.maxmines.kernels.counting import Move

__all__ = ["count_best", "list_best", "orbits"]

LIMB = 64
LISTED_BYTES = 12
"""For each cell of a board to be listed: what leads to it, and the cell itself, twice."""


@dataclass
class CountingFrontier(Frontier):
    """A frontier that counts the boards which lead to each state: `ways`, uint64 of shape (slots, limbs)."""

    ways: NDArray[np.uint64] = field(default_factory=lambda: np.zeros((2, 1), np.uint64))

    def move(self, step: FrontierStep) -> Move:
        from cpmines.problems.maxmines.kernels.counting import Move

        return Move(step.near, step.left, step.keep, step.mine, self.around)

    def place(self, step: FrontierStep, most: int | None = None) -> None:
        from cpmines.problems.maxmines.kernels import counting as kernels

        target, ways = self._room(self.states)
        new = 0
        for start in range(0, len(self.layer), SLICE):
            self.limits.check()
            stop = min(start + SLICE, len(self.layer))
            new += kernels.advance_ways(self.layer, self.ways, start, stop, target, ways, self.move(step))
        self.layer, self.ways, self.states = target, ways, new
        self.effort.count(new)

    def keep(self, slots: NDArray[np.int64]) -> None:
        from cpmines.problems.maxmines.kernels import counting as kernels

        target, ways = self._room(len(slots))
        kernels.gather_ways(self.layer, self.ways, slots, target, ways)
        self.layer, self.ways, self.states = target, ways, len(slots)

    def end_line(self) -> None:
        """Nothing leads back: `list_best` goes through the layers themselves."""

    def _room(self, states: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """An empty layer that has room for the successors of so many states, and their numbers of boards."""
        slots, limbs = int(SLOTS_PER_STATE * states) + 2, self.ways.shape[1]
        size = (SLOT_BYTES + 8 * limbs) * (slots + len(self.layer))
        self.limits.require(size + self.choices_bytes + self.held, f"counting with {states} states")
        return np.zeros((slots, 2), np.uint64), np.zeros((slots, limbs), np.uint64)


def start(width: int, around: int, limits: Limits, cells: int, pruning: Pruning | None) -> CountingFrontier:
    """No cell is placed, and one way to do that; numbers are at most ``2 ** cells``."""
    held = 0 if pruning is None else pruning.strips.bytes
    frontier = CountingFrontier.start(width, around, limits, held=held)
    assert isinstance(frontier, CountingFrontier)
    frontier.ways = np.zeros((2, cells // LIMB + 1), np.uint64)
    frontier.ways[0, 0] = 1
    return frontier


def count_best(width: int, length: int, around: int, pruning: Pruning | None, limits: Limits) -> int:
    """How many boards of `length` lines have the most mines, which are the target of `pruning`."""
    frontier = start(width, around, limits, width * length, pruning)
    for line, steps in enumerate(lines_of(width, length)):
        frontier.place_line(steps, line, pruning)
    best = frontier.layer[:, 1] == frontier.layer[:, 1].max()
    numbers = frontier.ways[best]
    return sum(sum(int(limb) << LIMB * k for k, limb in enumerate(number)) for number in numbers)


def list_best(
    width: int, length: int, around: int, pruning: Pruning | None, limits: Limits, boards: int
) -> NDArray[np.bool_]:
    """All boards with the most mines, bool of shape (boards, length, width), if there are so many `boards`.

    Raises
    ------
    LimitError
        Also if there is no memory for them.
    """
    from cpmines.problems.maxmines.kernels import counting as kernels

    cells = width * length
    limits.require(LISTED_BYTES * boards * cells, f"a list of {readable(boards)} boards")
    frontier = start(width, around, limits, 0, pruning)
    steps = [
        (line, place, step)
        for line, row in enumerate(lines_of(width, length))
        for place, step in enumerate(row)
    ]
    layers = [frontier.layer]
    for line, place, step in steps:
        frontier.place(step)
        slots = pruning.survivors(frontier, place, line) if pruning is not None else None
        if slots is not None:
            frontier.keep(slots)
        layers.append(frontier.layer)
        frontier.choices_bytes += frontier.layer.nbytes
    moves = [frontier.move(step) for _, _, step in steps]
    alive = [np.zeros(len(layer), np.uint8) for layer in layers]
    alive[-1] = layers[-1][:, 1] == layers[-1][:, 1].max()
    for cell in range(cells - 1, -1, -1):
        limits.check()
        kernels.mark(layers[cell], alive[cell], layers[cell + 1], alive[cell + 1], moves[cell])
    states, mines = np.zeros(1, np.uint64), np.zeros(1, np.int64)
    steps_back = []
    for cell in range(cells):
        limits.check()
        after = layers[cell + 1], alive[cell + 1]
        parents, placed, states, mines = kernels.expand(states, mines, *after, moves[cell])
        steps_back.append((parents, placed))
    found, here = np.empty((cells, len(states)), np.bool_), np.arange(len(states))
    for cell in range(cells - 1, -1, -1):
        limits.check()
        parents, placed = steps_back[cell]
        found[cell], here = placed[here], parents[here]
    return np.ascontiguousarray(found.T).reshape(-1, length, width)


def orbits(boards: NDArray[np.bool_]) -> int:
    """How many of all best boards no symmetry of their rectangle takes to another, by Burnside's lemma.

    Each symmetry permutes the best boards, so the orbits are the mean number of boards that one leaves as is.
    """
    views = [boards, boards[:, ::-1], boards[:, :, ::-1], boards[:, ::-1, ::-1]]
    if boards.shape[1] == boards.shape[2]:
        views += [np.swapaxes(view, 1, 2) for view in views]
    fixed = sum(int((view == boards).all(axis=(1, 2)).sum()) for view in views)
    return fixed // len(views)
