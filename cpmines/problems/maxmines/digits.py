"""The digits by which strips number what is in their cells, and the digits of the frontier's codes."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from cpmines.problems.maxmines.steps import BITS

__all__ = ["CHUNK", "DIGITS", "NEWEST", "numbers"]

DIGITS = 6
CHUNK = 4
"""Cells whose codes are looked up at once."""
OF_CODES = np.array([0, 1, 2, 3, 3, 4, 5, 0])
"""The digit of each code; at the end of a line, no empty cell of a strip has 4 neighbours to come."""
NEWEST = np.append(OF_CODES, DIGITS), np.array([0, 1, 2, 3, 6, 4, 5, 0, DIGITS + 1])
"""The digit of each code in the newest cell and how many there are, at the end of a line and within one."""


@cache
def numbers() -> NDArray[np.int32]:
    """For the codes of `CHUNK` cells, packed, the number that their digits make."""
    codes = np.arange(1 << BITS * CHUNK)
    digits = [OF_CODES[codes >> BITS * k & (1 << BITS) - 1] * DIGITS**k for k in range(CHUNK)]
    together: NDArray[np.int32] = np.sum(digits, axis=0, dtype=np.int32)
    return together
