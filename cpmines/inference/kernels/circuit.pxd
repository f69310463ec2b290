"""Header of `circuit`."""

from cpmines.kernels.arrays cimport ConstInts, ConstLongs
from cpmines.kernels.structure cimport Structure

cdef class Nodes(Structure):
    cdef public ConstLongs row_starts, pair_starts, low, offset
    cdef public ConstInts parents, left, right
