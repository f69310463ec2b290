"""What kernels share: sorting, and constants that stand in C as well as in Python."""

from __future__ import annotations

import numpy as np
import pytest

from cpmines.answer import Limits
from cpmines.kernels.pulse import Pulse
from cpmines.kernels.sorting import ascending, ascending_by, order_of
from cpmines.problems.maxmines import digits, steps
from cpmines.problems.maxmines.kernels import frontier, strips

SIZES = (*range(40), 1000, 70_000)


@pytest.mark.parametrize("largest", [3, 1 << 60])
def test_the_order_of_keys_is_stable(largest: int) -> None:
    rng = np.random.default_rng(1)
    for size in SIZES:
        keys = rng.integers(0, largest, size).astype(np.uint64)
        order, spare = np.empty((2, size), np.int64)
        order_of(keys, order, spare, Pulse(Limits().check))
        assert np.array_equal(order, np.argsort(keys, kind="stable"))


def test_values_are_sorted_in_place() -> None:
    rng = np.random.default_rng(2)
    for size in SIZES:
        values = rng.integers(-9, 9, size).astype(np.int32)
        expected = np.sort(values)
        ascending(values)
        assert np.array_equal(values, expected)


def test_values_go_with_their_keys() -> None:
    rng = np.random.default_rng(3)
    for size in SIZES:
        keys, values = rng.permutation(size).astype(np.int64), rng.integers(0, 99, size).astype(np.int32)
        expected = values[np.argsort(keys)]
        ascending_by(keys, values)
        assert np.array_equal(keys, np.arange(size))
        assert np.array_equal(values, expected)


def test_codes_of_the_frontier_are_the_same_in_c() -> None:
    names = ("BITS", "NEEDS", "CONTENT")
    assert [getattr(frontier, name) for name in names] == [getattr(steps, name) for name in names]
    assert (1 << steps.BITS) - 1 == frontier.CODE
    assert [strips.DIGITS, strips.CHUNK] == [digits.DIGITS, digits.CHUNK]
