"""Closed forms and bounds, against the frontier without them."""

from __future__ import annotations

import numpy as np

from cpmines.answer import Limits
from cpmines.problems.maxmines import generate
from cpmines.problems.maxmines.backends import direct
from cpmines.problems.maxmines.problem import PROBLEM, MaxMines, Rectangle
from cpmines.problems.maxmines.theorems import (
    closed_form,
    counting_bound,
    domination_bound,
    kings,
    theorem_board,
    upper_bound,
)


def searched(size: Rectangle) -> int:
    return direct.prove(size, Limits(), theorems=False).mines


def test_closed_forms_are_what_the_frontier_finds() -> None:
    sizes = [
        Rectangle(rows, cols, around) for rows in range(1, 8) for cols in range(1, 13) for around in (1, 8)
    ]
    known = [size for size in sizes if closed_form(size) is not None]
    assert len(known) == 7 * 12 + 6 * 11
    for size in known:
        assert closed_form(size) == searched(size), size


def test_closed_forms_of_large_squares() -> None:
    for side in range(8, 11):
        for around in (1, 8):
            size = Rectangle(side, side, around)
            assert closed_form(size) == searched(size)


def test_boards_of_theorems_are_valid_and_have_as_many_mines() -> None:
    for rows in range(1, 20):
        for cols in range(1, 20):
            for around in (1, 8):
                size = Rectangle(rows, cols, around)
                if closed_form(size) is not None:
                    value = MaxMines.of(theorem_board(size))
                    assert PROBLEM.judge(size, PROBLEM.ask(), value) == []
                    assert value.mines == closed_form(size)


def test_a_single_row_has_no_closed_form_for_one_mine_around() -> None:
    assert closed_form(Rectangle(1, 6, 1)) is None
    assert searched(Rectangle(1, 6, 1)) == 3 > kings(1, 6)


def test_bounds_hold_on_all_small_boards() -> None:
    for size in generate.every(6):
        mines = searched(size)
        assert mines <= counting_bound(size)
        assert mines <= domination_bound(size)
        assert mines <= upper_bound(size)


def test_bounds_are_reached() -> None:
    assert counting_bound(Rectangle(2, 2, 3)) == 3 == searched(Rectangle(2, 2, 3))
    assert domination_bound(Rectangle(6, 6, 7)) == 32 > searched(Rectangle(6, 6, 7)) == 30


def test_kings_dominate_and_none_can_be_spared() -> None:
    for rows, cols in [(1, 4), (3, 3), (3, 4), (2, 5)]:
        best = rows * cols
        for number in range(1 << rows * cols):
            board = (number >> np.arange(rows * cols) & 1).reshape(rows, cols)
            padded = np.pad(board, 1)
            around = sum(np.roll(padded, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1))
            if (around[1:-1, 1:-1] > 0).all():
                best = min(best, int(board.sum()))
        assert best == kings(rows, cols)
