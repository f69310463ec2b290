"""The total: every way to meet it, and the proof that there is none, against exhaustive search."""

from __future__ import annotations

import numpy as np
import pytest

from cpmines.answer import Limits, Stop
from cpmines.board import Position
from cpmines.errors import LimitError
from cpmines.inference import spectrum, witness
from cpmines.inference.network import Network
from cpmines.inference.propagation import propagate
from cpmines.positions import generate as positions
from tests.effort import some
from tests.inference.networks import network_of, satisfies, solutions


@pytest.mark.parametrize("states", [0, 1 << 20], ids=["search with the total", "spectra"])
def test_every_window_is_decided(monkeypatch: pytest.MonkeyPatch, states: int) -> None:
    monkeypatch.setattr(spectrum, "MOST_STATES", states)
    rng = np.random.default_rng(1)
    met, missed, count = 0, 0, some(600, 150)
    for _ in range(count):
        network = network_of(positions.tiny(rng))
        if network is None or not (every := solutions(network)):
            continue
        few = witness.solve(network, Limits(), np.zeros(len(network.cells), np.int8))
        assert few is not None
        for least in range(-1, len(network.cells) + 1):
            window = range(least, max(least, 0) + int(rng.integers(1, 3)))
            found = witness.meet_total(network, few, window, Limits())
            expected = any(int(values.sum()) in window for values in every)
            assert (found is not None) == expected
            if found is not None:
                assert satisfies(network, found)
                assert found.sum() in window
            met, missed = met + expected, missed + (not expected)
    assert met > count / 3
    assert missed > count / 2


def test_bisection_reaches_totals_between() -> None:
    rng = np.random.default_rng(2)
    network = network_of(positions.revealed(rng, 100, 100, share=0.3))
    assert network is not None
    few = witness.solve(network, Limits(), np.zeros(len(network.cells), np.int8))
    many = witness.solve(network, Limits(), np.ones(len(network.cells), np.int8))
    assert few is not None
    assert many is not None
    least, most = int(few.sum()), int(many.sum())
    assert most - least > 40
    for target in np.linspace(least + 5, most - 5, 7).astype(int).tolist():
        spliced = list(witness.approach(network, few, range(target, target + 4), Limits()))
        assert all(satisfies(network, values) for values in spliced)
        assert min(abs(int(values.sum()) - target) for values in spliced) <= 8


def test_sumset_and_bits() -> None:
    assert list(witness.bits(0b10110)) == [1, 2, 4]
    assert witness.sumset(0b101, 0b110) == 0b11110
    assert witness.sumset(0b101, 0) == 0


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("1 7 1\n.1...1.\n", False),
        ("1 7 2\n.1...1.\n", True),
        ("1 7 3\n.1...1.\n", True),
        ("1 7 4\n.1...1.\n", False),
        ("1 5 1\n.1.1.\n", True),
        ("1 5 2\n.1.1.\n", True),
        ("1 11 2\n.1.1.0.1.1.\n", False),
        ("1 13 3\n.1.1.3.1.1.1.\n", False),
    ],
)
def test_totals_by_hand(text: str, possible: bool) -> None:
    known = propagate(Position.parse(text), Limits())
    decided = known.contradiction() != "" or known.open_clues == 0
    assert not (decided and possible)
    assert decided or (witness.witness(known, Limits()) is not None) == possible


def test_time_limit_is_not_taken_for_a_wide_component(monkeypatch: pytest.MonkeyPatch) -> None:
    network = network_of(positions.revealed(np.random.default_rng(3), 30, 30, share=0.4))
    assert network is not None
    few = witness.solve(network, Limits(), np.zeros(len(network.cells), np.int8))
    assert few is not None

    def late(component: Network, limits: Limits) -> spectrum.Spectrum:
        raise LimitError(Stop.TIME_LIMIT)

    monkeypatch.setattr(witness, "spectrum", late)
    with pytest.raises(LimitError):
        witness.meet_total(network, few, range(1), Limits())
