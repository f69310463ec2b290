"""Header of `structure`."""

cdef class Structure:
    pass
