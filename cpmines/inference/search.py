"""Find values for the cells of a network, or prove that there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.inference.network import Network

if TYPE_CHECKING:
    from cpmines.inference.kernels.trail import Solver

__all__ = ["search"]

CONFLICTS_PER_SLICE = 100
BYTES_PER_CELL = 106
BYTES_PER_ENTRY = 4
FIRST_ENTRIES = 1 << 16
LARGEST_ARENA = 1 << 30
RESTART_UNIT = 64
CELLS_PER_CONFLICT = 64
"""A restart costs as much as assigning all cells, about as many as this for each conflict before it."""


def search(
    network: Network,
    limits: Limits,
    phase: NDArray[np.int8],
    other_than: NDArray[np.int8] | None = None,
) -> NDArray[np.int8] | None:
    """Values that satisfy all sums, int8 (cells,); None if it is proved that there are none.

    Cells in the same sums can be exchanged: only values that do not increase along such a class are tried.

    Parameters
    ----------
    phase
        The value of each cell that is tried first; int8 (cells,).
    other_than
        Values of at least two cells, int8 (cells,), the same along each class: only others are looked for.

    Raises
    ------
    LimitError
    """
    from cpmines.inference.kernels import search as kernels
    from cpmines.kernels.pulse import Pulse

    if not within_reach(network):
        return None
    solver, pulse = begin(network, limits, phase, other_than), Pulse(limits.check)
    while True:
        outcome = kernels.search(solver, CONFLICTS_PER_SLICE, pulse)
        if outcome == kernels.SATISFIED:
            return np.asarray(solver.value)
        if outcome == kernels.REFUTED:
            return None
        limits.check()
        if outcome == kernels.FULL:
            make_room(solver, limits)


def within_reach(network: Network) -> bool:
    """Can each sum taken alone be met?"""
    reach = np.minimum(network.most, np.diff(network.sum_starts))
    return bool((np.maximum(network.least, 0) <= reach).all())


def begin(
    network: Network, limits: Limits, phase: NDArray[np.int8], other_than: NDArray[np.int8] | None
) -> Solver:
    """A solver at level 0, with the clauses that order the cells of each class, and one that excludes."""
    from cpmines.inference.kernels import search as kernels
    from cpmines.inference.kernels import trail
    from cpmines.kernels.pulse import Pulse

    count = len(network.cells)
    given = ordering(network.classes(limits), limits)
    if other_than is not None:
        given = np.concatenate([given, excluding(other_than)])
    room = len(given) + max(FIRST_ENTRIES, 4 * count)
    limits.require(count * BYTES_PER_CELL + room * BYTES_PER_ENTRY, "the search")
    arena = np.empty(room, np.int32)
    arena[: len(given)] = given
    limits.check()  # every array of a huge board takes time: the clock is looked at between them
    sums = {
        "sum_starts": network.sum_starts,
        "sum_cells": network.sum_cells,
        "cell_starts": network.cell_starts,
        "cell_sums": network.cell_sums,
        "need": network.most.copy(),
        "spare": (np.diff(network.sum_starts) - network.least).astype(np.int32),
    }
    limits.check()
    cells = {
        "value": np.full(count, trail.NONE, np.int8),
        "level": np.zeros(count, np.int32),
        "place": np.zeros(count, np.int32),
        "reason": np.zeros(count, np.int64),
        "trail": np.empty(count, np.int32),
        "level_starts": np.empty(count + 1, np.int32),
        "phase": phase.copy(),
    }
    limits.check()
    watch = np.full(2 * count, trail.NONE, np.int32)
    limits.check()
    solver = trail.Solver(
        arena=arena,
        watch=watch,
        **sums,
        **cells,
        **decision_queue(count, limits),
        seen=np.zeros(count, np.int8),
        marked=np.empty(count, np.int32),
        stamps=np.empty(count, np.int64),
        counted=np.zeros(count + 1, np.int64),
        learnt=np.empty(count + 1, np.int32),
        because=np.empty(count + 1, np.int32),
        counters=first_counters(count, len(given)),
    )
    kernels.start(solver, Pulse(limits.check))
    return solver


def decision_queue(count: int, limits: Limits) -> dict[str, NDArray[np.int32] | NDArray[np.int64]]:
    """The cells in their order, cell 0 as the newest."""
    older, newer = np.arange(1, count + 1, dtype=np.int32), np.arange(-1, count - 1, dtype=np.int32)
    older[-1:] = -1
    limits.check()
    return {"older": older, "newer": newer, "stamp": np.arange(count, 0, -1, dtype=np.int64)}


def first_counters(count: int, given: int) -> NDArray[np.int64]:
    """The counters of a search that has not begun; the decision queue begins with cell 0."""
    from cpmines.inference.kernels import trail

    counters = np.zeros(trail.COUNTERS, np.int64)
    counters[[trail.USED, trail.GIVEN, trail.CLOCK]] = given, given, count
    counters[[trail.NEXT_RESTART, trail.RESTART_UNIT]] = max(RESTART_UNIT, count // CELLS_PER_CONFLICT)
    return counters


def ordering(first: NDArray[np.int32], limits: Limits) -> NDArray[np.int32]:
    """Clauses, as in the arena, that keep the values along each class from increasing.

    Parameters
    ----------
    first
        The first cell of each cell's class, from `Network.classes`.
    """
    in_class = first != np.arange(len(first), dtype=np.int32)
    in_class[first[in_class]] = True
    shared = np.flatnonzero(in_class).astype(np.int32)  # sorted alone: most cells are in no class with others
    limits.check()
    by_class = shared[np.argsort(first[shared], kind="stable")]
    limits.check()
    tied = first[by_class[1:]] == first[by_class[:-1]]
    before, after = by_class[:-1][tied], by_class[1:][tied]
    limits.check()
    clauses = np.zeros((len(before), 6), np.int32)
    clauses[:, 0] = clauses[:, 1] = 2
    clauses[:, 4], clauses[:, 5] = 2 * before + 1, 2 * after
    return clauses.ravel()


def excluding(values: NDArray[np.int8]) -> NDArray[np.int32]:
    """The clause, as in the arena, that some cell has another value than this; at least two cells.

    What differs from values that are the same along each class does so in any order along the classes, so
    nothing is lost beside `ordering`.
    """
    count = len(values)
    literals = 2 * np.arange(count, dtype=np.int32) + 1 - values
    return np.concatenate([np.array([count, count, 0, 0], np.int32), literals])


def make_room(solver: Solver, limits: Limits) -> None:
    """Forget learnt clauses; where that does not free half of the arena, enlarge it."""
    from cpmines.inference.kernels import search as kernels
    from cpmines.inference.kernels import trail
    from cpmines.kernels.pulse import Pulse

    kernels.forget(solver, Pulse(limits.check))
    size = len(solver.arena)
    if solver.counters[trail.USED] <= size // 2:
        return
    limits.require(2 * size * BYTES_PER_ENTRY, "the learnt clauses")
    if 2 * size > LARGEST_ARENA:
        raise LimitError(Stop.MEMORY_LIMIT, "the learnt clauses need more places than 32-bit numbers name")
    arena = np.empty(2 * size, np.int32)
    arena[:size] = solver.arena
    solver.arena = arena
