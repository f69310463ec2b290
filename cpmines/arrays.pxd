"""C types of the kernels: numbers of fixed width, and C-contiguous arrays of them.

Names of arrays: `Ints` for int32, `Longs` for int64, `Bytes` for int8; `...Table` has two dimensions.
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
ctypedef uint32_t[::1] Words
ctypedef uint64_t[::1] Keys
ctypedef double[::1] Reals
ctypedef uint8_t[::1] Mask

ctypedef int8_t[:, ::1] BytesTable
