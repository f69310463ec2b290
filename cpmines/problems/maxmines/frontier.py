"""The frontier of `direct`: layers of states, cell by cell, and the three reductions that keep them small."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.problems.maxmines.steps import ANY, FrontierStep, beyond, line_steps
from cpmines.problems.maxmines.strips import MOST_LINES, WHOLE, Strips

__all__ = ["ALL", "Choice", "Frontier", "Pruning", "Reductions", "SearchEffort", "in_slices", "lines_of"]

SLOTS_PER_STATE = 2.5
"""Slots of the next layer for each state of this one; a state has at most two successors."""
SLOT_BYTES = 16
CHOICE_BYTES = 8
SLICE = 1 << 18
"""Slots, or cells of a board, from one check of the time to the next."""

Choice = tuple[NDArray[np.uint32], NDArray[np.uint32]]


@dataclass(frozen=True)
class Reductions:
    """What keeps the frontier small; each can be switched off, and no answer depends on it.

    Attributes
    ----------
    dominance
        A state is left out if another allows all that it does, and has as many mines.
    bounds
        A state is left out if no board through it can have more mines than the best board known.
    meeting
        The frontier goes to the middle of the board only, where it meets its own mirror image.
    """

    dominance: bool = True
    bounds: bool = True
    meeting: bool = True


ALL = Reductions()


@dataclass
class SearchEffort:
    """How many states there were: in the largest layer, and in all."""

    peak: int = 0
    total: int = 0

    def count(self, states: int) -> None:
        self.peak = max(self.peak, states)
        self.total += states


@dataclass
class Pruning:
    """Leaves out the states of `length` lines that do not lead to `target` mines.

    Attributes
    ----------
    beam
        How many states to keep at the end of a strip, those with the highest bounds; None for all.
    whole
        Has no state been left out but for its bound?
    ceiling
        No board has more mines than this, and than `target` - 1; lowered by each layer that is bounded
        while it is `whole`.
    """

    strips: Strips
    length: int
    target: int
    beam: int | None = None
    whole: bool = True
    ceiling: int = 1 << 30

    def survivors(self, frontier: Frontier, place: int, line: int) -> NDArray[np.int64] | None:
        """The slots to be kept when `line` is placed up to `place`; None if nothing is bounded there.

        That is where no strip ends, on the first line where some have not begun, and far from the end.
        """
        lines = self.length - 1 - line
        started = line > 0 or place == self.strips.width - 1
        if place not in self.strips.cuts or not started or lines + 1 > MOST_LINES:
            return None
        most = self._ceilings(frontier, place, lines)
        if self.whole:
            self.ceiling = min(self.ceiling, int(most.max()))
        slots = np.flatnonzero(most >= max(self.target, 0))
        if self.beam is not None and len(slots) > self.beam:
            self.whole = False
            slots = np.sort(slots[np.argsort(-most[slots], kind="stable")[: self.beam]])
        return slots

    def _ceilings(self, frontier: Frontier, place: int, lines: int) -> NDArray[np.int32]:
        """For each slot the most mines that a board through its state can have, -1 for empty slots."""
        from cpmines.problems.maxmines.kernels import strips as kernels

        layer, limits = frontier.layer, frontier.limits
        limits.require(4 * len(layer) + frontier.bytes, "the bounds of a frontier")
        most = WHOLE * ((layer[:, 1] >> np.uint64(32)).astype(np.int32) - 1)
        for arguments in self.strips.arguments(place, lines, limits):
            in_slices(partial(kernels.add_gains, layer), len(layer), limits, *arguments, most)
        most //= WHOLE
        return np.maximum(most, -1, out=most)


@dataclass
class Frontier:
    """The layer of states behind the last cell placed, and what leads back to the first line.

    Attributes
    ----------
    layer, states
        The hash table, see `kernels.frontier`, and how many states are in it.
    choices
        For each line and each state at its end: the number of its ancestor at the end of the line before,
        and the line's mines as bits; both uint32 of shape (states,).
    held
        Bytes that are taken beside it, which count for the limit.
    """

    width: int
    around: int
    limits: Limits
    layer: NDArray[np.uint64]
    states: int = 1
    dominance: bool = True
    effort: SearchEffort = field(default_factory=SearchEffort)
    choices: list[Choice] = field(default_factory=list)
    choices_bytes: int = 0
    held: int = 0

    @classmethod
    def start(
        cls,
        width: int,
        around: int,
        limits: Limits,
        dominance: bool = True,
        effort: SearchEffort | None = None,
        held: int = 0,
    ) -> Frontier:
        """No cell is placed: one state."""
        layer = np.zeros((2, 2), np.uint64)
        layer[0, 1] = 1 << 32
        return cls(width, around, limits, layer, 1, dominance, effort or SearchEffort(), held=held)

    @property
    def bytes(self) -> int:
        return SLOT_BYTES * len(self.layer) + self.choices_bytes + self.held

    def place(self, step: FrontierStep, most: int | None = None) -> None:
        """Place one cell; `most` instead of M for the mines around it."""
        from cpmines.problems.maxmines.kernels import frontier as kernels

        slots = int(SLOTS_PER_STATE * self.states) + 2
        self.limits.require(SLOT_BYTES * slots + self.bytes, f"a frontier of {self.states} states")
        target = np.zeros((slots, 2), np.uint64)
        better = step.better if self.dominance else step.better[:0]
        allowed = np.uint64(self.around if most is None else most)
        self.states = 0
        for start in range(0, len(self.layer), SLICE):
            self.limits.check()
            stop = min(start + SLICE, len(self.layer))
            self.states += kernels.advance(
                self.layer, start, stop, target, better, step.near, step.left, step.keep, step.mine, allowed
            )
        self.layer = target
        self.effort.count(self.states)

    def keep(self, slots: NDArray[np.int64]) -> None:
        """Leave out all states but those of `slots`."""
        from cpmines.problems.maxmines.kernels import frontier as kernels

        target = np.zeros((int(SLOTS_PER_STATE * len(slots)) + 2, 2), np.uint64)
        kernels.gather(self.layer, slots, target)
        self.layer, self.states = target, len(slots)

    def place_line(self, steps: list[FrontierStep], line: int, pruning: Pruning | None = None) -> None:
        """Place a line, and store the choices that lead to its states."""
        for place, step in enumerate(steps):
            self.place(step)
            if pruning is not None:
                slots = pruning.survivors(self, place, line)
                if slots is not None and len(slots) < self.states:
                    self.keep(slots)
        self.end_line()

    def end_line(self) -> None:
        """Store the choices of the line that is complete."""
        from cpmines.problems.maxmines.kernels import frontier as kernels

        self.choices_bytes += CHOICE_BYTES * self.states
        self.limits.require(self.bytes, f"the choices of {len(self.choices) + 1} lines")
        choice = np.empty(self.states, np.uint32), np.empty(self.states, np.uint32)
        kernels.settle(self.layer, self.width, *choice)
        self.choices.append(choice)

    def one_more(self) -> NDArray[np.uint64]:
        """The layer behind one more line of any mines, of which nothing is asked; this frontier stays."""
        ahead = Frontier(self.width, self.around, self.limits, self.layer, self.states, self.dominance)
        ahead.choices_bytes, ahead.held = self.choices_bytes, self.held
        for step in beyond(self.width):
            ahead.place(step, ANY)
        return ahead.layer

    def board(self, lines: int, number: int) -> NDArray[np.bool_]:
        """The board of `lines` lines that leads to state `number`, bool of shape (lines, width)."""
        mines = np.empty(lines, np.uint32)
        for line in range(lines - 1, -1, -1):
            ancestors, chosen = self.choices[line]
            mines[line] = chosen[number]
            number = int(ancestors[number])
        board: NDArray[np.bool_] = (mines[:, None] >> np.arange(self.width) & 1).astype(np.bool_)
        return board


def lines_of(width: int, length: int) -> list[list[FrontierStep]]:
    """The steps of every line of a board; equal lines share theirs."""
    steps = line_steps(width, min(length, 3))
    kinds = [0, *[1] * (length - 2), -1] if length > 1 else [0]
    return [steps[kind] for kind in kinds]


def in_slices(kernel: Any, count: int, limits: Limits, *arguments: Any) -> None:
    """Call ``kernel(start, stop, *arguments)`` for all of `count`, and look at the clock between."""
    for start in range(0, count, SLICE):
        limits.check()
        kernel(start, min(start + SLICE, count), *arguments)
