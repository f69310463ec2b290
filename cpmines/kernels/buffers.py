"""Arrays of C that kernels make larger themselves, without the interpreter lock."""

import cython
from cython.cimports.cpmines.kernels.arrays import int32, int64, uint64
from cython.cimports.libc.stdlib import free, realloc

__all__ = ["IntBuffer", "KeyBuffer", "LongBuffer", "RealBuffer"]


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def enlarge(at: cython.pointer(cython.p_void), size: cython.size_t) -> cython.int:
    """Give the memory at least so many bytes."""
    found: cython.p_void = realloc(at[0], size)
    if not found:
        with cython.gil:
            raise MemoryError
    at[0] = found
    return 0


class IntBuffer:
    """Scratch of int32, ``at[0]`` to ``at[size - 1]``; what stands in it stays when it grows."""

    def __dealloc__(self) -> None:
        free(self.at)

    def reserve(self, size: int64) -> cython.int:
        """Have room for `size` entries; raises `MemoryError`."""
        if size > self.size:
            size = max(size, 2 * self.size)
            enlarge(
                cython.cast(cython.pointer(cython.p_void), cython.address(self.at)),
                size * cython.sizeof(int32),
            )
            self.size = size
        return 0


class LongBuffer:
    """Scratch of int64, ``at[0]`` to ``at[size - 1]``; what stands in it stays when it grows."""

    def __dealloc__(self) -> None:
        free(self.at)

    def reserve(self, size: int64) -> cython.int:
        """Have room for `size` entries; raises `MemoryError`."""
        if size > self.size:
            size = max(size, 2 * self.size)
            enlarge(
                cython.cast(cython.pointer(cython.p_void), cython.address(self.at)),
                size * cython.sizeof(int64),
            )
            self.size = size
        return 0


class KeyBuffer:
    """Scratch of uint64, ``at[0]`` to ``at[size - 1]``; what stands in it stays when it grows."""

    def __dealloc__(self) -> None:
        free(self.at)

    def reserve(self, size: int64) -> cython.int:
        """Have room for `size` entries; raises `MemoryError`."""
        if size > self.size:
            size = max(size, 2 * self.size)
            enlarge(
                cython.cast(cython.pointer(cython.p_void), cython.address(self.at)),
                size * cython.sizeof(uint64),
            )
            self.size = size
        return 0


class RealBuffer:
    """Scratch of float64, ``at[0]`` to ``at[size - 1]``; what stands in it stays when it grows."""

    def __dealloc__(self) -> None:
        free(self.at)

    def reserve(self, size: int64) -> cython.int:
        """Have room for `size` entries; raises `MemoryError`."""
        if size > self.size:
            size = max(size, 2 * self.size)
            enlarge(
                cython.cast(cython.pointer(cython.p_void), cython.address(self.at)),
                size * cython.sizeof(cython.double),
            )
            self.size = size
        return 0
