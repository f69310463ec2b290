"""Header of `repair`: constants."""

from cpmines.kernels.arrays cimport int32

ctypedef int32[:, :, ::1] Costs

cpdef enum:
    LARGEST = 9  # error that is looked for
    HEIGHT = 3  # rows that are chosen together; a column of them is a number of so many bits

cdef enum:
    STATES = 8  # 1 << HEIGHT
    EVERY = 0x7FFFF  # the set of all numbers from -9 to 9
    NO_CELL = 2
    NEVER = 1 << 30
