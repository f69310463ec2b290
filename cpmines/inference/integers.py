"""Arithmetic of integers of millions of bits that looks at the clock; the interpreter's can't be stopped."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, isqrt, prod

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits

__all__ = ["binomial", "dot", "primes_up_to", "times"]

LEAF = 1 << 18
"""Numbers of up to so many bits are multiplied in one go, in some 10 ms."""

SMALL = 1 << 12
"""Up to this number `math.comb` is as fast."""

GROUP = 256
"""Factors that are multiplied in one go: at most 2^13 bits."""


def times(a: int, b: int, limits: Limits) -> int:
    """The product of two natural numbers; Karatsuba's algorithm down to `LEAF`, as the interpreter does it.

    Raises
    ------
    LimitError
    """
    limits.check()
    small, large = (a, b) if a < b else (b, a)
    half = large.bit_length() + 1 >> 1
    if half <= LEAF >> 1:
        return small * large
    high, low = large >> half, large & (1 << half) - 1
    if small.bit_length() <= half:
        return times(small, low, limits) + (times(small, high, limits) << half)
    top, rest = small >> half, small & (1 << half) - 1
    highs, lows = times(top, high, limits), times(rest, low, limits)
    middle = times(top + rest, high + low, limits) - highs - lows
    return (highs << 2 * half) + (middle << half) + lows


def dot(a: Sequence[int], b: Sequence[int], limits: Limits) -> int:
    """The sum of the products of natural numbers. Raises `LimitError`."""
    return sum(times(x, y, limits) for x, y in zip(a, b, strict=True) if x and y)


def binomial(n: int, k: int, limits: Limits) -> int:
    """``C(n, k)`` from its prime factors, 0 outside of 0 to n.

    By Kummer's theorem a prime divides it as often as digits carry when k and n - k are added in its base.

    Raises
    ------
    LimitError
    """
    if min(k, n - k) <= SMALL:
        return comb(n, k) if 0 <= k <= n else 0
    limits.check()
    primes = primes_up_to(n)
    powers, exponents = primes.copy(), np.zeros_like(primes)
    while len(powers):
        exponents[: len(powers)] += n // powers - k // powers - (n - k) // powers
        powers = powers[powers <= n // primes[: len(powers)]]
        powers = powers * primes[: len(powers)]
    factors = np.repeat(primes, exponents).tolist()
    numbers = [prod(factors[i : i + GROUP]) for i in range(0, len(factors), GROUP)] or [1]
    while len(numbers) > 1:
        pairs = zip(numbers[::2], numbers[1::2], strict=False)
        numbers = [times(x, y, limits) for x, y in pairs] + numbers[len(numbers) // 2 * 2 :]
    return numbers[0]


def primes_up_to(most: int) -> NDArray[np.int64]:
    """int64 (primes,): all up to `most`, which is at least 2."""
    sieve = np.ones(most + 1, np.bool_)
    sieve[:2] = False
    for p in range(2, isqrt(most) + 1):
        if sieve[p]:
            sieve[p * p :: p] = False
    return np.flatnonzero(sieve)
