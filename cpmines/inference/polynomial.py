"""Polynomials with non-negative integer coefficients of any size, as lists, lowest power first.

All functions look at the clock and raise `LimitError`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cpmines.answer import Limits
from cpmines.inference.integers import binomial, times

__all__ = ["binomials", "correlate", "product", "product_tree", "spread_down"]

Coefficients = list[int]

SHORT = 12
"""Shorter factors are multiplied term by term."""

COPIES = 4
"""So many numbers as large as the product stand in memory while it is computed."""

STRIDE = 64
"""Binomials between two looks at the clock."""


def product(a: Sequence[int], b: Sequence[int], limits: Limits) -> Coefficients:
    """The product; by Kronecker substitution, one multiplication of large integers, if both are long."""
    if min(len(a), len(b)) > SHORT:
        return _by_substitution(a, b, limits)
    if len(a) < len(b):
        a, b = b, a
    result = [0] * (len(a) + len(b) - 1)
    for j, y in enumerate(b):
        if y:
            limits.check()
            for i, x in enumerate(a, j):
                result[i] += x * y
    return result


def _by_substitution(a: Sequence[int], b: Sequence[int], limits: Limits) -> Coefficients:
    bits = max(a).bit_length() + max(b).bit_length() + min(len(a), len(b)).bit_length()
    width = bits // 8 + 1
    count = len(a) + len(b) - 1
    limits.require(COPIES * width * count, "a product of polynomials")
    packed = times(_pack(a, width), _pack(b, width), limits).to_bytes(width * count, "little")
    return [int.from_bytes(packed[k : k + width], "little") for k in range(0, width * count, width)]


def _pack(a: Sequence[int], width: int) -> int:
    return int.from_bytes(b"".join(x.to_bytes(width, "little") for x in a), "little")


def correlate(weights: Sequence[int], a: Sequence[int], count: int, limits: Limits) -> Coefficients:
    """``result[i] = sum of a[j] * weights[i + j]`` for i < count; needs ``count + len(a) - 1`` weights."""
    return product(a[::-1], weights, limits)[len(a) - 1 : len(a) - 1 + count]


def binomials(n: int, first: int, count: int, limits: Limits) -> Coefficients:
    """``C(n, first), ..., C(n, first + count - 1)``, 0 outside of 0 to n."""
    result = [0] * count
    start, stop = max(first, 0), min(first + count, n + 1)
    if start < stop:
        limits.require((stop - start) * n // 8, f"a row of binomial coefficients of {n}")
        value = binomial(n, start, limits)
        for k in range(start, stop):
            if k % STRIDE == 0:
                limits.check()
            result[k - first] = value
            value = value * (n - k) // (k + 1)
    return result


def product_tree(factors: Sequence[Coefficients], limits: Limits) -> list[list[Coefficients]]:
    """The factors, the products of two neighbours, and so on up to the product of all."""
    levels = [list(factors) or [[1]]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        above = [product(a, b, limits) for a, b in zip(below[::2], below[1::2], strict=False)]
        levels.append(above + below[2 * len(above) :])
    return levels


def spread_down(
    levels: list[list[Coefficients]], weights: Coefficients, limits: Limits
) -> list[Coefficients]:
    """For each factor, what each of its coefficients is worth in a weighted sum over the product of all.

    The weighted sum is linear in the coefficients of a factor; what is returned are its derivatives.

    Parameters
    ----------
    levels
        From `product_tree`.
    weights
        For each coefficient of the product of all.
    """
    current = [weights]
    for level in reversed(levels[:-1]):
        below = []
        for k, factor in enumerate(level):
            above = current[k // 2]
            other = level[k ^ 1] if k ^ 1 < len(level) else [1]
            below.append(correlate(above, other, len(factor), limits))
        current = below
    return current
