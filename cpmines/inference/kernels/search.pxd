"""Header of `search`: constants."""

cpdef enum:  # how a slice of the search ended
    SATISFIED
    REFUTED
    UNDECIDED  # after its budget of conflicts
    FULL  # no room in the arena for one more clause

cdef enum:
    LONG_WAY = 50
    KEPT_LEVELS = 3  # learnt clauses over so few levels are never forgotten (Audemard and Simon, 2009)
