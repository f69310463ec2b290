"""A few cells whose values leave an elimination that is narrow enough, and the cases that they make."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.inference.elimination import width
from cpmines.inference.exact import complete
from cpmines.inference.network import Network
from cpmines.inference.propagation import Propagated, decide
from cpmines.inference.reduction import reduce

__all__ = ["branches", "cutset"]

MOST_CELLS = 6
"""A case for each of the values of so many cells."""
CANDIDATES = 24
"""Cells that are tried for each."""
ATTEMPTS = 8
"""Orders of elimination that are tried, a few seconds of work, before one more cell is taken."""


def branches(
    known: Propagated, cells: tuple[int, ...], limits: Limits, start: float = 0.0, share: float = 1.0
) -> Iterator[tuple[float, Propagated]]:
    """What follows in each case, where no contradiction does, and the part of all cases that came before.

    Parameters
    ----------
    cells
        Flat indices on the board; each is first taken to be safe, then to be a mine.
    start, share
        Of all cases, the part before these and the part that these are, from 0 to 1.

    Raises
    ------
    LimitError
    """
    if known.contradiction():
        return
    if not cells:
        yield start, known
        return
    half = share / 2
    for mine in (False, True):
        decided = decide(known, cells[0], mine, limits)
        yield from branches(decided, cells[1:], limits, start + half * mine, half)


def cutset(known: Propagated, limits: Limits) -> tuple[int, ...]:
    """Cells that make the widest case, as far as that is foreseen, narrow enough.

    Raises
    ------
    LimitError
        Also `MOST_CELLS` are not enough.
    """
    cells: tuple[int, ...] = ()
    widest = known
    while len(cells) < MOST_CELLS:
        cells += (narrowing(widest, limits),)
        widest = max(
            (decide(widest, cells[-1], mine, limits) for mine in (False, True)),
            key=lambda case: promise(case, limits),
        )
        try:
            if not widest.contradiction():
                complete(widest, limits, attempts=ATTEMPTS)
        except LimitError as limit:
            if limit.stop == Stop.TIME_LIMIT:
                raise
        else:
            return cells
    note = f"elimination is too wide, also in the cases of {MOST_CELLS} cells"
    raise LimitError(Stop.MEMORY_LIMIT, note)


def narrowing(known: Propagated, limits: Limits) -> int:
    """The cell whose value brings the width down the most; a flat index on the board.

    Raises
    ------
    LimitError
        Nothing is wide: it is not for its width that elimination lacks memory.
    """
    network = Network.of(known, limits)
    reduced = reduce(network, limits)
    assert reduced is not None
    _, scope = width(reduced, limits)
    starts = network.sum_starts
    near = [network.sum_cells[starts[s] : starts[s + 1]] for s in reduced.sources[scope].tolist()]
    if not near:
        raise LimitError(Stop.MEMORY_LIMIT, f"elimination needs more than {limits.memory} bytes")
    found, times = np.unique(np.concatenate(near), return_counts=True)
    first = found[np.argsort(-times, kind="stable")]
    variables = reduced.variable[first]
    _, places = np.unique(variables, return_index=True)
    candidates = first[[place for place in np.sort(places) if variables[place] >= 0]][:CANDIDATES]

    def both(cell: int) -> float:
        cases = (decide(known, cell, mine, limits) for mine in (False, True))
        return float(np.logaddexp2.reduce([promise(case, limits) for case in cases]))

    return int(min(network.cells[candidates].tolist(), key=both))


def promise(known: Propagated, limits: Limits) -> float:
    """The width to be expected, see `width`; minus infinity where there is a contradiction."""
    if known.contradiction():
        return -np.inf
    reduced = reduce(Network.of(known, limits), limits)
    return -np.inf if reduced is None else width(reduced, limits)[0]
