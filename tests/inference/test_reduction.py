"""Preprocessing: every step keeps the solutions, against exhaustive search."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.inference import reduction
from cpmines.inference.kernels import nest as nesting
from cpmines.inference.kernels import reduce as kernels
from cpmines.inference.network import Network
from cpmines.inference.reduction import Reduced, reduce
from cpmines.kernels.pulse import Pulse
from cpmines.positions import generate as positions
from tests.effort import some
from tests.inference.networks import network, network_of, random_network, solutions

LIMITS = Limits()


def allowed(reducer: kernels.Reducer) -> set[tuple[int, ...]]:
    """Values of all cells that satisfy the ties and the terms of a reducer."""
    if reducer.counters[kernels.BROKEN] >= 0:
        return set()
    cells = len(reducer.parent) - 1
    found = set()
    for values in product((0, 1), repeat=cells):
        zero = (*values, 0)
        tied = all(zero[c] == zero[reducer.parent[c]] ^ reducer.flipped[c] for c in range(cells + 1))
        if tied and all(total(reducer, s, zero) == reducer.need[s] for s in range(len(reducer.need))):
            found.add(values)
    return found


def total(reducer: kernels.Reducer, s: int, values: tuple[int, ...]) -> int:
    places = range(reducer.starts[s], reducer.starts[s] + reducer.lengths[s])
    terms = [(int(reducer.coefficients[k]), values[reducer.cells[k]]) for k in places]
    return sum(size * value if size > 0 else -size * (1 - value) for size, value in terms)


def small_networks(count: int) -> list[Network]:
    rng = np.random.default_rng(3)
    found = [
        random_network(rng, int(rng.integers(2, 9)), int(rng.integers(1, 6)), False) for _ in range(count)
    ]
    while len(found) < 2 * count:
        drawn = network_of(positions.tiny(rng, 9))
        found += [] if drawn is None else [drawn]
    return found


@pytest.mark.parametrize("step", ["settle", "nest"])
def test_each_step_keeps_the_solutions(step: str) -> None:
    helped, count = 0, some(150, 50)
    for net in small_networks(count):
        reducer = reduction._begin(net)
        before = {tuple(values.tolist()) for values in solutions(net)}
        if step == "settle":
            kernels.settle(reducer, Pulse(LIMITS.check))
        else:
            helped += nesting.nest(reducer, 0, len(net.most), Pulse(LIMITS.check))
        assert allowed(reducer) == before
        kernels.settle(reducer, Pulse(LIMITS.check))
        assert allowed(reducer) == before
    assert step == "settle" or helped > count / 5


def expanded(reduced: Reduced) -> set[tuple[int, ...]]:
    """Values of the cells of all solutions of a reduced network, by trying all values of groups."""
    groups = [(v, g) for v, size in enumerate(reduced.sizes.tolist()) for g in range(size)]
    owners = np.repeat(np.arange(len(reduced.sizes)), np.diff(reduced.starts))
    found = set()
    for holding in product((0, 1), repeat=len(groups)):
        value = np.zeros(len(reduced.sizes), int)
        for (v, _), holds in zip(groups, holding, strict=True):
            value[v] += holds
        part = np.where(reduced.coefficients > 0, value[owners], reduced.sizes[owners] - value[owners])
        sums = np.bincount(reduced.sums, np.abs(reduced.coefficients) * part, len(reduced.need))
        if (sums == reduced.need).all():
            by_group = dict(zip(groups, holding, strict=True))
            cells = zip(
                reduced.variable.tolist(), reduced.group.tolist(), reduced.flipped.tolist(), strict=True
            )
            found.add(tuple(flip if v < 0 else by_group[v, g] ^ flip for v, g, flip in cells))
    return found


def test_reduced_network_has_the_same_solutions() -> None:
    merged, broken, count = 0, 0, some(300, 100)
    for net in small_networks(count):
        reduced = reduce(net, LIMITS)
        every = {tuple(values.tolist()) for values in solutions(net)}
        if reduced is None:
            assert not every
            broken += 1
            continue
        assert expanded(reduced) == every
        ones = np.bincount(reduced.variable[reduced.variable >= 0], minlength=len(reduced.sizes))
        assert (ones == reduced.sizes * (reduced.ones + reduced.zeros)).all()
        merged += bool((reduced.ones + reduced.zeros > 1).any())
    assert merged > count / 6
    assert broken > count / 30


def test_a_ring_of_opposite_cells_is_one_variable() -> None:
    net = network(6, [[k, (k + 1) % 6] for k in range(6)], np.ones(6), np.ones(6))
    reduced = reduce(net, LIMITS)
    assert reduced is not None
    assert (reduced.sizes.tolist(), reduced.ones.tolist(), reduced.zeros.tolist()) == ([1], [3], [3])
    assert len(reduced.need) == 0


def test_an_odd_ring_is_broken() -> None:
    net = network(5, [[k, (k + 1) % 5] for k in range(5)], np.ones(5), np.ones(5))
    assert reduce(net, LIMITS) is None


def test_a_sum_within_another_is_taken_off() -> None:
    net = network(4, [[0, 1, 2], [0, 1, 2, 3]], np.array([1, 2]), np.array([1, 2]))
    reduced = reduce(net, LIMITS)
    assert reduced is not None
    assert reduced.variable.tolist() == [0, 0, 0, -1]
    assert reduced.flipped[3] == 1
    assert reduced.sizes.tolist() == [3]


def test_memory_is_asked_for_first() -> None:
    with pytest.raises(LimitError):
        reduce(small_networks(1)[0], Limits(memory=10))


def expire() -> None:
    raise LimitError(Stop.TIME_LIMIT)


def overlapping(length: int) -> kernels.Reducer:
    """Two sums of so many terms that have half of them in common."""
    half = length // 2
    rows = [list(range(length)), list(range(half, half + length))]
    need = np.array([half, half])
    return reduction._begin(network(half + length, rows, need, need))


@pytest.mark.parametrize("step", ["settle", "nest"])
def test_a_few_long_sums_end_in_time(step: str) -> None:
    def run(length: int) -> None:
        reducer, pulse = overlapping(length), Pulse(expire)
        if step == "settle":
            kernels.settle(reducer, pulse)
        else:
            nesting.nest(reducer, 0, 2, pulse)

    run(60)
    with pytest.raises(LimitError):
        run(1000)
