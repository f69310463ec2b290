"""The formulations of maxmines: the rules exactly, and bounds that no valid board exceeds."""

from __future__ import annotations

import numpy as np
import pytest

from cpmines.answer import Limits
from cpmines.problems.maxmines import generate, model
from cpmines.problems.maxmines.backends import direct
from cpmines.problems.maxmines.problem import PROBLEM, MaxMines, Rectangle
from cpmines.problems.maxmines.windows import window_bound
from cpmines.run import run
from tests.effort import some


def all_boards(rows: int, cols: int) -> np.ndarray:
    """Every board as a row of cells, bool of shape (2^cells, cells)."""
    cells = rows * cols
    return (np.arange(1 << cells)[:, None] >> np.arange(cells) & 1).astype(np.bool_)


EXACT = ("plain", "blocks", "tight")
"""Formulations that hold for every valid board; `symmetric` leaves some out."""


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 2), (1, 5), (2, 2), (4, 2), (3, 3)])
@pytest.mark.parametrize("around", [1, 3, 4, 8])
def test_a_formulation_holds_exactly_for_the_valid_boards(rows: int, cols: int, around: int) -> None:
    size = Rectangle(rows, cols, around)
    formulations = [model.MODELLING.state("most", size, name) for name in EXACT]
    for cells in all_boards(rows, cols):
        value = MaxMines.of(cells.reshape(rows, cols))
        valid = PROBLEM.judge(size, PROBLEM.ask(), value) == []
        for statement in formulations:
            assert statement.holds(cells) == valid
            assert statement.value(cells) == value.mines
            assert np.array_equal(model.decode(size, [cells], False).board, value.board)


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 5), (2, 3), (4, 2), (3, 3)])
@pytest.mark.parametrize("around", [1, 3, 4, 8])
def test_symmetric_keeps_a_reflection_of_every_valid_board(rows: int, cols: int, around: int) -> None:
    size = Rectangle(rows, cols, around)
    statement = model.symmetric(size)
    for cells in all_boards(rows, cols):
        board = cells.reshape(rows, cols)
        images = [board[::down, ::across].ravel() for down in (1, -1) for across in (1, -1)]
        valid = PROBLEM.judge(size, PROBLEM.ask(), MaxMines.of(board)) == []
        assert any(statement.holds(image) for image in images) == valid
        assert valid or not statement.holds(cells)


def test_tight_keeps_the_optima_of_larger_boards() -> None:
    rng = np.random.default_rng(6)
    for _ in range(30):
        size = generate.rectangle(rng, 2, 8)
        for board in (direct.greedy(size, Limits()), direct.solve(size, Limits()).value.board):
            assert model.tight(size).holds(board.ravel()), size


def naive_window_bound(height: int, width: int, closed: tuple[bool, bool, bool, bool], around: int) -> int:
    """The definition, cell by cell; closed: top, bottom, left, right."""
    best = 0
    for cells in all_boards(height, width):
        board = cells.reshape(height, width)
        valid = True
        for row, col in np.ndindex(height, width):
            block = board[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
            mines = int(block.sum()) - int(board[row, col])
            rim = (row == 0, row == height - 1, col == 0, col == width - 1)
            outside = any(at and not shut for at, shut in zip(rim, closed, strict=True))
            if board[row, col]:
                valid = valid and (outside or mines < block.size - 1)
            else:
                valid = valid and mines <= around
        best = max(best, int(board.sum())) if valid else best
    return best


@pytest.mark.parametrize(("height", "width"), [(2, 2), (2, 3), (2, 4), (3, 3)])
@pytest.mark.parametrize("around", [1, 3, 5, 8])
def test_window_bounds_by_the_definition(height: int, width: int, around: int) -> None:
    for down in [(False, False), (True, False), (False, True), (True, True)]:
        for across in [(False, False), (False, True), (True, True)]:
            got = window_bound((height, sum(down)), (width, sum(across)), around)
            assert got == naive_window_bound(height, width, (*down, *across), around)


@pytest.mark.parametrize("around", range(1, 9))
def test_window_bounds_hold_on_every_valid_board(around: int) -> None:
    rows, cols = 4, 4
    boards = all_boards(rows, cols)
    statement = model.plain(Rectangle(rows, cols, around))
    valid = [
        cells
        for cells in boards[:: 65536 // some(9400 if around > 2 else 22000, 3000)]
        if statement.holds(cells)
    ]
    grids = np.array(valid).reshape(-1, rows, cols)
    for height, width in [(2, 2), (2, 3), (3, 3), (4, 3), (2, 4)]:
        for top, ends_down in model.places(rows, height):
            for left, ends_across in model.places(cols, width):
                most = window_bound((height, ends_down), (width, ends_across), around)
                mines = grids[:, top : top + height, left : left + width].sum(axis=(1, 2))
                assert mines.max() <= most


def test_window_bounds_are_symmetric() -> None:
    for around in range(1, 9):
        assert window_bound((2, 1), (5, 2), around) == window_bound((5, 2), (2, 1), around)


def test_no_window_is_the_whole_board() -> None:
    for size in generate.every(9)[::8]:
        bands = model.bands(size)
        assert all(height * width <= model.BAND_CELLS for height, width in bands)
        for height, width in [*bands, *model.squares(size)]:
            assert height <= size.rows
            assert width <= size.cols
            assert (height, width) != (size.rows, size.cols)


def test_the_estimate_of_literals_is_an_upper_one() -> None:
    for size in [*generate.every(5), *generate.every(9, 9), Rectangle(2, 40, 3), Rectangle(15, 12, 2)]:
        for name in model.MODELLING.formulations:
            statement = model.MODELLING.state("most", size, name)
            assert statement.size().literals <= model.literals(size), size


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["cpsat:tight", "cpsat:symmetric", "maxsat:tight", "sat:tight"])
@pytest.mark.parametrize("around", range(1, 9))
def test_strong_formulations_prove_what_plain_cannot(backend: str, around: int) -> None:
    size = Rectangle(8, 8, around)
    result = run("maxmines", size, backend, Limits(seconds=120))
    assert result.trusted
    assert result.status == "solved"
    assert result.value.mines == direct.solve(size, Limits()).value.mines
