"""Header of `keys`: the arrays of a construction, and how two tables meet."""

from cpmines.kernels.arrays cimport ConstInts, Ints, Keys, Longs, int64, uint64
from cpmines.kernels.buffers cimport IntBuffer, KeyBuffer, LongBuffer
from cpmines.kernels.pulse cimport Pulse
from cpmines.kernels.structure cimport Structure

cdef extern from *:
    """
    #define NOTHING UINT64_MAX
    """
    const uint64 NOTHING  # the key of a row that breaks a sum

cpdef enum:  # entries of `counters`
    STEP  # next elimination
    TABLES  # tables made
    ROWS  # rows in use, pairs in use, scope entries in use
    PAIRS
    SCOPES
    WORK  # work done
    WANTED  # how many pairs the join needs that found an array full
    COUNTERS  # how many entries there are

cdef class Builder(Structure):
    cdef public ConstInts need, most, bits
    cdef public Ints live, bucket_tables, names, parents, scope, absorbed, left, right
    cdef public Longs bucket_starts, row_starts, scope_starts, pair_starts, counters
    cdef public Keys keys

cdef class Meeting:
    cdef IntBuffer sums, absorbed, shared, shifts
    cdef LongBuffer old, new
    cdef KeyBuffer mask
    cdef uint64 kept, common, guard, over, under
    cdef int64 count, width, pairs

cdef class Groups:
    cdef KeyBuffer keys, common
    cdef LongBuffer order, spare, starts
    cdef int64 count

cdef int meet(Builder builder, int64 a, int64 b, Meeting meeting) except -1 nogil
cdef int group(Builder builder, int64 table, Meeting meeting, Groups groups, Pulse pulse) except -1 nogil
cdef int64 match(Groups a, Groups b, Meeting meeting, IntBuffer found, Pulse pulse) except -1 nogil
