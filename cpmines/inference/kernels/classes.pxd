"""Header of `classes`."""

from cpmines.kernels.arrays cimport Bytes, Ints, Longs
from cpmines.kernels.structure cimport Structure

cdef class Classes(Structure):
    cdef public Ints variable, sizes, ones, zeros, sums, coefficients, need, number
    cdef public Bytes group, flipped
    cdef public Longs starts
