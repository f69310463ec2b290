"""The circuit of a network: counts by ones and derivatives, against exhaustive search; limits."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from cpmines.answer import Limits
from cpmines.errors import LimitError
from cpmines.inference import elimination
from cpmines.inference.elimination import compile_circuit
from cpmines.inference.exact import infer
from cpmines.inference.network import Network
from cpmines.inference.polynomial import product_tree
from cpmines.inference.reduction import reduce
from cpmines.inference.valuation import Valuation, combine, exact_leaves, exact_roots, moduli, primes
from cpmines.positions import generate as positions
from tests.effort import some
from tests.inference.networks import random_network, solutions

LIMITS = Limits()


def by_ones(net: Network, attempt: int) -> dict[int, int]:
    """Solutions by number of ones, from the circuit of the given order of elimination."""
    reduced = reduce(net, LIMITS)
    builder = None if reduced is None else elimination._attempt(reduced, attempt, 1 << 20, LIMITS)
    if reduced is None or builder is None:
        return {}
    circuit = elimination._circuit(reduced, builder)
    rows = exact_roots(Valuation.by_mines(circuit, LIMITS), 60, LIMITS)
    lowest = reduced.decided + sum(low for low, _ in rows)
    everything = product_tree([row for _, row in rows], LIMITS)[-1][0]
    return {ones: count for ones, count in enumerate(everything, lowest) if count}


@pytest.mark.parametrize("attempt", [0, 1, 2])
def test_counts_by_ones_of_random_networks(attempt: int) -> None:
    rng = np.random.default_rng(attempt)
    for _ in range(some(150, 40)):
        net = random_network(rng, int(rng.integers(2, 11)), int(rng.integers(1, 6)), False)
        expected = Counter(int(values.sum()) for values in solutions(net))
        assert by_ones(net, attempt) == dict(sorted(expected.items()))


def test_every_way_to_compute_gives_the_same() -> None:
    """Modulo 2^64, modulo primes, and in floats."""
    position = positions.revealed(np.random.default_rng(1), 20, 20, share=0.3)
    found = infer(position, LIMITS)
    assert found is not None
    assert 20 < found.bits < 63
    assert exact_roots(found.graded, 40, LIMITS) == exact_roots(found.graded, 300, LIMITS)
    seeds = [[[1] for _ in found.circuit.roots]]
    words, residues = (exact_leaves(found.plain, seeds, bits, LIMITS)[0] for bits in (40, 100))
    assert words == residues
    values, _ = found.plain.floats(found.circuit.weights.astype(float))
    slopes = found.plain.slopes(values, seeds[0])
    np.testing.assert_allclose(slopes, np.array(words, float), rtol=1e-12)


def test_scaled_floats_do_not_overflow() -> None:
    position = positions.revealed(np.random.default_rng(1), 60, 60, 0.3, 0.3)
    found = infer(position, LIMITS)
    assert found is not None
    scaled = 2.0**300 * found.circuit.weights.astype(float)
    values, exponents = found.plain.floats(scaled)
    assert np.isfinite(values).all()
    assert exponents.max() > 900


@pytest.mark.parametrize("density", [Fraction(1, 10**60), 1 - Fraction(1, 10**15)])
def test_extreme_densities(density: Fraction) -> None:
    """Where floats would lose what matters, exact ratios are computed instead."""
    position = positions.revealed(np.random.default_rng(2), 12, 12, 0.3, 0.3)
    found = infer(position, LIMITS, density=density)
    assert found is not None
    np.testing.assert_allclose(found.probability, found.rounded, rtol=1e-12, atol=0)


def test_primes_and_remainders() -> None:
    found = primes()[:40]
    assert found == sorted(set(found), reverse=True)
    assert all(pow(2, p - 1, p) == 1 and 1 << 30 < p < 1 << 31 for p in found)
    assert moduli(63) == [0]
    numbers = [0, 1, 7**150, (1 << 500) - 1]
    modulo = moduli(500)
    assert combine([[x % p for x in numbers] for p in modulo], modulo, LIMITS) == numbers


def test_work_doubles_with_each_order_of_elimination(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elimination, "FIRST_WORK", 100)
    monkeypatch.setattr(elimination, "WORK_PER_VARIABLE", 0)
    position = positions.revealed(np.random.default_rng(1), 20, 20, share=0.3)
    found = infer(position, LIMITS)
    assert found is not None
    with pytest.raises(LimitError, match="more than 200 pairs"):
        compile_circuit(found.reduced, LIMITS, attempts=2)


def test_limits_hold() -> None:
    position = positions.revealed(np.random.default_rng(1), 60, 60, share=0.3)
    found = infer(position, LIMITS)
    assert found is not None
    for limits in (Limits(memory=1 << 12), Limits(memory=1 << 17), Limits(seconds=1e-6).begin()):
        with pytest.raises(LimitError):
            compile_circuit(found.reduced, limits)
