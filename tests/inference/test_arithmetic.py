"""Polynomials and sets of numbers, against the obvious."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cpmines.answer import Limits
from cpmines.errors import LimitError
from cpmines.inference import integers, sets
from cpmines.inference.integers import binomial, dot, times
from cpmines.inference.polynomial import binomials, correlate, product, product_tree, spread_down

LIMITS = Limits()
OVER = Limits(deadline=0.0)


def convolved(a: list[int], b: list[int]) -> list[int]:
    result = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] += x * y
    return result


def draw(rng: np.random.Generator, length: int) -> list[int]:
    return [int(x) ** int(rng.integers(1, 9)) for x in rng.integers(0, 50, length)]


@pytest.mark.parametrize("lengths", [(1, 1), (1, 40), (5, 30), (13, 13), (40, 25), (200, 14)])
def test_products(lengths: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    a, b = (draw(rng, length) for length in lengths)
    assert product(a, b, LIMITS) == convolved(a, b)
    assert product([0] * len(a), b, LIMITS) == [0] * (len(a) + len(b) - 1)


def test_correlation() -> None:
    rng = np.random.default_rng(1)
    a, weights = draw(rng, 20), draw(rng, 50)
    expected = [sum(a[j] * weights[i + j] for j in range(20)) for i in range(31)]
    assert correlate(weights, a, 31, LIMITS) == expected


def test_binomials() -> None:
    assert binomials(5, -2, 10, LIMITS) == [0, 0, 1, 5, 10, 10, 5, 1, 0, 0]
    assert binomials(300, 100, 3, LIMITS) == [math.comb(300, k) for k in (100, 101, 102)]
    assert binomials(4, 7, 2, LIMITS) == binomials(-1, 0, 2, LIMITS) == [0, 0]


@pytest.mark.parametrize("sizes", [(0, 9), (1, 64), (63, 64), (64, 65), (70, 3000), (400, 500), (3000, 3001)])
def test_products_of_integers(sizes: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """All ways through the recursion: parts of 64 bits are multiplied in one go."""
    monkeypatch.setattr(integers, "LEAF", 64)
    rng = np.random.default_rng(sum(sizes))
    for _ in range(50):
        a, b = (int.from_bytes(rng.bytes(size), "little") >> int(rng.integers(0, 9)) for size in sizes)
        assert times(a, b, LIMITS) == times(b, a, LIMITS) == a * b
    assert times((1 << sizes[0]) - 1, 1 << sizes[1], LIMITS) == (1 << sum(sizes)) - (1 << sizes[1])


def test_binomials_from_primes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert binomial(20_000, 9_999, LIMITS) == math.comb(20_000, 9_999)
    monkeypatch.setattr(integers, "SMALL", 0)
    for n in range(130):
        inside = [math.comb(n, k) for k in range(n + 1)]
        assert [binomial(n, k, LIMITS) for k in range(-1, n + 2)] == [0, *inside, 0]


def test_large_integers_look_at_the_clock() -> None:
    large = 1 << integers.LEAF
    with pytest.raises(LimitError):
        times(large, large, OVER)
    with pytest.raises(LimitError):
        dot([large], [large], OVER)
    with pytest.raises(LimitError):
        binomial(20_000, 9_999, OVER)
    with pytest.raises(LimitError):
        binomials(20_000, 0, 20_000, OVER)


def test_large_products_are_counted_against_memory() -> None:
    small = Limits(memory=1 << 20)
    with pytest.raises(LimitError, match="a product of polynomials needs"):
        product([1 << 5000] * 500, [1 << 5000] * 500, small)
    with pytest.raises(LimitError, match="a row of binomial coefficients of 100000 needs"):
        binomials(100_000, 0, 1000, small)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8])
def test_derivatives_of_a_weighted_product(count: int) -> None:
    rng = np.random.default_rng(count)
    factors = [draw(rng, int(rng.integers(1, 6))) for _ in range(count)]
    levels = product_tree(factors, LIMITS)
    weights = draw(rng, len(levels[-1][0]))
    found = spread_down(levels, weights, LIMITS)[:count]
    for k, factor in enumerate(factors):
        others = product_tree(factors[:k] + factors[k + 1 :], LIMITS)[-1][0]
        for power in range(len(factor)):
            assert found[k][power] == sum(x * weights[power + i] for i, x in enumerate(others))


def test_sets() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        a, b = (set(rng.integers(0, 40, rng.integers(0, 20)).tolist()) for _ in range(2))
        x, y = (sum(1 << k for k in members) for members in (a, b))
        assert list(sets.bits(x)) == sorted(a)
        assert set(sets.bits(sets.sumset(x, y))) == {i + j for i in a for j in b}
        assert set(sets.bits(sets.differences(x, y))) == {i - j for i in a for j in b if i >= j}
    assert sets.between(-3, 2) == 0b111
    assert sets.between(3, 2) == sets.between(-5, -1) == 0
    assert sets.of([0.0, 1.0, 2.0]) == 0b110


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_members_that_lead_to_a_sum(count: int) -> None:
    rng = np.random.default_rng(count)
    for _ in range(50):
        parts = [int(rng.integers(1, 32)) for _ in range(count)]
        wanted = int(rng.integers(0, 1 << 12))
        levels = sets.tree(parts)
        allowed = sets.allowed(levels, wanted)
        for k, part in enumerate(parts):
            others = sets.tree(parts[:k] + parts[k + 1 :])[-1][0]
            expected = {x for x in sets.bits(part) if sets.sumset(1 << x, others) & wanted}
            assert set(sets.bits(allowed[k])) == expected
        for total in sets.bits(levels[-1][0]):
            split = sets.split(levels, total)
            assert sum(split) == total
            assert all(part >> x & 1 for part, x in zip(parts, split, strict=False))
