"""Header of `refresh`: its outcomes."""

cpdef enum:
    DONE  # all is solved
    AGAIN  # the budget is spent
    STORE_FULL
    WORK_FULL  # the scratch is full

cdef enum:
    MOST_CELLS = 1000  # the number of placements of so many cells is within the range of floats
