"""Header of `nest`."""

from cpmines.kernels.arrays cimport Ints, Longs

cdef class TermIndex:
    cdef Longs starts
    cdef Ints sums, coefficients
