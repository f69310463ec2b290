"""Header of `buffers`: scratch that grows inside kernels."""

from cpmines.kernels.arrays cimport int32, int64, uint64

cdef class IntBuffer:
    cdef int32* at
    cdef int64 size
    cdef int reserve(self, int64 size) except -1 nogil

cdef class LongBuffer:
    cdef int64* at
    cdef int64 size
    cdef int reserve(self, int64 size) except -1 nogil

cdef class KeyBuffer:
    cdef uint64* at
    cdef int64 size
    cdef int reserve(self, int64 size) except -1 nogil

cdef class RealBuffer:
    cdef double* at
    cdef int64 size
    cdef int reserve(self, int64 size) except -1 nogil
