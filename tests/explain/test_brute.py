"""Explanations against all placements and all sets of clues of small boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from cpmines.board import UNKNOWN, Position
from cpmines.clues import Clue
from cpmines.explain import (
    Certain,
    Contradiction,
    Open,
    Step,
    conflicts,
    explain_cell,
    explain_conflict,
    solve_stepwise,
)
from cpmines.explain.argument import Argument, ByCases, ByChain, ByCounting, Split
from cpmines.positions.generate import tiny
from cpmines.problems.mosaic.generate import tiny as tiny_mosaic
from cpmines.problems.mosaic.problem import GAP
from cpmines.problems.mosaic.problem import Puzzle as Mosaic
from tests.explain.brute import Brute, Filling, Shown

MOST_CLUES = 12


def places(found: Contradiction | Certain | Step) -> frozenset[int]:
    return frozenset(clue.place for clue in found.clues)


def right(board: Shown) -> str:
    """Compare every explanation of the board with the definition; returns what kind of board it is."""
    brute = Brute(board)
    minimal = set(brute.minimal({}))
    first = explain_conflict(board)
    assert (first is None) == (not minimal)
    assert sorted(map(sorted, map(places, conflicts(board)))) == sorted(map(sorted, minimal))
    if first is not None:
        fewest = explain_conflict(board, fewest=True)
        assert fewest is not None
        assert places(first) in minimal
        assert places(fewest) in minimal
        assert fewest.smallest
        smallest = min(map(len, minimal))
        assert len(fewest.clues) == smallest
        assert not first.smallest or len(first.clues) == smallest
        argument_holds(first.argument, first.clues, {})
        return "conflict"
    forced = dict(cells(board, brute))
    steps_are_right(board, brute, forced)
    return "forced" if forced else "open"


def cells(board: Shown, brute: Brute) -> Iterator[tuple[int, bool]]:
    """The forced cells, each checked."""
    everything = frozenset(brute.numbers)
    for cell in brute.unknown:
        mine, safe = (brute.possible(everything, {cell: value}) for value in (True, False))
        found = explain_cell(board, *divmod(cell, board.shape[1]))
        if mine and safe:
            assert isinstance(found, Open)
            assert found.with_mine.flat[cell]
            assert not found.without.flat[cell]
            continue
        assert isinstance(found, Certain)
        assert (found.mine, found.smallest) == (mine, True)
        minimal = list(brute.minimal({cell: not mine}))
        assert places(found) in minimal
        assert len(found.clues) == len(minimal[0])
        argument_holds(found.argument, found.clues, {cell: mine})
        yield cell, mine


def steps_are_right(board: Shown, brute: Brute, forced: Filling) -> None:
    found, known = solve_stepwise(board), Filling()
    for step in found.steps:
        left = {cell: mine for cell, mine in forced.items() if cell not in known}
        fewest = min(len(next(brute.minimal({**known, cell: not mine}))) for cell, mine in left.items())
        assert step.smallest
        assert len(step.clues) == fewest
        chosen = places(step)
        settled = {c: v for c, v in left.items() if not brute.possible(chosen, {**known, c: not v})}
        assert step.known == settled
        argument_holds(step.argument, step.clues, step.known)
        known |= settled
    assert known == forced
    assert sorted(found.open_cells) == [cell for cell in brute.unknown if cell not in forced]


def argument_holds(found: Argument, clues: tuple[Clue, ...], targets: Filling) -> None:
    """Is the argument a proof?"""
    first = dict([next(iter(targets.items()))]) if targets else {}
    left = [clue.given({cell: not mine for cell, mine in first.items()}) for clue in clues]
    if isinstance(found, ByCounting):
        counting_holds(found, clues, targets)
    elif isinstance(found, ByChain):
        chain_holds(found, left)
    elif isinstance(found, Split):
        for mine, chain in ((True, found.if_mine), (False, found.if_safe)):
            chain_holds(chain, [clue.given({found.cell: mine}) for clue in left])
    else:
        assert isinstance(found, ByCases)


def counting_holds(found: ByCounting, clues: list[Clue] | tuple[Clue, ...], targets: Filling) -> None:
    assert Counter(found.more + found.less) == Counter(clues)
    weight = Counter[int]()
    for group, sign in ((found.more, 1), (found.less, -1)):
        for clue in group:
            for cell in clue.cells:
                weight[cell] += sign
    excess = sum(clue.mines for clue in found.more) - sum(clue.mines for clue in found.less)
    assert found.needed - found.given == excess
    assert found.room == sum(times for times in weight.values() if times > 0)
    assert set(found.beside) == {cell for cell, times in weight.items() if times > 0}
    if not targets:
        assert excess > found.room
    else:
        assert excess == found.room
        assert all(weight[cell] > 0 if mine else weight[cell] < 0 for cell, mine in targets.items())


def chain_holds(found: ByChain, clues: list[Clue]) -> None:
    left = {clue.place: clue for clue in clues}
    for link in found.links:
        clue = left.pop(link.clue.place)
        assert link.clue == clue
        assert (link.safe, link.mines) == ((clue.cells, ()) if clue.mines == 0 else ((), clue.cells))
        assert clue.mines in (0, len(clue.cells))
        left = {
            place: other.given(dict.fromkeys(clue.cells, clue.mines > 0)) for place, other in left.items()
        }
    if isinstance(found.end, Clue):
        assert left[found.end.place] == found.end
        assert found.end.broken
    else:
        counting_holds(found.end, [clue for clue in left.values() if clue.cells], {})


def random_board(rng: np.random.Generator) -> Shown:
    while True:
        board: Shown = tiny(rng, 9) if rng.random() < 0.7 else tiny_mosaic(rng)
        clues = board.cells >= 0 if isinstance(board, Position) else board.sums != GAP
        if clues.sum() <= MOST_CLUES and (isinstance(board, Position) or board.sums.size <= 9):
            return board


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))])
def test_random_boards(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = Counter(right(random_board(rng)) for _ in range(60))
    assert min(kinds[kind] for kind in ("conflict", "forced", "open")) >= 5


def test_every_board_of_three_cells_with_every_total() -> None:
    for codes in product((UNKNOWN, 0, 1, 2, -1), repeat=3):
        for mines in (None, 0, 1, 2, 3):
            right(Position(np.array([codes], np.int8), mines))


@pytest.mark.slow
def test_every_board_of_two_by_two() -> None:
    for codes in product((UNKNOWN, 0, 1, 2, 3), repeat=4):
        for mines in (None, 1, 2):
            right(Position(np.array(codes, np.int8).reshape(2, 2), mines))


def test_every_mosaic_of_one_row() -> None:
    for codes in product((GAP, 0, 1, 2, 3), repeat=3):
        right(Mosaic(np.array([codes], np.int8)))


@pytest.mark.slow
def test_every_mosaic_of_two_by_two() -> None:
    for codes in product((GAP, 0, 1, 2, 3, 4), repeat=4):
        right(Mosaic(np.array(codes, np.int8).reshape(2, 2)))
