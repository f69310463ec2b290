"""The search against exhaustive search, on networks of boards and on sums of any kind."""

from __future__ import annotations

import numpy as np
import pytest

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.inference import search as shell
from cpmines.inference.network import Network
from cpmines.inference.search import search
from cpmines.positions import generate as positions
from tests.effort import some
from tests.inference.networks import network, network_of, random_network, satisfies, solutions

NO_LIMITS = Limits()


def zeros(network: Network) -> np.ndarray:
    return np.zeros(len(network.cells), np.int8)


def test_decides_random_sums() -> None:
    rng = np.random.default_rng(1)
    satisfied, count = 0, some(1500, 300)
    for _ in range(count):
        sums = random_network(rng, int(rng.integers(1, 11)), int(rng.integers(1, 9)))
        phase = rng.integers(0, 2, len(sums.cells)).astype(np.int8)
        found = search(sums, NO_LIMITS, phase)
        assert (found is not None) == bool(solutions(sums))
        if found is not None:
            assert satisfies(sums, found)
            satisfied += 1
    assert 0.27 * count < satisfied < 0.8 * count


def test_finds_other_values_or_none() -> None:
    rng = np.random.default_rng(6)
    others, count = 0, some(1500, 300)
    for _ in range(count):
        sums = random_network(rng, int(rng.integers(2, 11)), int(rng.integers(1, 9)))
        phase = rng.integers(0, 2, len(sums.cells)).astype(np.int8)
        found = search(sums, NO_LIMITS, phase)
        if found is None or not np.array_equal(found, found[sums.classes(NO_LIMITS)]):
            continue
        other = search(sums, NO_LIMITS, found, found)
        assert (other is None) == (len(solutions(sums)) == 1)
        if other is not None:
            assert satisfies(sums, other)
            assert not np.array_equal(other, found)
            others += 1
    assert others > count / 30


@pytest.mark.parametrize("entries", [0, 1 << 16])
@pytest.mark.parametrize("unit", [1, 64])
@pytest.mark.parametrize("density", [0.2, 0.35])
def test_decides_boards_whatever_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, entries: int, unit: int, density: float
) -> None:
    monkeypatch.setattr(shell, "FIRST_ENTRIES", entries)
    monkeypatch.setattr(shell, "RESTART_UNIT", unit)
    monkeypatch.setattr(shell, "CELLS_PER_CONFLICT", 1 << 30)
    rng = np.random.default_rng(2)
    outcomes = set()
    for changed in (0, 0, 1, 2, 3):
        sums = network_of(positions.revealed(rng, 45, 45, density, 0.4, changed))
        if sums is None:
            continue
        found = search(sums, NO_LIMITS, zeros(sums))
        assert found is None or satisfies(sums, found)
        assert found is not None or changed
        outcomes.add(found is None)
    assert False in outcomes


def test_an_odd_ring_is_refuted_and_an_even_one_solved() -> None:
    for rows, cols in ((3, 4), (21, 30), (101, 200)):
        odd = network_of(positions.rings(np.random.default_rng(3), rows, cols + (rows + cols + 1) % 2))
        even = network_of(positions.rings(np.random.default_rng(3), rows, cols + (rows + cols) % 2))
        assert odd is not None
        assert even is not None
        assert search(odd, NO_LIMITS, zeros(odd)) is None
        assert search(even, NO_LIMITS, zeros(even)) is not None


def test_sums_out_of_reach_are_refuted() -> None:
    for least, most in ((3, 5), (-2, -1), (2, 1)):
        assert (
            search(network(2, [[0, 1]], np.array([least]), np.array([most])), NO_LIMITS, np.zeros(2, np.int8))
            is None
        )


def test_values_do_not_increase_along_a_class() -> None:
    sums = network(5, [[0, 1, 2, 3], [4, 3]], np.array([2, 1]), np.array([2, 1]))
    for phase in np.ndindex(*[2] * 5):
        found = search(sums, NO_LIMITS, np.array(phase, np.int8))
        assert found is not None
        assert found[0] >= found[1] >= found[2]


def test_phase_is_kept_where_it_holds() -> None:
    sums = network(4, [[0, 1], [2, 3]], np.array([0, 0]), np.array([2, 2]))
    assert search(sums, NO_LIMITS, np.ones(4, np.int8)).tolist() == [1, 1, 1, 1]  # type: ignore[union-attr]
    assert search(sums, NO_LIMITS, np.zeros(4, np.int8)).tolist() == [0, 0, 0, 0]  # type: ignore[union-attr]


def pigeons(holes: int) -> Network:
    """One more pigeon than holes, none shared: what is learnt grows exponentially."""
    place = np.arange((holes + 1) * holes).reshape(holes + 1, holes)
    members = [*place.tolist(), *place.T.tolist()]
    least = np.array([1] * (holes + 1) + [0] * holes)
    return network(place.size, members, least, np.ones(len(members)))


def test_a_hard_refutation() -> None:
    few = pigeons(6)
    assert search(few, NO_LIMITS, zeros(few)) is None


def test_time_limit_holds() -> None:
    many = pigeons(14)
    with pytest.raises(LimitError) as caught:
        search(many, Limits(seconds=0.3).begin(), zeros(many))
    assert caught.value.stop == Stop.TIME_LIMIT


def test_memory_limit_holds() -> None:
    many = pigeons(14)
    with pytest.raises(LimitError, match="the learnt clauses need") as caught:
        search(many, Limits(memory=300_000, seconds=60).begin(), zeros(many))
    assert caught.value.stop == Stop.MEMORY_LIMIT


def test_same_input_same_values() -> None:
    sums = network_of(positions.revealed(np.random.default_rng(4), 60, 60, share=0.4))
    assert sums is not None
    first = search(sums, NO_LIMITS, zeros(sums))
    assert np.array_equal(first, search(sums, NO_LIMITS, zeros(sums)))
