"""Arrays of C that kernels make larger themselves, without the interpreter lock."""

import cython
from cython.cimports.cpmines.kernels.arrays import int32, int64, uint64
from cython.cimports.libc.stdlib import free, realloc

__all__ = ["IntBuffer", "KeyBuffer", "LongBuffer", "RealBuffer"]


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def enlarge(at: cython.pointer(cython.p_void), now: int64, wanted: int64, width: cython.size_t) -> int64:
    """Give an array of `now` entries room for those `wanted`, and for twice as many; how many it has then."""
    size: int64 = max(wanted, 2 * now)
    found: cython.p_void = realloc(at[0], size * width)
    if not found:
        with cython.gil:
            raise MemoryError
    at[0] = found
    return size


class IntBuffer:
    """Scratch of int32, ``at[0]`` to ``at[size - 1]``; what stands in it stays when it grows."""

    def __dealloc__(self) -> None:
        free(self.at)

    def reserve(self, size: int64) -> cython.int:
        """Have room for `size` entries; raises `MemoryError`."""
        if size > self.size:
            at = cython.cast(cython.pointer(cython.p_void), cython.address(self.at))
            self.size = enlarge(at, self.size, size, cython.sizeof(int32))
        return 0


class LongBuffer:
    """Scratch of int64, ``at[0]`` to ``at[size - 1]``; what stands in it stays when it grows."""

    def __dealloc__(self) -> None:
        free(self.at)

    def reserve(self, size: int64) -> cython.int:
        """Have room for `size` entries; raises `MemoryError`."""
        if size > self.size:
            at = cython.cast(cython.pointer(cython.p_void), cython.address(self.at))
            self.size = enlarge(at, self.size, size, cython.sizeof(int64))
        return 0


class KeyBuffer:
    """Scratch of uint64, ``at[0]`` to ``at[size - 1]``; what stands in it stays when it grows."""

    def __dealloc__(self) -> None:
        free(self.at)

    def reserve(self, size: int64) -> cython.int:
        """Have room for `size` entries; raises `MemoryError`."""
        if size > self.size:
            at = cython.cast(cython.pointer(cython.p_void), cython.address(self.at))
            self.size = enlarge(at, self.size, size, cython.sizeof(uint64))
        return 0


class RealBuffer:
    """Scratch of float64, ``at[0]`` to ``at[size - 1]``; what stands in it stays when it grows."""

    def __dealloc__(self) -> None:
        free(self.at)

    def reserve(self, size: int64) -> cython.int:
        """Have room for `size` entries; raises `MemoryError`."""
        if size > self.size:
            at = cython.cast(cython.pointer(cython.p_void), cython.address(self.at))
            self.size = enlarge(at, self.size, size, cython.sizeof(cython.double))
        return 0
