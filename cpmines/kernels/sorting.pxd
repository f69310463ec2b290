"""Header of `sorting`."""

from cpmines.kernels.arrays cimport Ints, Longs, int64, uint64
from cpmines.kernels.pulse cimport Pulse

cdef void sort(Ints values, int64 first, int64 count) noexcept nogil
cdef void sort_by(Longs keys, Ints values, int64 count) noexcept nogil
cdef int arrange(const uint64* keys, int64* order, int64* spare, int64 count, Pulse pulse) except -1 nogil
