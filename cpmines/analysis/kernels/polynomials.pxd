"""Header of `polynomials`."""

from cpmines.analysis.kernels.state cimport Work
from cpmines.kernels.arrays cimport int64

cdef enum:  # columns of `Work.spans`
    BEFORE_LEAST
    BEFORE_MOST
    BEFORE_AT
    AFTER_LEAST
    AFTER_MOST
    AFTER_AT

cdef int64 measure(Work work, int64 classes, int64 count) noexcept nogil
cdef void sweep(Work work, int64 classes, int64 count, int64 used) noexcept nogil
cdef void write(Work work, int64 classes, double* out, int64 length) noexcept nogil
cdef (bint, bint) certain(Work work, int64 at) noexcept nogil
