"""Header of `trail`: the state of the search, its constants and what `search` does with it."""

from cpmines.kernels.arrays cimport Bytes, ConstInts, Ints, Longs, int64
from cpmines.kernels.pulse cimport Pulse
from cpmines.kernels.structure cimport Structure

cpdef enum:
    NONE = -1
    HEADER = 4  # of a clause in the arena: size, number of levels when learnt, two links of watch lists

cpdef enum:  # entries of `counters`
    ASSIGNED  # length of the trail
    PROPAGATED  # how much of it is propagated
    LEVEL  # decision level
    USED  # entries of the arena in use
    GIVEN  # those of the clauses given at the start
    CURSOR  # where the next decision is looked for
    NEWEST  # the newest cell of the decision queue
    CLOCK  # stamps given out
    CONFLICTS
    RESTARTS
    NEXT_RESTART  # the number of conflicts at which the next restart is due
    RESTART_UNIT  # the unit of the sequence of restarts
    COUNTERS  # how many entries there are

cdef class Solver(Structure):
    cdef public ConstInts sum_starts, sum_cells, cell_starts, cell_sums
    cdef public Ints need, spare, level, place, trail, level_starts, older, newer, watch, arena
    cdef public Ints marked, learnt, because
    cdef public Bytes value, phase, seen
    cdef public Longs reason, stamp, stamps, counted, counters

cdef void assign(Solver solver, int64 cell, int64 value, int64 reason, int64 level) noexcept nogil
cdef int undo(Solver solver, int64 level, Pulse pulse) except -1 nogil
cdef void watch(Solver solver, int64 clause) noexcept nogil
cdef int64 add_clause(Solver solver, int64 size, int64 levels) noexcept nogil
cdef int64 propagate(Solver solver, Pulse pulse) except? -2 nogil
