"""Arguments on small sets of clues."""

from __future__ import annotations

from cpmines.clues import Clue
from cpmines.explain.argument import ByCases, ByChain, ByCounting, Split, argue, chain, counting, settles

TRIANGLE = [Clue(place, 1, cells, 1) for place, cells in enumerate([(1, 2), (2, 3), (1, 3)])]
"""One mine in each pair of three cells: each counting allows it, parity does not."""


def test_a_triangle_needs_both_values_of_a_cell() -> None:
    assert chain(TRIANGLE) == ByCases()
    found = argue(TRIANGLE, {})
    assert isinstance(found, Split)
    assert (found.cell, len(found.if_mine.links), len(found.if_safe.links)) == (1, 2, 2)


def test_a_tight_counting_is_no_contradiction_and_decides_cells() -> None:
    clues = [Clue(0, 2, (1, 2, 3), 2), Clue(1, 1, (1, 2, 4), 1)]
    tight = counting(clues, (True, False))
    assert (tight.needed, tight.given, tight.room, tight.beside) == (2, 1, 1, (3,))
    assert not settles(tight, {})
    assert settles(tight, {3: True, 4: False})
    assert not settles(tight, {3: False})
    assert not settles(tight, {1: True})
    assert settles(counting([clues[0], Clue(1, 0, (1, 2, 4), 0)], (True, False)), {})


def test_a_chain_ends_in_a_clue_or_a_counting() -> None:
    first = Clue(0, 0, (1, 2), 0)
    ended = chain([first, Clue(1, 3, (1, 2, 3), 3)])
    assert isinstance(ended, ByChain)
    assert (len(ended.links), ended.end) == (1, Clue(1, 3, (3,), 3))
    counted = chain([first, Clue(1, 1, (1, 3, 4), 1), Clue(2, 2, (2, 3, 4, 5), 3)])
    assert isinstance(counted, ByChain)
    assert isinstance(counted.end, ByCounting | Clue)


def test_many_clues_are_coloured_and_climbed() -> None:
    pairs = [Clue(k, 1, (2 * k, 2 * k + 1), 1) for k in range(20)]
    total = Clue(-1, 19, tuple(range(40)), 19)
    found = argue([*pairs, total], {})
    assert isinstance(found, ByCounting)
    assert found.needed - found.given > found.room
    assert {len(found.more), len(found.less)} == {1, 20}
