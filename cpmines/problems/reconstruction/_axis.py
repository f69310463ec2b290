"""One axis: undoing sums of three neighbours, and the vectors that such sums do not see."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["kernel_vector", "lone_lines", "undo_sums"]

Ints = NDArray[np.signedinteger]

WIDE = 1024
"""Bytes from one line to the next from which on whole lines are added one by one."""


def kernel_vector(n: int) -> NDArray[np.int8]:
    """The vector (1, -1, 0, 1, -1, 0, ..., 1, -1) for n = 2 (mod 3), zeros otherwise; int8 (n,)."""
    if n % 3 != 2:
        return np.zeros(n, np.int8)
    return np.resize(np.array([1, -1, 0], np.int8), n)


def lone_lines(n: int) -> slice:
    """The indices where `kernel_vector` is 0."""
    return slice(2, None, 3) if n % 3 == 2 else slice(None)


def undo_sums(sums: Ints) -> Ints | None:
    """The y with ``y[k - 1] + y[k] + y[k + 1] = sums[k]`` along the first axis, zero outside.

    Modulo 256 with int8, exact with wider types. If there are several, the one with ``y[0] = 0``; None if
    there is none. Linear time, whole arrays.

    Parameters
    ----------
    sums
        Integers of shape (n, ...). The result has the same shape, type and memory layout.

    >>> undo_sums(np.array([1, 2, 2, 1], np.int8)).tolist()
    [0, 1, 1, 0]
    """
    n = len(sums)
    steps = sums[1:] - sums[:-1]
    closing: Ints = -steps[(n + 1) % 3 :: 3].sum(axis=0, dtype=sums.dtype)
    if n % 3 == 2 and closing.any():
        return None
    values = np.empty_like(sums)
    values[0] = sums[0] - closing if n % 3 == 1 else closing
    values[1:2] = sums[0] - values[0]
    for first in (2, 3, 4):
        chain = values[first::3]
        running_sums(steps[first - 2 : n - 2 : 3], chain)
        if first > 2:
            chain += values[first - 3 : first - 2]
    return values


def running_sums(steps: Ints, out: Ints) -> None:
    """Set ``out[k]`` to ``steps[0] + ... + steps[k]`` along the first axis.

    `np.cumsum` goes down one column after the other: with wide rows it waits for memory, and takes 5 to 40
    times as long as adding whole rows.
    """
    if steps.strides[0] < WIDE:
        np.cumsum(steps, axis=0, dtype=steps.dtype, out=out)
        return
    out[:1] = steps[:1]
    for k in range(1, len(steps)):
        np.add(out[k - 1], steps[k], out=out[k])
