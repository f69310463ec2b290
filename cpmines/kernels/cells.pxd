"""Codes of cells, as `cpmines.board` has them."""

cdef enum:
    MINE = -1
    UNKNOWN = -2
