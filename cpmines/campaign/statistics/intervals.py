"""Confidence intervals by resampling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Interval", "bootstrap"]

RESAMPLES = 2000
LEVEL = 0.95
CHUNK = 1 << 22
"""Numbers that are drawn at a time."""


@dataclass(frozen=True)
class Interval:
    """An estimate with the ends of its 95 % confidence interval; the ends are NaN if it can't be known."""

    value: float
    low: float
    high: float

    def excludes(self, value: float) -> bool:
        """Is `value` outside? Never where the interval is not known."""
        return value < self.low or value > self.high


def bootstrap(
    sample: NDArray[np.float64],
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    *,
    seed: int = 0,
) -> Interval:
    """The percentile interval of a statistic under resampling with replacement.

    Parameters
    ----------
    sample
        Shape (n,). With fewer than three values there is no interval.
    statistic
        Maps shape (resamples, n) to shape (resamples,), one value for each row.

    References
    ----------
    Efron, Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.

    >>> found = bootstrap(np.arange(100.0), lambda rows: rows.mean(axis=1))
    >>> found.value, round(found.low), round(found.high)
    (49.5, 44, 55)
    """
    if len(sample) == 0:
        return Interval(np.nan, np.nan, np.nan)
    value = float(statistic(sample[None])[0])
    if len(sample) < 3:
        return Interval(value, np.nan, np.nan)
    rng = np.random.default_rng(seed)
    step = max(1, CHUNK // len(sample))
    found = np.concatenate(
        [
            statistic(sample[rng.integers(0, len(sample), (min(step, RESAMPLES - first), len(sample)))])
            for first in range(0, RESAMPLES, step)
        ]
    )
    low, high = np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value, float(low), float(high))
