"""Header of `frontier`."""

from cpmines.analysis.kernels.state cimport State, Work
from cpmines.kernels.arrays cimport int64
from cpmines.kernels.pulse cimport Pulse

cdef enum:  # outcomes of `expand` besides success
    FULL = -1  # scratch is full
    TOO_WIDE = -2  # the needs of the open clues do not fit a state

cdef enum:
    BITS = 62  # of a state
    HASH_SHIFT = 20

cdef int64 arrange(Work work, int64 clues, int64 classes) noexcept nogil
cdef int64 expand(State state, Work work, int64 clues, int64 classes, int64 row, Pulse pulse) except? -9 nogil
