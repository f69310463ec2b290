"""The spectrum of a component against all of its solutions."""

from __future__ import annotations

import numpy as np
import pytest

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.inference import spectrum as module
from cpmines.inference.spectrum import spectrum
from cpmines.positions import generate as positions
from tests.effort import some
from tests.inference.networks import network_of, satisfies, solutions


def test_numbers_of_ones_are_those_of_all_solutions() -> None:
    rng = np.random.default_rng(1)
    seen, count = 0, some(600, 200)
    for _ in range(count):
        position = positions.tiny(rng)
        network = network_of(position)
        if network is None:
            continue
        for component in range(network.components):
            part = network.part(component, component + 1)
            found = spectrum(part, Limits())
            expected = {int(values.sum()) for values in solutions(part)}
            assert {k for k in range(len(part.cells) + 1) if found.counts >> k & 1} == expected
            for ones in expected:
                values = found.solution(ones)
                assert satisfies(part, values)
                assert values.sum() == ones
            seen += 1
    assert seen > count / 4


def test_components_of_a_game() -> None:
    rng = np.random.default_rng(2)
    network = network_of(positions.game(rng, share=0.4))
    assert network is not None
    for component in range(network.components):
        part = network.part(component, component + 1)
        found = spectrum(part, Limits())
        for ones in range(len(part.cells) + 1):
            if found.counts >> ones & 1:
                assert satisfies(part, found.solution(ones))


def test_limits_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    network = network_of(positions.revealed(rng, 30, 30, share=0.3))
    assert network is not None
    sizes = np.diff(network.cell_ends)
    largest = network.part(int(sizes.argmax()), int(sizes.argmax()) + 1)
    with pytest.raises(LimitError, match="the states of a component need"):
        spectrum(largest, Limits(memory=10_000))
    with pytest.raises(LimitError) as caught:
        spectrum(largest, Limits(seconds=1e-9).begin())
    assert caught.value.stop == Stop.TIME_LIMIT
    monkeypatch.setattr(module, "MOST_STATES", 100)
    with pytest.raises(LimitError, match="more than 100 states"):
        spectrum(largest, Limits())
