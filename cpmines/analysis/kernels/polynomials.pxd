"""Header of `polynomials`."""

from cpmines.analysis.kernels.state cimport Work
from cpmines.kernels.arrays cimport int64
from cpmines.kernels.pulse cimport Pulse

cdef enum:  # columns of `Work.spans`
    BEFORE_LEAST
    BEFORE_MOST
    BEFORE_AT
    AFTER_LEAST
    AFTER_MOST
    AFTER_AT

cdef int64 measure(Work work, int64 classes, int64 count) noexcept nogil
cdef int sweep(Work work, int64 classes, int64 count, int64 used, Pulse pulse) except -1 nogil
cdef int write(Work work, int64 classes, double* out, int64 length, Pulse pulse) except -1 nogil
cdef (bint, bint) certain(Work work, int64 at) noexcept nogil
