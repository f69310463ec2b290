"""How many ones a component can hold: all numbers that some solution has, and a solution for each.

A sweep over the classes of a component. A state is what the sums that have been begun and not ended still
need; it keeps the set of numbers of ones that lead to it, as the bits of an integer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.inference.network import Network

__all__ = ["Spectrum", "spectrum"]

BITS = 4
"""Of a state for each sum that is begun: what it still needs, 0 to 8."""
MOST_STATES = 1 << 20
BYTES_PER_STATE = 250


@dataclass(frozen=True)
class SpectrumStep:
    """One class of the sweep.

    Attributes
    ----------
    cells
        The cells of the class.
    begins
        What a state gets for the sums that begin with the class: their needs, each at its shift.
    shifts, room
        For each sum of the class its place in a state, and how many cells it has in classes that come later.
    """

    cells: tuple[int, ...]
    begins: int
    shifts: tuple[int, ...]
    room: tuple[int, ...]

    def moves(self, before: int) -> Iterator[tuple[int, int]]:
        """The numbers of ones that the class may hold, each with the state that follows `before`."""
        state = before + self.begins
        unit = sum(1 << shift for shift in self.shifts)
        needs = [state >> shift & (1 << BITS) - 1 for shift in self.shifts]
        fewest = max(0, *(need - room for need, room in zip(needs, self.room, strict=True)))
        for ones in range(fewest, min(len(self.cells), *needs) + 1):
            yield ones, state - ones * unit


@dataclass(frozen=True)
class Spectrum:
    """The numbers of ones of a component, as the bits of `counts`, and the sweep that found them."""

    counts: int
    steps: tuple[SpectrumStep, ...]
    layers: tuple[dict[int, int], ...]

    def solution(self, ones: int) -> NDArray[np.int8]:
        """Values of the cells with `ones` ones in all, a number of the spectrum; int8 (cells,)."""
        values = np.zeros(sum(len(step.cells) for step in self.steps), np.int8)
        state = 0
        for step, layer in zip(reversed(self.steps), reversed(self.layers), strict=True):
            here, state = next(
                (here, before)
                for before, counts in layer.items()
                for here, after in step.moves(before)
                if after == state and here <= ones and counts >> ones - here & 1
            )
            values[list(step.cells[:here])] = 1
            ones -= here
        return values


def spectrum(component: Network, limits: Limits) -> Spectrum:
    """The spectrum of a network whose sums are exact (``least == most``).

    Raises
    ------
    LimitError
        There are too many states, or time is up.
    """
    steps = sweep(component, limits)
    layer, layers, states = {0: 1}, [], 0
    for step in steps:
        limits.check()
        layers.append(layer)
        following: dict[int, int] = {}
        for before, counts in layer.items():
            for ones, after in step.moves(before):
                following[after] = following.get(after, 0) | counts << ones
        layer = following
        states += len(layer)
        limits.require(states * BYTES_PER_STATE, "the states of a component")
        if states > MOST_STATES:
            raise LimitError(Stop.MEMORY_LIMIT, f"a component has more than {MOST_STATES} states")
    return Spectrum(layer.get(0, 0), tuple(steps), tuple(layers))


def sweep(component: Network, limits: Limits) -> list[SpectrumStep]:
    """The classes of a component in an order that keeps few sums begun: next comes what begins fewest."""
    members: dict[int, list[int]] = {}
    for cell, first in enumerate(component.classes(limits).tolist()):
        members.setdefault(first, []).append(cell)
    starts, sums = component.cell_starts.tolist(), component.cell_sums.tolist()
    waiting = {cell: sums[starts[cell] : starts[cell + 1]] for cell in members}
    meets: dict[int, list[int]] = {}
    for cell, touched in waiting.items():
        for s in touched:
            meets.setdefault(s, []).append(cell)
    need, room = component.most.tolist(), np.diff(component.sum_starts).tolist()
    shift: dict[int, int] = {}
    idle: list[int] = []
    steps = []
    while waiting:
        near = {cell for s in shift for cell in meets[s] if cell in waiting} or {next(iter(waiting))}
        cell = min(near, key=lambda cell: (sum(s not in shift for s in waiting[cell]), cell))
        touched = waiting.pop(cell)
        begins = 0
        for s in touched:
            room[s] -= len(members[cell])
            if s not in shift:
                shift[s] = idle.pop() if idle else BITS * len(shift)
                begins += need[s] << shift[s]
        shifts = tuple(shift[s] for s in touched)
        steps.append(SpectrumStep(tuple(members[cell]), begins, shifts, tuple(room[s] for s in touched)))
        idle += [shift.pop(s) for s in touched if room[s] == 0]
    return steps
