"""Header of `circuit`."""

from cpmines.kernels.arrays cimport ConstInts, ConstLongs

cdef class Nodes:
    cdef public ConstLongs row_starts, pair_starts, low, offset
    cdef public ConstInts parents, left, right
