"""The only import of numba: compiled kernels, cached on disk.

Importing numba takes a large part of a second, so a module of kernels is imported inside the function
that needs it. Contract of every kernel: arrays are C-contiguous; those of an instance are read-only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

__all__ = ["kernel"]

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile `function` on its first call; it releases the interpreter lock while it runs."""
    try:
        compiled = numba.njit(function, cache=True, nogil=True)
    except RuntimeError:  # there is no folder that the compiled code could be kept in
        compiled = numba.njit(function, nogil=True)
    return cast(F, compiled)
