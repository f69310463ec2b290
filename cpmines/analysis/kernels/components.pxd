"""Header of `components`."""

from cpmines.analysis.kernels.state cimport State, Work
from cpmines.kernels.arrays cimport int64

cdef (int64, int64) collect(State state, Work work, int64 start) noexcept nogil
cdef int64 group(State state, Work work, int64 cells) noexcept nogil
cdef void link(Work work, int64 clues, int64 classes) noexcept nogil
cdef void forget(State state, Work work, int64 clues, int64 cells) noexcept nogil
