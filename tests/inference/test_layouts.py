"""Single placements: all of them, and random ones, each as often as it should come."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from cpmines.answer import Limits
from cpmines.board import Position
from cpmines.inference.enumeration import enumerate_placements
from cpmines.inference.exact import Inference, infer
from cpmines.inference.layouts import Sampler, first_placement
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
