"""Header of `pulse`."""

from cpmines.kernels.arrays cimport int64

cdef class Pulse:
    cdef object check
    cdef int64 left
    cdef int ask(self) except -1 nogil


cdef inline int beat(Pulse pulse) except -1 nogil:
    """One step of a long kernel; every few thousand of them, the limits and signals are looked at."""
    pulse.left -= 1
    return pulse.ask() if pulse.left < 0 else 0
