"""The only import of numba: compiled kernels, cached on disk.

Importing numba takes a large part of a second, so a module of kernels is imported inside the function
that needs it. Contract of every kernel: arrays are C-contiguous; those of an instance are read-only.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

__all__ = ["kernel"]

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile `function` on its first call; it releases the interpreter lock while it runs."""
    try:
        compiled = numba.njit(function, cache=True, nogil=True)
    except RuntimeError:  # neither the package's folder nor the user's cache folder can be written
        os.environ.setdefault("NUMBA_CACHE_DIR", os.path.join(tempfile.gettempdir(), "cpmines-cache"))
        numba.config.reload_config()
        compiled = numba.njit(function, cache=True, nogil=True)
    return cast(F, compiled)
