"""Header of `board`: codes of cells beside those of a Board, and counters."""

from cpmines.kernels.arrays cimport int8

cpdef enum:
    SAFE = 9
    QUEUED = 16
    FAR = 40

cpdef enum:  # entries of `counters`
    QUEUE  # queued clues
    CONFLICT  # a clue that can't be met, -1 for none
    MINES  # known mines
    UNKNOWNS  # unknown cells
    OPEN_CLUES  # clues with an unknown neighbour; right when the queue is empty
