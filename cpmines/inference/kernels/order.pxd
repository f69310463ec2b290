"""Header of `order`: the arrays of a plan, and its counters."""

from cpmines.kernels.arrays cimport ConstInts, ConstReals, Ints, Longs, Reals
from cpmines.kernels.structure cimport Structure

cpdef enum:  # entries of `counters`
    STEPS  # eliminations planned
    HEAP  # entries of the heap
    EPOCH  # surveys made
    FILLED  # tables in buckets
    COUNTERS  # how many entries there are

cpdef enum:  # what came of `plan`
    DONE
    CRAMPED
    WIDE

cdef class Planner(Structure):
    cdef public ConstInts need, most
    cdef public Longs sum_starts, scope_starts, seen, bucket_starts, counters
    cdef public Ints sum_lengths, sum_tables, scope, absorbed, heap_sums, taken, found, touched, bucket_tables
    cdef public Reals sizes, scores, heap_scores
    cdef public ConstReals luck
    cdef public double thrift
