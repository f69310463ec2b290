"""The backends of maxmines: against the definition, against known values, at their limits."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpmines.answer import Limits, Status, Stop
from cpmines.problems.maxmines import generate
from cpmines.problems.maxmines.backends import direct, published
from cpmines.problems.maxmines.problem import PROBLEM, MaxMines, Rectangle
from cpmines.problems.maxmines.steps import BITS, CONTENT, NEEDS, changes
from cpmines.run import Run, run
from tests.effort import some, spread

NO_LIMITS = Limits()
BACKENDS = ["direct", "cpsat:plain", "cpsat:symmetric", "sat:tight", "sat:blocks", "maxsat:tight"]
SMALL = spread([size for size in generate.every(16) if size.rows * size.cols <= 16], 60)
LARGER = [size for size in generate.every(20) if 16 < size.rows * size.cols <= 20]
SQUARES = {
    2: (1, 2, 3, 3, 3, 3, 3, 3),
    3: (1, 3, 5, 6, 7, 7, 7, 8),
    6: (4, 12, 20, 24, 28, 29, 30, 32),
    8: (9, 20, 34, 43, 52, 52, 53, 55),
}


def solved(backend: str, size: Rectangle) -> int:
    """The number of mines that `backend` proves, with a board that the judge accepts."""
    result: Run[MaxMines] = run("maxmines", size, backend, NO_LIMITS)
    assert result.trusted, (size, result.faults, result.error)
    assert result.status is Status.SOLVED
    assert result.value is not None
    return result.value.mines


@cache
def brute(size: Rectangle) -> int:
    return solved("brute", size)


@pytest.mark.parametrize("backend", BACKENDS)
def test_backends_agree_with_the_definition_on_all_small_boards(backend: str) -> None:
    for size in SMALL:
        assert solved(backend, size) == brute(size), size


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_backends_agree_with_the_definition_on_all_boards_of_20_cells(backend: str) -> None:
    for size in [*SMALL, *LARGER]:
        assert solved(backend, size) == brute(size), size


def test_direct_agrees_with_the_definition_on_random_boards() -> None:
    rng = np.random.default_rng(4)
    for _ in range(some(3000, 300)):
        size = generate.tiny(rng)
        assert solved("direct", size) == brute(size), size


@settings(max_examples=some(200, 60), deadline=None)
@given(st.integers(1, 16), st.data())
def test_direct_agrees_with_the_definition(rows: int, data: st.DataObject) -> None:
    size = Rectangle(rows, data.draw(st.integers(1, 16 // rows)), data.draw(st.integers(1, 8)))
    assert solved("direct", size) == brute(size)


def test_rows_and_columns_may_be_exchanged() -> None:
    for size in generate.every(6):
        if size.rows < size.cols:
            turned = Rectangle(size.cols, size.rows, size.around)
            assert solved("direct", size) == solved("direct", turned), size


@pytest.mark.parametrize("side", SQUARES)
def test_known_values_of_squares(side: int) -> None:
    assert tuple(solved("direct", Rectangle(side, side, around)) for around in range(1, 9)) == SQUARES[side]


@pytest.mark.parametrize(("side", "values"), [(10, (16, 32, 55, 64, 77, 80, 84, 84))])
def test_known_values_of_large_squares(side: int, values: tuple[int, ...]) -> None:
    assert tuple(solved("direct", Rectangle(side, side, around)) for around in range(1, 9)) == values


@pytest.mark.slow
def test_known_values_of_larger_squares() -> None:
    values = (16, 43, 76, 94, 114, 115, 120, 128)
    assert tuple(solved("direct", Rectangle(12, 12, around)) for around in range(1, 9)) == values


def test_a_larger_bound_or_board_never_means_fewer_mines() -> None:
    for size in generate.every(6):
        mines = solved("direct", size)
        if size.around < 8:
            assert solved("direct", Rectangle(size.rows, size.cols, size.around + 1)) >= mines
        if (size.rows, size.cols) == (1, 6):
            assert mines == 4 if size.around > 1 else 3


@pytest.mark.parametrize(
    "size",
    [
        Rectangle(1, 1, 1),
        Rectangle(1, 1, 8),
        Rectangle(1, 2, 1),
        Rectangle(2, 1, 8),
        Rectangle(1, 20, 2),
        Rectangle(20, 1, 1),
        Rectangle(2, 10, 5),
    ],
)
def test_extremes(size: Rectangle) -> None:
    assert solved("direct", size) == brute(size)


def test_one_empty_cell_is_an_answer() -> None:
    for backend in ("brute", "direct", "cpsat", "sat"):
        assert solved(backend, Rectangle(1, 1, 3)) == 0


@pytest.mark.parametrize("size", [Rectangle(4, 1000, 3), Rectangle(1000, 4, 3), Rectangle(1, 5000, 2)])
def test_long_boards(size: Rectangle) -> None:
    mines = solved("direct", size)
    assert mines == {4000: 2184, 5000: 3333}[size.rows * size.cols]


def test_same_answer_every_time() -> None:
    boards = [run("maxmines", Rectangle(6, 7, 4), "direct", NO_LIMITS).value.board for _ in range(2)]
    assert np.array_equal(*boards)


@pytest.mark.parametrize("to_come", range(5))
def test_a_cell_rises_to_the_empty_cell_that_may_get_any_number(to_come: int) -> None:
    place = 2
    rises = [np.uint64(change) for change in changes(place, to_come)]
    state = np.uint64(0o7077)

    def after(code: int) -> int:
        with np.errstate(over="ignore"):
            return int(state + np.uint64(code << BITS * place) + rises[code]) >> BITS * place & 7

    assert [after(code) for code in range(to_come)] == list(range(1, to_come + 1))
    assert rises[to_come] == 0
    assert (after(NEEDS), after(CONTENT)) == (CONTENT, to_come)


def test_memory_limit_leaves_a_feasible_board() -> None:
    result = run("maxmines", Rectangle(9, 9, 4), "direct", Limits(memory=200_000))
    assert (result.status, result.answer.stop) == (Status.FEASIBLE, Stop.MEMORY_LIMIT)
    assert "the limit is 0 MiB" in result.answer.note
    assert result.trusted
    assert 40 <= result.value.mines <= 54 <= result.value.bound <= 64


def test_time_limit_leaves_a_feasible_board() -> None:
    result = run("maxmines", Rectangle(16, 16, 4), "direct", Limits(seconds=0.5))
    assert (result.status, result.answer.stop) == (Status.FEASIBLE, Stop.TIME_LIMIT)
    assert result.trusted


def test_a_board_wider_than_a_state_is_feasible() -> None:
    result = run("maxmines", Rectangle(30, 21, 4), "direct", NO_LIMITS)
    assert (result.status, result.answer.stop) == (Status.FEASIBLE, Stop.DECLINED)
    assert result.answer.note == "no proof: the shorter side is 21, a state holds at most 20"
    assert result.trusted


@pytest.mark.parametrize("backend", ["brute", "direct", "published", "cpsat", "sat", "maxsat"])
@pytest.mark.parametrize("size", [Rectangle(10**18, 10**18, 3), Rectangle(9, 10**18, 3)])
def test_huge_boards_are_refused_before_memory_is_taken(backend: str, size: Rectangle) -> None:
    result = run("maxmines", size, backend, NO_LIMITS)
    assert result.status is Status.UNKNOWN
    assert result.error == ""
    assert result.answer.stop in (Stop.MEMORY_LIMIT, Stop.DECLINED)


def test_declined_with_numbers() -> None:
    assert run("maxmines", Rectangle(3, 7, 2), "brute", NO_LIMITS).answer.note == "21 cells, at most 20"
    assert run("maxmines", Rectangle(7, 3, 2), "published", NO_LIMITS).answer.note == "7 rows, at most 6"


def test_greedy_boards_are_valid_and_full() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        size = generate.rectangle(rng, 1, 12)
        board = direct.greedy(size, NO_LIMITS)
        assert PROBLEM.judge(size, PROBLEM.ask(), MaxMines.of(board)) == []
        for cell in np.argwhere(~board):
            fuller = board.copy()
            fuller[tuple(cell)] = True
            assert PROBLEM.judge(size, PROBLEM.ask(), MaxMines.of(fuller)) != []


@pytest.mark.parametrize(
    ("size", "right", "told"),
    [
        ((2, 2, 1), 1, 1),
        ((3, 3, 4), 6, 7),
        ((2, 2, 3), 3, 4),
        ((4, 2, 4), 6, 8),
        ((6, 1, 1), 3, 2),
        ((3, 3, 8), 8, 8),
    ],
)
def test_examples_of_the_published_solution(size: tuple[int, int, int], right: int, told: int) -> None:
    """Its text says 3 for 2x2, M = 1, where its program is right, which elsewhere is too high or too low."""
    instance = Rectangle(*size)
    assert brute(instance) == solved("direct", instance) == right
    answer = published.solve(instance, NO_LIMITS)
    assert answer.value is not None
    assert answer.value.mines == told
    rejected = bool(PROBLEM.judge(instance, PROBLEM.ask(), answer.value))
    assert rejected == (told > right)


def test_published_takes_mines_at_the_border_for_beside_an_empty_cell() -> None:
    answer = published.solve(Rectangle(2, 2, 3), NO_LIMITS)
    assert answer.value is not None
    assert answer.value.board.all()
