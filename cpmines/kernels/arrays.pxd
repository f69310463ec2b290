"""C types of all kernels: numbers of fixed width, and C-contiguous arrays of them.

The first part of a name tells the numbers, ``Table`` two dimensions, ``Const`` that they are only read: arrays
of an instance are read-only, and can be passed as nothing else.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

ctypedef int8_t int8
ctypedef int16_t int16
ctypedef int32_t int32
ctypedef int64_t int64
ctypedef uint8_t uint8
ctypedef uint32_t uint32
ctypedef uint64_t uint64

ctypedef int8_t[::1] Bytes
ctypedef int16_t[::1] Shorts
ctypedef int32_t[::1] Ints
ctypedef int64_t[::1] Longs
ctypedef uint8_t[::1] Flags  # bool arrays are passed as `array.view(np.uint8)`
ctypedef uint32_t[::1] Words
ctypedef uint64_t[::1] Keys
ctypedef double[::1] Reals

ctypedef int8_t[:, ::1] BytesTable
ctypedef int32_t[:, ::1] IntsTable
ctypedef int64_t[:, ::1] LongsTable
ctypedef uint8_t[:, ::1] FlagsTable
ctypedef uint64_t[:, ::1] KeysTable
ctypedef double[:, ::1] RealsTable

ctypedef const int8_t[::1] ConstBytes
ctypedef const int32_t[::1] ConstInts
ctypedef const int64_t[::1] ConstLongs
ctypedef const uint8_t[::1] ConstFlags
ctypedef const uint64_t[::1] ConstKeys
ctypedef const double[::1] ConstReals

ctypedef const int8_t[:, ::1] ConstBytesTable
ctypedef const int32_t[:, ::1] ConstIntsTable


cdef inline int64 magnitude(int64 number) noexcept nogil:
    return -number if number < 0 else number
