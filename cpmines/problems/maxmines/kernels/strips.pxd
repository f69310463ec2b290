"""Header of `strips`: the digits, as `cpmines.problems.maxmines.digits` has them."""

cpdef enum:
    DIGITS = 6
    CHUNK = 4

cdef enum:
    NEEDS = 4
    CONTENT = 5
    WIDE = 6
    DEAD = -10000
    OF_CHUNK = 1296  # DIGITS ** CHUNK
