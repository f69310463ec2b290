"""Header of `sorting`."""

from cpmines.kernels.arrays cimport Ints, Longs, int64

cdef void sort(Ints values, int64 first, int64 count) noexcept nogil
cdef void sort_by(Longs keys, Ints values, int64 count) noexcept nogil
