"""Header of `clues`."""

from cpmines.analysis.kernels.state cimport SAFE, State
from cpmines.kernels.arrays cimport int64

cdef inline bint is_clue(int64 code) noexcept nogil:
    return 0 <= code < SAFE

cdef void dissolve(State state, int64 component) noexcept nogil
cdef void decide(State state, int64 cell, int64 value) noexcept nogil
cdef void settle(State state) noexcept nogil
