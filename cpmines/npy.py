"""Arrays of numpy's ``.npy`` files, whose headers are believed as far as the bytes bear them out.

Nothing is allocated by what a header says: `numpy.load` makes the array first and reads then.

References
----------
numpy.lib.format, versions 1 to 3.
"""

from __future__ import annotations

import tokenize
import warnings
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

__all__ = ["MAGIC", "Header", "array_of", "read_header"]

MAGIC = b"\x93NUMPY"

DAMAGES = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
    tokenize.TokenError,
)
"""What numpy raises for a header that is none: it evaluates a Python literal, and makes a dtype of it."""


@dataclass(frozen=True)
class Header:
    """What an array is said to be."""

    dtype: np.dtype[np.generic]
    shape: tuple[int, ...]
    fortran: bool

    def __str__(self) -> str:
        name, shape = str(self.dtype), str(self.shape)
        return f"an array of type {ascii(name)[1:-1]:.40} and shape {shape:.60}"

    @property
    def size(self) -> int:
        """Bytes of its entries."""
        found = self.dtype.itemsize
        for length in self.shape:
            found *= length
        return found


def read_header(file: IO[bytes]) -> Header:
    """The header of an array, up to its first entry. Raises `ValueError`, also for lengths that are none."""
    try:
        version = npy.read_magic(file)
        if version not in ((1, 0), (2, 0), (3, 0)):
            raise ValueError("another version")
        # 3 differs from 2 in the names of fields alone, which whole numbers do not have.
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        with warnings.catch_warnings(action="ignore"):
            shape, fortran, dtype = read(file)
    except DAMAGES:
        raise ValueError("damaged") from None
    if any(type(length) is not int or length < 0 for length in shape):
        raise ValueError("no lengths")
    return Header(dtype, shape, fortran)


def array_of(data: bytes | memoryview, header: Header) -> NDArray[Any]:
    """The array of a header, a view of the bytes behind it, which must be `Header.size`."""
    entries: NDArray[Any] = np.frombuffer(data, header.dtype)
    return entries.reshape(header.shape, order="F" if header.fortran else "C")
