"""What an analysis keeps between two clues, and the scratch space of one component.

Arrays of the board have a border of one cell on each side and are flat, so that a neighbour is a constant
away. All arrays are modified in place by the kernels; only the caller replaces one by a larger one.
"""

from cython.cimports.cpmines.kernels.structure import Structure

__all__ = ["State", "Work"]


class State(Structure):
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


class Work(Structure):
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
