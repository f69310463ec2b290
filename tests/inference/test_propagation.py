"""Propagation against a plain queue, and the bounds of the total."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.consistency import plain_queue
from cpmines.answer import Limits, Stop
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.errors import LimitError
from cpmines.inference.propagation import propagate
from cpmines.positions import generate as positions
from tests.effort import some

NO_LIMITS = Limits()


def outcome(position: Position) -> tuple[int, int] | None:
    known = propagate(position, NO_LIMITS)
    return None if known.conflict is not None else (known.mines, known.unknowns)


def test_agrees_with_the_plain_queue_on_tiny_boards() -> None:
    rng = np.random.default_rng(1)
    broken, count = 0, some(4000, 800)
    for _ in range(count):
        position = positions.tiny(rng)
        expected = plain_queue(position)
        assert outcome(position) == expected, position
        broken += expected is None
    assert count / 5 < broken < count / 2


@pytest.mark.parametrize("share", [0.1, 0.4, 0.7, 0.95])
@pytest.mark.parametrize("changed", [0, 1])
def test_agrees_with_the_plain_queue_on_larger_boards(share: float, changed: int) -> None:
    rng = np.random.default_rng(2)
    for _ in range(10):
        rows, cols = rng.integers(20, 60, 2)
        position = positions.revealed(rng, rows, cols, 0.15, share, changed)
        assert outcome(position) == plain_queue(position)


def test_what_is_decided_is_so_in_the_board_behind_it() -> None:
    rng = np.random.default_rng(3)
    mines = rng.random((50, 60)) < 0.15
    cells = positions.show(mines, rng.random((50, 60)) < 0.8)
    known = propagate(Position(cells), NO_LIMITS)
    decided = known.cells.reshape(52, 62)[1:-1, 1:-1]
    assert (mines[decided == MINE]).all()
    assert not mines[(decided != MINE) & (decided != UNKNOWN)].any()
    assert (decided == UNKNOWN).sum() == known.unknowns < (cells == UNKNOWN).sum() / 4


def test_clues_left_open_decide_nothing() -> None:
    rng = np.random.default_rng(4)
    known = propagate(positions.revealed(rng, 60, 60, share=0.4), NO_LIMITS)
    clue = (known.cells >= 0) & (known.cells < 9)
    open_ = clue & (known.need + known.spare > 0)
    assert open_.sum() == known.open_clues > 0
    assert (known.need[open_] > 0).all()
    assert (known.spare[open_] > 0).all()


def test_a_chain_is_followed_to_its_end() -> None:
    rng = np.random.default_rng(5)
    known = propagate(positions.chain(rng, 3, 100_000), NO_LIMITS)
    assert (known.unknowns, known.open_clues, known.conflict) == (0, 0, None)
    broken = propagate(positions.chain(rng, 3, 100_000, broken=True), NO_LIMITS)
    assert broken.conflict is not None
    assert broken.conflict[1] >= 99_998


CHAIN = positions.chain(np.random.default_rng(5), 3, 100_000)
ONE_ROW = Position(np.full((1, 3_000_000), UNKNOWN, np.int8))


@pytest.mark.parametrize(("position", "looks"), [(CHAIN, 20), (ONE_ROW, 10)], ids=["chain", "row"])
def test_the_clock_is_looked_at_all_along(
    monkeypatch: pytest.MonkeyPatch, position: Position, looks: int
) -> None:
    seen = 0

    def check(limits: Limits, done: float | None = None) -> None:
        nonlocal seen
        seen += 1
        if seen == looks:
            raise LimitError(Stop.TIME_LIMIT)

    monkeypatch.setattr(Limits, "check", check)
    with pytest.raises(LimitError):
        propagate(position, NO_LIMITS)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2 2\n1*\n*.\n", "the clue in row 1, column 1 can't be met"),
        ("1 3\n.3.\n", "the clue in row 1, column 2 can't be met"),
        ("1 3 0\n.2.\n", "2 mines known, the total is 0"),
        ("1 4 4\n.2..\n", "at most 3 mines can be there, the total is 4"),
        ("1 3 0\n.1.\n", "the clues leave both mines and safe cells open, the total does not"),
        ("1 3 2\n.1.\n", "the clues leave both mines and safe cells open, the total does not"),
        ("1 3 1\n.1.\n", ""),
        ("1 4 3\n.2..\n", ""),
    ],
)
def test_contradictions_are_named(text: str, reason: str) -> None:
    assert propagate(Position.parse(text), NO_LIMITS).contradiction() == reason


def test_placement_fills_free_cells_up_to_the_total() -> None:
    known = propagate(Position.parse("2 5 4\n2*...\n*....\n"), NO_LIMITS)
    assert known.placement().tolist() == [
        [False, True, True, True, False],
        [True, False, False, False, False],
    ]
    assert known.placement(np.array([7], np.int32), np.array([1], np.int8)).sum() == 4


def test_limits_hold() -> None:
    position = Position(np.full((100, 100), UNKNOWN))
    with pytest.raises(LimitError, match="propagation needs 1 MiB") as caught:
        propagate(position, Limits(memory=1000))
    assert caught.value.stop == Stop.MEMORY_LIMIT
    with pytest.raises(LimitError) as caught:
        propagate(position, Limits(seconds=1e-9).begin())
    assert caught.value.stop == Stop.TIME_LIMIT
