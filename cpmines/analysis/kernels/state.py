"""What an analysis keeps between two clues, and the scratch space of one component.

Arrays of the board have a border of one cell on each side and are flat, so that a neighbour is a constant
away. All arrays are modified in place by the kernels; only the caller replaces one by a larger one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel

__all__ = ["FAR", "FIELDS", "NONE", "SAFE", "SHOWN", "State", "Work", "whole"]

Ints = NDArray[np.int32]
Cells = NDArray[np.int8]
Reals = NDArray[np.float64]

NONE = -1
SAFE = 9
"""Code of a cell that is decided to be safe and not shown, and of the border."""
SHOWN = 10
"""Mark of a mine that the board itself shows."""
FAR = 40
"""`need` and `spare` where there is no clue: updates need not ask what a cell is."""

CONFLICT, MINES, UNKNOWNS, QUEUED, SEEDS, COMPONENTS, INTS, REALS, TOUCHING, SOLVED = range(10)
"""Entries of `counters`: whether the clues contradict each other, known mines, unknown cells, entries of
`queue`, of `seeds`, of `table`, of `ints` and of `reals` in use, unknown cells beside open clues, and
components solved since the beginning."""
COUNTERS = 10

LIVE, CLUES, CELLS, CLASSES, INTS_AT, REALS_AT, LEAST, LENGTH, WIDTH, STATES = range(10)
"""Columns of `table`, one row a component: whether it stands; numbers of its clues, cells and classes; where
its clues, cells and classes of cells stand in `ints`; where its polynomial and those of its classes stand in
`reals`; their exponent and number of coefficients; the most clues open at once, and the most states of a
layer. A component that was too wide has the length 0."""
FIELDS = 10


class State(NamedTuple):
    """A board, the components of its open clues, and their polynomials.

    A clue is open while it has an unknown neighbour. Propagation is kept at a fixed point.

    Attributes
    ----------
    around
        int32 (8,): steps to the neighbours.
    cells, need, spare
        int8, flat: clues 0-8, `MINE`, `UNKNOWN`, `SAFE`; at a clue, how many of its unknown neighbours are
        mines, and how many are safe.
    certain
        int8, flat: of an unknown cell, `SAFE` or `MINE` if its component decides it, else `UNKNOWN`;
        `SHOWN` at a mine that was given.
    component
        int32, flat: row of `table` at an open clue, else `NONE`.
    number
        int32, flat: scratch, `NONE` between calls.
    queue, seeds
        int32: clues that decide their neighbours; clues that are to be put into components.
    table, ints, reals
        int32 (any, FIELDS), int32 and float64: the components, see `LIVE` and the rest.
    counters
        int64, see `CONFLICT` and the rest.
    """

    around: Ints
    cells: Cells
    need: Cells
    spare: Cells
    certain: Cells
    component: Ints
    number: Ints
    queue: Ints
    seeds: Ints
    table: Ints
    ints: Ints
    reals: Reals
    counters: NDArray[np.int64]


class Work(NamedTuple):
    """Scratch of one component: its parts, then the layers of its frontier.

    Attributes
    ----------
    clue_at, cell_at
        int32: places of its clues and cells.
    class_of, class_size, class_cell
        int32: class of each cell; size and first cell of each class.
    class_starts, class_clues, clue_starts, clue_classes
        int32: the clues of each class, and the classes of each clue.
    order, rank
        int32: the classes as they are placed, and the place of each class.
    layer_starts, edge_starts
        int32: where the states of each layer begin, and the edges that leave it.
    left, shift
        int32 (clues,): classes or cells still to come; place of the need in a state, `NONE` if not open.
    open_clues
        int32: the clues that are open in the present layer.
    states
        int64: needs of the open clues, packed.
    sources, targets, mines
        int32: edges between the states of neighbouring layers, and how many mines the class has.
    spans
        int32 (states, 6): fewest and most mines before the state, and where their coefficients begin; the
        same for the mines after it. The fewest after it are `NONE` if the state leads nowhere.
    values
        float64: coefficients.
    hashed, clock
        int64, a power of two, and int64 (1,): states by hash. The clock is above all entries of components
        before, so that an entry below the clock plus the start of the present layer is empty.
    """

    clue_at: Ints
    cell_at: Ints
    class_of: Ints
    class_size: Ints
    class_cell: Ints
    class_starts: Ints
    class_clues: Ints
    clue_starts: Ints
    clue_classes: Ints
    order: Ints
    rank: Ints
    layer_starts: Ints
    edge_starts: Ints
    left: Ints
    shift: Ints
    open_clues: Ints
    states: NDArray[np.int64]
    sources: Ints
    targets: Ints
    mines: Ints
    spans: Ints
    values: Reals
    hashed: NDArray[np.int64]
    clock: NDArray[np.int64]


@kernel
def whole(number: int) -> int:
    """An int64. A kernel that is called with another type, or with a constant, is compiled once more."""
    return int(np.int64(number))
