"""Header of `frontier`: what the other kernels of maxmines share with it."""

from cpmines.kernels.arrays cimport int64, uint64

ctypedef uint64[:, ::1] Layer
ctypedef uint64[::1] Numbers

cdef enum:  # as `cpmines.problems.maxmines.steps` has them
    BITS = 3
    CODE = 7
    NEEDS = 5
    CONTENT = 6
    HALF = 32

cdef int64 find(Layer layer, uint64 state) noexcept nogil
