"""Limits inside the long steps of reduction, elimination and circuits: one step never outlasts them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.inference import elimination, reduction
from cpmines.inference.kernels import circuit as kernels
from cpmines.inference.kernels import nest
from cpmines.inference.network import Network
from cpmines.kernels.pulse import Pulse
from cpmines.kernels.sorting import order_of
from cpmines.positions import generate as positions
from tests.inference.networks import network_of

LIMITS = Limits()
STEPS = 4096
"""Of `Pulse`: steps between two looks."""
LONG = STEPS + 2


def expire() -> None:
    raise LimitError(Stop.TIME_LIMIT)


def large() -> Network:
    found = network_of(positions.revealed(np.random.default_rng(3), 120, 120, 0.35, 0.35))
    assert found is not None
    return found


def product_of(length: int) -> kernels.Nodes:
    """Two leaves, polynomials as long, and a node that is their product: a single pair."""
    return kernels.Nodes(
        row_starts=np.array([0, 1, 2, 3]),
        parents=np.array([2, 2, -1], np.int32),
        pair_starts=np.array([0, 0, 0, 1]),
        left=np.array([0], np.int32),
        right=np.array([1], np.int32),
        low=np.zeros(3, np.int64),
        offset=np.array([0, length, length + 1, 2 * length + 1]),
    )


def numbers(length: int) -> np.ndarray:
    return np.ones(2 * length + 1)


def words(length: int) -> np.ndarray:
    return np.ones(2 * length + 1, np.uint64)


Step = Callable[[int, Pulse], None]
POLYNOMIALS: dict[str, Step] = {
    "evaluate": lambda n, pulse: kernels.evaluate(
        product_of(n), 2, 3, numbers(n), np.zeros(3, np.int64), False, pulse
    ),
    "differentiate": lambda n, pulse: kernels.differentiate(
        product_of(n), 2, 3, numbers(n), numbers(n), False, pulse
    ),
    "evaluate_modulo": lambda n, pulse: kernels.evaluate_modulo(product_of(n), 2, 3, words(n), 7, pulse),
    "differentiate_modulo": lambda n, pulse: kernels.differentiate_modulo(
        product_of(n), 2, 3, words(n), words(n), 7, pulse
    ),
    "descend": lambda n, pulse: kernels.descend(
        product_of(n),
        2,
        np.arange(3, dtype=np.int32),
        numbers(n),
        np.full(3, 0.999999),
        np.full(3, 2, np.int32),
        np.full(3, n - 1),
        pulse,
    ),
}


@pytest.mark.parametrize("step", POLYNOMIALS.values(), ids=POLYNOMIALS)
def test_a_product_of_long_polynomials_ends_in_time(step: Step) -> None:
    step(8, Pulse(expire))
    with pytest.raises(LimitError):
        step(LONG, Pulse(expire))


def test_the_index_of_many_sums_ends_in_time() -> None:
    reducer = reduction._begin(large())
    assert STEPS / 2 < len(reducer.need) < STEPS  # twice through all sums
    with pytest.raises(LimitError):
        nest.TermIndex(reducer, Pulse(expire))


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 31, 33, 1000, LONG])
def test_keys_are_in_stable_order(count: int) -> None:
    found = np.random.default_rng(count).integers(0, max(1, count // 3), count).astype(np.uint64)
    found[: count // 5] += np.uint64(1) << np.uint64(63)  # keys have no sign
    order, spare = np.empty(count, np.int64), np.empty(count, np.int64)
    order_of(found, order, spare, Pulse(LIMITS.check))
    np.testing.assert_array_equal(order, np.argsort(found, kind="stable"))


def test_sorting_ends_in_time() -> None:
    count = 4 * LONG  # a look at every 16th key
    found, order = np.zeros(count, np.uint64), np.empty(count, np.int64)
    with pytest.raises(LimitError):
        order_of(found, order, order.copy(), Pulse(expire))


def test_arrays_grow_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elimination, "COPIED", 4)
    for count in (0, 3, 4, 9):
        found = elimination._resized(np.arange(count), 20, LIMITS)
        assert len(found) == 20
        assert found[:count].tolist() == list(range(count))
    with pytest.raises(LimitError):
        elimination._resized(np.arange(9), 20, Limits(seconds=1e-9).begin())
