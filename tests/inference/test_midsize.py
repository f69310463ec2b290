"""Mid-size boards by `direct`, a slow twin and a #SAT counter: 2,000 with ``--slow``, a few without."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from tests.effort import some
from tests.inference.midsize import MOST_WITH_TOTAL, board, by_ganak, differences
from tests.inference.twin import TooWideError, clues_of, found_by_twin

BOARDS = some(2800, 6)
"""About a quarter of them is beyond the twin, and passed over."""
PER_TEST = 100
PARTS = [range(k, min(k + PER_TEST, BOARDS)) for k in range(0, BOARDS, PER_TEST)]


def test_the_twin_on_boards_that_are_counted_by_hand() -> None:
    found = found_by_twin(["..", "1."], None)
    assert found is not None
    assert (found.count, set(found.chances.values())) == (3, {Fraction(1, 3)})
    found = found_by_twin(["1..", "..."], 2)
    assert found is not None
    assert (found.by_mines, found.chances[0, 1], found.chances[1, 2]) == (
        {2: 6},
        Fraction(1, 3),
        Fraction(1, 2),
    )
    assert found_by_twin(["2."], None) is None
    assert found_by_twin(["1."], 0) is None
    found = found_by_twin(["*1"], None)
    assert found is not None
    assert found.by_mines == {1: 1}


@pytest.mark.parametrize("seeds", PARTS, ids=lambda seeds: f"from {seeds[0]}")
def test_direct_agrees_with_the_twin_and_the_counter(seeds: range) -> None:
    pyganak = pytest.importorskip("pyganak")
    assert pyganak
    for seed in seeds:
        rows, total = board(Random(seed))
        small = len(clues_of(rows).unknown) <= MOST_WITH_TOTAL
        counted = total if small else None
        try:
            found = found_by_twin(rows, total)
            other = found if counted == total else found_by_twin(rows, None)
        except TooWideError:
            continue
        assert not differences(rows, total, found), seed
        assert by_ganak(rows, counted) == (0 if other is None else other.count), seed
