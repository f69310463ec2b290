"""Header of `frontier`: what the other kernels of maxmines share with it."""

from cpmines.kernels.arrays cimport int64, uint64

ctypedef uint64[:, ::1] Layer
ctypedef const uint64[:, ::1] ConstLayer
ctypedef const uint64[::1] Numbers

cpdef enum:  # as `cpmines.problems.maxmines.steps` has them
    BITS = 3
    CODE = 7
    NEEDS = 5
    CONTENT = 6
    HALF = 32

cdef int64 find(ConstLayer layer, uint64 state) noexcept nogil
cdef uint64 with_mine(uint64 state, Numbers near, Numbers left, uint64 mine) noexcept nogil
cdef uint64 with_empty(uint64 state, Numbers near, Numbers left, uint64 most) noexcept nogil
