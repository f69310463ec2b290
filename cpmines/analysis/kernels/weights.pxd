"""Header of `weights`."""

from cpmines.analysis.kernels.state cimport State
from cpmines.kernels.arrays cimport int64
from cpmines.kernels.buffers cimport IntBuffer, RealBuffer
from cpmines.kernels.pulse cimport Pulse

ctypedef double* Values

cdef class Weights:
    cdef IntBuffer live, verdicts
    cdef RealBuffer products, after, weights, carried, chances

cdef Values polynomial(State state, int64 c, int64 index) noexcept nogil
cdef double dot(Values a, Values b, int64 count) noexcept nogil
cdef void rest(int64 free, int64 left, int64 least, int64 span, Values ways) noexcept nogil
cdef int prefixes(State state, Weights scratch, int64 count, int64 span, bint precise, Pulse pulse) except -1 nogil
cdef int weigh(
    State state, Weights scratch, int64 c, Values before, int64 length, bint precise, Pulse pulse
) except -1 nogil
