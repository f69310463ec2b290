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

cdef extern from *:
    """
    #define ONE_MINE (UINT64_C(1) << 32)
    #define ANCESTOR UINT64_C(0xFFFFFFFF)
    #define DEAD UINT64_MAX
    """
    const uint64 ONE_MINE  # in a payload
    const uint64 ANCESTOR  # its other half
    const uint64 DEAD  # instead of a state: a rule is broken

cdef int64 find(ConstLayer layer, uint64 state) noexcept nogil
cdef uint64 with_mine(uint64 state, Numbers near, Numbers left, uint64 mine) noexcept nogil
cdef uint64 with_empty(uint64 state, Numbers near, Numbers left, uint64 most) noexcept nogil
