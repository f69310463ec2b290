"""The board whose table is nearest, by the sum of the differences: exact where that can be proved, else near.

- *One wrong entry.* `changes` finds all of them. Where both sides are 2 (mod 3) it only narrows them down.
  Then every reason why the table has no board has to lose its force, so the entry is among those of the first
  reason, which are mostly few; changes are tried, and a table that still has no board gives another reason,
  which rules out more. If all are ruled out or tried the answer is exact.
- *Several.* A board is built from the top, each time choosing the three rows that fit the entries above best,
  by dynamic programming along them. Then three rows or three columns at a time are chosen anew, as long as
  this brings its table nearer.

A distance is proved to be the smallest one by a bound: reasons without a common entry each need a change of
their own, and so does every row or column that the kernel vector does not sum to 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits, Stop
from cpmines.board import read_only
from cpmines.errors import LimitError
from cpmines.problems.reconstruction.axis import kernel_vector
from cpmines.problems.reconstruction.changes import LARGEST, possible_errors
from cpmines.problems.reconstruction.decide import decide
from cpmines.problems.reconstruction.explain import explain, out_of_reach, products
from cpmines.problems.reconstruction.members import Choices
from cpmines.problems.reconstruction.reason import Reason
from cpmines.sums.boards import Boards

__all__ = ["lower_bound", "repair", "single_change"]

Ints = NDArray[np.int8]
Change = tuple[int, int, int]
"""Row, column, and what is added to the entry."""

FEWEST_TRIED, CELLS_TRIED = 50, 40_000_000
"""Single changes, and cells of tables, tried before the search for one counts as not exhaustive."""
SWEEPS = 30
RESTARTS, SMALL = 12, 400
"""Random boards to begin with, for tables of up to so many cells."""
BYTES_PER_CELL = 40
BYTES_PER_REASON = 32
CELLS_PER_SLICE = 200_000
"""Cells between two looks at the clock: a tenth of a second."""


def repair(sums: Ints, limits: Limits) -> Answer[Boards]:
    """A board near to a table that has none; `solved` if it is proved that none is nearer.

    Raises
    ------
    LimitError
        Before any board is found.
    """
    limits.require(BYTES_PER_CELL * sums.size, "the repair")
    bound = lower_bound(sums, limits)
    change, exhaustive = single_change(sums, limits)
    if exhaustive and (change is None or abs(change[2]) > 1):
        bound = max(bound, 2)
    best, note = None, ""
    try:
        for mines in boards(sums, change, limits):
            found = Boards.near(sums, mines)
            if best is None or distance(found) < distance(best):
                best = found
            if distance(best) <= bound:
                return Answer.solved(best)
    except LimitError as limit:
        if best is None:
            raise
        note = f"; {limit.stop} reached"
    assert best is not None
    note = f"by a heuristic, a distance from {bound} on is possible{note}"
    return Answer.feasible(best, Stop.FINISHED, note)


def distance(found: Boards) -> int:
    assert found.distance is not None
    return found.distance


def lower_bound(sums: Ints, limits: Limits) -> int:
    """No table of a board is nearer than this to a table that has none. Linear time."""
    down, across = (kernel_vector(n).astype(np.int64) for n in sums.shape)
    lines = np.abs(down @ sums).sum(), np.abs(sums @ across).sum()
    return max(1, disjoint(sums, limits), *map(int, lines))


def disjoint(sums: Ints, limits: Limits) -> int:
    """The excess of short reasons that have no entry in common, added: shorter ones first, or stronger ones.

    The former do better with many wrong entries, the latter with few that are far off.
    """
    from cpmines.kernels.pulse import Pulse
    from cpmines.problems.reconstruction.kernels.products import packed, strongest_first

    pairs = np.array(products(sums.shape), np.int64)
    kinds, places, excess = _reasons(sums, pairs, limits)
    shorter = np.arange(len(kinds), dtype=np.int32)
    stronger, pulse = np.empty_like(shorter), Pulse(limits.check)
    strongest_first(excess, stronger, pulse)
    totals = (
        packed(order, kinds, places, excess, pairs, np.zeros(sums.shape, np.uint8), pulse)
        for order in (shorter, stronger)
    )
    most: int = max(totals)
    return most


def _reasons(sums: Ints, pairs: NDArray[np.int64], limits: Limits) -> tuple[Ints, NDArray[np.int32], Ints]:
    """The reasons of each pair of differences; short ones only, if all are too many for the memory limit.

    Returns
    -------
    kinds, places, excess
        int8, int32 and int8 (reasons,): index of the pair, first row and column in reading order, excess.
    """
    kinds, places, excess = [], [], []
    room = limits.memory // BYTES_PER_REASON
    for kind, (down, across) in enumerate(pairs.tolist()):
        limits.check()
        row, col, over = out_of_reach(sums, down, across, sums.size, limits).T
        room -= len(row)
        if room < 0:
            break
        kinds.append(np.full(len(row), kind, np.int8))
        places.append((row * sums.shape[1] + col).astype(np.int32))
        excess.append(over.astype(np.int8))
    return np.concatenate(kinds), np.concatenate(places), np.concatenate(excess)


def single_change(sums: Ints, limits: Limits) -> tuple[Change | None, bool]:
    """The smallest change of one entry that gives a table of a board, and whether the search was exhaustive.

    None and True: no such change exists.
    """
    errors = possible_errors(sums, limits).ravel()
    reason = explain(sums, limits)
    cells = np.repeat(flat_entries(reason, sums.shape[1]), 2 * LARGEST + 1)
    amounts = np.tile(np.arange(-LARGEST, LARGEST + 1), len(reason.entries))
    kept = (errors[cells] >> (LARGEST - amounts).astype(np.uint32) & 1).astype(np.bool_)
    order = np.argsort(np.abs(amounts[kept]), kind="stable")
    cells, amounts = cells[kept][order], amounts[kept][order]
    for _ in range(max(FEWEST_TRIED, CELLS_TRIED // sums.size)):
        kept = allows(reason, sums, cells, amounts)
        cells, amounts = cells[kept], amounts[kept]
        if len(cells) == 0:
            return None, True
        change = *divmod(int(cells[0]), sums.shape[1]), int(amounts[0])
        other = changed(sums, change)
        limits.check()
        if isinstance(decide(other, limits), Choices):
            return change, True
        reason = explain(other, limits)
    return None, False


def flat_entries(reason: Reason, cols: int) -> NDArray[np.int64]:
    rows, columns, _ = reason.entries.astype(np.int64).T
    places: NDArray[np.int64] = rows * cols + columns
    return places


def allows(
    reason: Reason, sums: Ints, cells: NDArray[np.int64], amounts: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Which changes of one entry of `sums` take the reason its force, bool as `cells`."""
    here = Reason.of(sums, reason.entries)
    places = flat_entries(reason, sums.shape[1])
    order = np.argsort(places)
    at = np.minimum(np.searchsorted(places[order], cells), len(order) - 1)
    factor = np.where(places[order][at] == cells, reason.entries[order[at], 2], 0)
    total = here.total + factor * amounts
    return (here.least <= total) & (total <= here.most)


