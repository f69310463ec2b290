"""Boards of any length, against the plain frontier."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from cpmines.answer import Limits, Status
from cpmines.problems.maxmines.backends import direct
from cpmines.problems.maxmines.frontier import Reductions
from cpmines.problems.maxmines.periods import WIDEST_PERIOD, History, long_board, period
from cpmines.problems.maxmines.problem import PROBLEM, MaxMines, Rectangle, Repeat
from cpmines.run import run

NO_LIMITS = Limits()
PLAIN = Reductions(bounds=False, meeting=False)


def plain(width: int, length: int, around: int) -> int:
    return direct.prove(Rectangle(width, length, around), NO_LIMITS, PLAIN, theorems=False).mines


def by_period(width: int, length: int, around: int) -> int:
    """The most mines of a board longer than the start of its period."""
    found = period(width, around, NO_LIMITS)
    short = found.representative(length)
    assert found.start < short <= found.start + found.lines
    steps, rest = divmod(length - short, found.lines)
    assert rest == 0
    return plain(width, short, around) + steps * found.mines


def on_a_board(width: int, length: int, around: int) -> int:
    """The most mines as a board shows it, which the judge accepts."""
    value = MaxMines.of(*long_board(width, length, around, NO_LIMITS))
    assert PROBLEM.judge(Rectangle(length, width, around), PROBLEM.ask(), value) == []
    return value.mines


def test_the_first_200_lengths_of_two_rows() -> None:
    found = period(2, 3, NO_LIMITS)
    assert (found.lines, found.mines, found.density) == (4, 5, Fraction(5, 8))
    for length in range(found.start + 1, 201):
        assert by_period(2, length, 3) == plain(2, length, 3)
        if length > 50:
            assert on_a_board(2, length, 3) == plain(2, length, 3)


@pytest.mark.parametrize("width", range(1, 6))
def test_narrow_boards(width: int) -> None:
    rng = np.random.default_rng(width)
    for around in range(1, 9):
        start = period(width, around, NO_LIMITS).start
        for length in rng.integers(start + 1, 90, 4).tolist():
            assert by_period(width, length, around) == plain(width, length, around), (width, length, around)
        assert on_a_board(width, 200, around) == plain(width, 200, around)


@pytest.mark.slow
@pytest.mark.parametrize("width", range(6, WIDEST_PERIOD + 1))
def test_wide_boards(width: int) -> None:
    for around in range(1, 9):
        length = period(width, around, NO_LIMITS).start + 300
        assert by_period(width, length, around) == on_a_board(width, length, around)
        assert plain(width, length, around) == on_a_board(width, length, around)


@pytest.mark.parametrize(("width", "around"), [(1, 1), (3, 3), (4, 3), (5, 2)])
def test_the_layers_repeat_again(width: int, around: int) -> None:
    """Three periods on, every layer is the one a period before but for the mines of a period."""
    found = period(width, around, NO_LIMITS)
    history = History(width, around, NO_LIMITS)
    layers = []
    for _ in range(found.start + 3 * found.lines):
        history.extend()
        layers.append(history.last())
    for line in range(found.start - 1, len(layers) - found.lines):
        (before, low), (after, high) = layers[line], layers[line + found.lines]
        assert before == after
        assert high - low == found.mines
    if found.start > 1:
        assert layers[found.start - 2][0] != layers[found.start - 2 + found.lines][0]


@pytest.mark.parametrize("size", [Rectangle(2, 10**18, 3), Rectangle(10**18, 5, 4), Rectangle(8, 10**18, 6)])
def test_lengths_beyond_any_memory(size: Rectangle) -> None:
    result = run("maxmines", size, "direct", NO_LIMITS)
    assert result.trusted
    assert result.status is Status.SOLVED
    width = min(size.rows, size.cols)
    assert result.value.mines == by_period(width, 10**18, size.around)


@pytest.mark.slow
def test_every_narrow_board_has_an_endless_one() -> None:
    for width in range(1, WIDEST_PERIOD + 1):
        for around in range(1, 9):
            for length in (direct.LONG + 1, 10**18 - 3):
                assert on_a_board(width, length, around) == by_period(width, length, around)


def test_moderate_lengths_are_written_out() -> None:
    for size in (Rectangle(3, direct.LONG + 1, 4), Rectangle(direct.LONG + 5, 4, 3)):
        value = direct.solve(size, NO_LIMITS).value
        assert value is not None
        assert value.repeat is None
        assert value.board.shape == (size.rows, size.cols)
        assert value.mines == plain(min(size.rows, size.cols), max(size.rows, size.cols), size.around)


def test_the_judge_reads_repeated_lines() -> None:
    size = Rectangle(2, 14, 3)
    board = np.array([list("*..*" + ".**." + "*..*"), list("*..*" + "...." + "*..*")]) == "*"
    good = MaxMines.of(board[:, :12], Repeat(1, 3, 5, 2))
    assert not [
        fault for fault in PROBLEM.judge(size, PROBLEM.ask(), good) if "size" in fault or "claimed" in fault
    ]
    for repeat in (Repeat(1, 3, 5, 3), Repeat(1, 5, 5, 2), Repeat(1, -1, 5, 2), Repeat(1, 10, 13, 2)):
        assert PROBLEM.judge(size, PROBLEM.ask(), MaxMines(good.mines, board, repeat=repeat)) != []
    more = MaxMines(good.mines + 1, good.board, repeat=good.repeat)
    assert any("claimed" in fault for fault in PROBLEM.judge(size, PROBLEM.ask(), more))


def test_repeated_lines_that_break_a_rule_where_they_meet_are_found() -> None:
    """A line of mines between two empty ones may stand there once or twice; of three, the middle one not."""
    board = np.array([[False] * 3, [True] * 3, [False] * 3])
    for times, right in ((1, True), (2, True), (3, False), (10**15, False)):
        value = MaxMines.of(board, Repeat(0, 1, 2, times))
        assert (PROBLEM.judge(Rectangle(2 + times, 3, 8), PROBLEM.ask(), value) == []) == right
