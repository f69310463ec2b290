"""Header of `state`: codes, counters, columns, and the arrays themselves."""

from cpmines.kernels.arrays cimport Bytes, ConstInts, Ints, IntsTable, Longs, Reals
from cpmines.kernels.structure cimport Structure

cpdef enum:
    NONE = -1
    SAFE = 9  # a cell that is decided to be safe and not shown, and the border
    SHOWN = 10  # mark of a mine that the board itself shows
    FAR = 40  # `need` and `spare` where there is no clue: updates need not ask what a cell is

cpdef enum:  # entries of `counters`
    CONFLICT  # whether the clues contradict each other
    MINES  # known mines
    UNKNOWNS  # unknown cells
    QUEUED  # entries of `queue`, of `seeds`, of `table`, of `ints` and of `reals` in use
    SEEDS
    COMPONENTS
    INTS
    REALS
    TOUCHING  # unknown cells beside open clues
    SOLVED  # components solved since the beginning
    COUNTERS  # how many entries there are

cpdef enum:  # columns of `table`, one row a component
    LIVE  # whether it stands
    CLUES  # numbers of its clues, cells and classes
    CELLS
    CLASSES
    INTS_AT  # where its clues, cells and classes of cells stand in `ints`
    REALS_AT  # where its polynomial and those of its classes stand in `reals`
    LEAST  # their exponent and number of coefficients; a component that was too wide has the length 0
    LENGTH
    WIDTH  # the most clues open at once
    STATES  # the most states of a layer
    FIELDS  # how many columns there are

cdef class State(Structure):
    cdef public ConstInts around
    cdef public Bytes cells, need, spare, certain
    cdef public Ints component, number, queue, seeds, ints
    cdef public IntsTable table
    cdef public Reals reals
    cdef public Longs counters

cdef class Work(Structure):
    cdef public Ints clue_at, cell_at, class_of, class_size, class_cell, class_starts, class_clues, clue_starts
    cdef public Ints clue_classes, order, rank, layer_starts, edge_starts, left, shift, open_clues
    cdef public Ints sources, targets, mines
    cdef public IntsTable spans
    cdef public Longs states, hashed, clock
    cdef public Reals values
