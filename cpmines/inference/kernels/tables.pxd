"""Header of `tables`: scratch of the joins, and how a construction ends."""

from cpmines.inference.kernels.keys cimport Groups, Meeting
from cpmines.kernels.buffers cimport IntBuffer, KeyBuffer, LongBuffer

cpdef enum:  # what `build` returns
    DONE  # all joins are made
    PAUSED  # the budget is used
    FULL  # arrays are too small
    WIDE  # a key does not fit into 64 bits
    EMPTY  # a table has no rows, so that nothing satisfies the sums

cdef class Joins:
    cdef Meeting meeting
    cdef Groups left, right
    cdef IntBuffer matches, tables, slots, lefts, rights, sums
    cdef KeyBuffer made
    cdef LongBuffer fill
