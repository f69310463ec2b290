"""Single placements: all of them, and random ones, each as often as it should come."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from cpmines import solve
from cpmines.answer import Limits
from cpmines.board import Position
from cpmines.inference.enumeration import enumerate_placements
from cpmines.inference.exact import Inference, infer
from cpmines.inference.layouts import Sampler, coins, first_placement
from cpmines.inference.valuation import PrecisionError
from cpmines.positions import generate as positions
from cpmines.positions.exhaustive import placements
from tests.effort import some

LIMITS = Limits()


def inferred(position: Position, density: Fraction | None = None) -> Inference:
    found = infer(position, LIMITS, density=density)
    assert found is not None
    return found


def keys(layouts: object) -> list[frozenset[tuple[int, int]]]:
    return [frozenset(map(tuple, np.argwhere(mines).tolist())) for mines in layouts]  # type: ignore[attr-defined]


def test_all_placements_once_and_no_others() -> None:
    rng = np.random.default_rng(0)
    for _ in range(some(400, 120)):
        position = positions.tiny(rng, 10)
        expected = set(map(frozenset, placements(position, LIMITS)))
        found = infer(position, LIMITS)
        if found is None:
            assert not expected
            continue
        listed = keys(enumerate_placements(found))
        assert len(listed) == len(expected)
        assert set(listed) == expected
        assert keys([first_placement(found)])[0] in expected
        assert set(keys(Sampler.of(found)(3, 1))) <= expected


POSITIONS = {
    "free": Position.parse("3 4\n.1..\n.2..\n....\n"),
    "total": Position.parse("3 5 4\n.1...\n...2.\n....1\n"),
    "tied": Position.parse("1 8\n.1.1....\n"),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_samples_are_uniform(name: str) -> None:
    """Chi-square: the sum of n squares of about normal numbers lies near n."""
    position = POSITIONS[name]
    every = list(map(frozenset, placements(position, LIMITS)))
    drawn = 40 * len(every)
    seen = Counter(keys(Sampler.of(inferred(position))(drawn, 5)))
    assert set(seen) <= set(every)
    square = sum((seen[mines] - 40) ** 2 / 40 for mines in every)
    degrees = len(every) - 1
    assert abs(square - degrees) < 5 * (2 * degrees) ** 0.5 + 1


def test_samples_at_a_density() -> None:
    position = Position.parse("2 3\n.1.\n...\n")
    density = Fraction(1, 5)
    found = inferred(position, density)
    drawn = np.mean(list(Sampler.of(found)(20_000, 3)), axis=0)
    np.testing.assert_allclose(drawn, found.probability, atol=0.015)


@pytest.mark.parametrize(("clue", "density"), [(3, None), (1, Fraction(1, 100))])
def test_samples_of_a_component_whose_values_are_scaled(clue: int, density: Fraction | None) -> None:
    """So many clues in a row that the numbers of placements are too large, or their weights too small."""
    clues = f".{clue}" * 60 + "."
    found = inferred(Position.parse(f"3 121\n{'.' * 121}\n{clues}\n{'.' * 121}\n"), density)
    assert found.plain.floats(found.leaf_weights)[1].any()
    drawn = np.mean(list(Sampler.of(found)(2000, 3)), axis=0)
    sigma = np.sqrt(found.probability * (1 - found.probability) / 2000)
    assert (np.abs(drawn - found.probability) <= 6 * sigma).all()


TINY = Fraction(1, 10**300)


@pytest.mark.parametrize("density", [TINY, TINY**2, 1 - TINY, Fraction(1, 10**9)])
def test_samples_beyond_floats(density: Fraction) -> None:
    """Placements with a mine more are never seen, those with as few, or as many, as there can be alike."""
    position = Position.parse("4 5\n..2..\n.....\n..2..\n.....\n")
    every = list(map(frozenset, placements(position, LIMITS)))
    extreme = (max if density > Fraction(1, 2) else min)(map(len, every))
    alike = [mines for mines in every if len(mines) == extreme]
    assert 1 < len(alike) < len(every)
    drawn = 60 * len(alike)
    seen = Counter(keys(Sampler.of(inferred(position, density))(drawn, 5)))
    assert set(seen) == set(alike)
    square = sum((seen[mines] - 60) ** 2 / 60 for mines in alike)
    degrees = len(alike) - 1
    assert abs(square - degrees) < 5 * (2 * degrees) ** 0.5 + 1


@pytest.mark.parametrize("density", [Fraction(1, 3), Fraction(4, 5)])
def test_numbers_of_mines_that_are_drawn_first(monkeypatch: pytest.MonkeyPatch, density: Fraction) -> None:
    """The way that is for densities beyond floats, at one where it can be seen to be right."""
    position = Position.parse("3 7\n...1...\n.2...1.\n...1...\n")
    found = inferred(position, density)
    plain = found.plain.floats(found.leaf_weights)
    assert Sampler.of(found).passed is None
    monkeypatch.setattr(Inference, "leaf_weights", property(too_far_apart))
    sampler = Sampler.of(found)
    assert (sampler.passed is not None, len(plain)) == (True, 2)
    every = list(map(frozenset, placements(position, LIMITS)))
    weights = [density ** len(mines) * (1 - density) ** (21 - len(mines)) for mines in every]
    seen, drawn = Counter(keys(sampler(20_000, 5))), 20_000
    assert set(seen) <= set(every)
    by_mines = Counter[int]()
    for mines, weight in zip(every, weights, strict=True):
        by_mines[len(mines)] += weight / sum(weights)  # type: ignore[assignment]
    for number, share in by_mines.items():
        came = sum(count for mines, count in seen.items() if len(mines) == number)
        sigma = (drawn * float(share) * (1 - float(share))) ** 0.5
        assert abs(came - drawn * float(share)) <= 6 * sigma + 1


def too_far_apart(_: object) -> None:
    raise PrecisionError


def test_what_can_not_be_drawn_is_said_before_the_first_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Inference, "leaf_weights", property(too_far_apart))
    found = solve("counting", "1 3\n.1.\n", sample=3)
    assert (found.status, found.value) == ("unknown", None)
    assert "too far apart" in found.answer.note


def test_coins_are_exact() -> None:
    """Also for chances between two floats, and below all that a float can draw."""
    rng = random.Random(1)
    ulp = 2.0**-53
    draws = np.array([0.0, ulp, 0.5 - ulp, 0.5, 1 - ulp])
    for chance in (Fraction(1, 2), Fraction(1, 2**53), 1 - Fraction(1, 2**53)):
        assert coins(draws, chance, rng).tolist() == [x < chance for x in draws]
    third = Fraction(1, 2) + Fraction(1, 3 * 2**53)
    fallen = [coins(draws, third, rng).tolist() for _ in range(600)]
    assert {(*one[:3], one[4]) for one in fallen} == {(True, True, True, False)}
    assert 150 < sum(one[3] for one in fallen) < 250
    assert not any(coins(np.zeros(1000), TINY, rng))
    assert all(coins(np.full(1000, 1 - ulp), 1 - TINY, rng))


def test_the_same_seed_draws_the_same() -> None:
    found = inferred(POSITIONS["total"])
    assert keys(Sampler.of(found)(20, 9)) == keys(Sampler.of(found)(20, 9))
    assert keys(Sampler.of(found)(20, 9)) != keys(Sampler.of(found)(20, 10))


def test_the_first_of_very_many_come_at_once() -> None:
    position = positions.revealed(np.random.default_rng(2), 40, 40, share=0.3, total=True)
    found = inferred(position)
    layouts = list(islice(enumerate_placements(found), 50))
    assert len(set(keys(layouts))) == 50
    assert all(int(mines.sum()) == position.mines for mines in layouts)
