"""Probabilities as floats, of which 0 and 1 are only what is certain, however near others come."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["chance", "open_chances"]

SMALLEST = float(np.nextafter(0.0, 1.0))
LARGEST = float(np.nextafter(1.0, 0.0))


def chance(ratio: Fraction) -> float:
    """The nearest float; for what is not certain the nearest between 0 and 1.

    >>> chance(Fraction(1)), chance(1 - Fraction(1, 10**30)), chance(Fraction(1, 10**400))
    (1.0, 0.9999999999999999, 5e-324)
    """
    rounded = float(ratio)
    return min(max(rounded, SMALLEST), LARGEST) if 0 < ratio < 1 else rounded


def open_chances(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rounded probabilities of what is not certain, of any shape, kept from 0 and 1."""
    return np.clip(probability, SMALLEST, LARGEST)