def changed(sums: Ints, change: Change) -> Ints:
    other = sums.copy()
    other[change[:2]] += change[2]
    return read_only(other)


def boards(sums: Ints, change: Change | None, limits: Limits) -> Iterator[NDArray[np.bool_]]:
    """Boards with near tables, from the most promising one on."""
    found = None if change is None else decide(changed(sums, change), limits)
    if isinstance(found, Choices):
        yield found.board().view(np.bool_)
    start = np.zeros(sums.shape, np.int8)
    rows_chosen(sums, start, limits, begin=True)
    yield descend(sums, start, limits)
    rng = np.random.default_rng(limits.seed)
    for _ in range(RESTARTS if sums.size <= SMALL else 0):
        yield descend(sums, rng.integers(0, 2, sums.shape, np.int8), limits)


def descend(sums: Ints, start: Ints, limits: Limits) -> NDArray[np.bool_]:
    """A board whose table no choice of three rows or columns brings nearer, or nearly so."""
    board, turned = start.copy(), read_only(sums.T)
    for _ in range(SWEEPS):
        gained = rows_chosen(sums, board, limits)
        board = np.ascontiguousarray(board.T)
        gained += rows_chosen(turned, board, limits)
        board = np.ascontiguousarray(board.T)
        if gained == 0:
            break
    return board.view(np.bool_)


def rows_chosen(sums: Ints, board: Ints, limits: Limits, *, begin: bool = False) -> int:
    """One pass of `kernels.improve` over all rows, in slices."""
    from cpmines.kernels.pulse import Pulse
    from cpmines.problems.reconstruction.kernels import repair as kernels

    rows, cols = sums.shape
    step = max(1, CELLS_PER_SLICE // cols)
    gained = 0
    for first in range(0, rows, step):
        limits.check()
        gained += kernels.improve(sums, board, first, min(first + step, rows), begin, Pulse(limits.check))
    return gained
