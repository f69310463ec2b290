"""Header of `reduce`: the arrays of a reduction, and what other kernels do with them."""

from cpmines.kernels.arrays cimport Bytes, ConstInts, Ints, Longs, int64
from cpmines.kernels.structure cimport Structure

cpdef enum:  # entries of `counters`
    QUEUED  # sums in the queue
    BROKEN  # a sum that can't be met, -1 for none

cdef enum:
    LONG = 64  # terms that are searched in one step of a pulse

cdef class Reducer(Structure):
    cdef public Ints parent, following, members, lengths, cells, coefficients, need, queue
    cdef public Bytes flipped, waiting
    cdef public ConstInts cell_starts, cell_sums, starts
    cdef public Longs counters

cdef (int64, int64) find(Reducer reducer, int64 cell) noexcept nogil
cdef void enqueue(Reducer reducer, int64 s) noexcept nogil
cdef void decide(Reducer reducer, int64 cell, int64 coefficient, int64 holds) noexcept nogil
