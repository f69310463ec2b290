"""Header of `combine`: its outcomes, and an answer in the making."""

from cpmines.analysis.kernels.weights cimport Weights
from cpmines.kernels.arrays cimport Bytes, Reals, int64

cpdef enum:  # outcomes of `answer`
    ANSWERED
    IMPOSSIBLE  # no placement
    GENERAL  # too large for these means

cdef enum:
    OPEN = -1
    WEIGHTS = -1  # instead of a range: the numbers of mines whose weight is not zero
    MOST_UNKNOWN = 1000  # cells up to which every count is within the range of floats: a zero is a true zero
    LARGEST_TABLE = 1 << 23

cdef class Combination:
    cdef Weights scratch
    cdef public Reals probability
    cdef public Bytes states
    cdef int64 cols, count, least, most, step
    cdef double chance
