"""Numbers and lists of best boards, against exhaustive enumeration."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import cpmines
from cpmines.answer import Limits, Status, Stop
from cpmines.errors import UsageError
from cpmines.numerals import decimal
from cpmines.problems.maxmines.backends import direct
from cpmines.problems.maxmines.problem import PROBLEM, MaxMines, Rectangle
from cpmines.run import run
from tests.effort import thorough

NO_LIMITS = Limits()
COUNT, EVERY = PROBLEM.ask("count"), PROBLEM.ask("every")
BATCH = 1 << 20
SMALL = [(rows, cols) for rows in range(1, 21) for cols in range(rows, 21) if rows * cols <= 20]
LARGER = [(rows, cols) for rows in range(1, 6) for cols in range(rows, 26) if 20 < rows * cols <= 25]


@cache
def census(rows: int, cols: int) -> np.ndarray:
    """How many boards whose mines all have an empty neighbour: [mines, most mines around an empty cell]."""
    found = np.zeros((rows * cols + 1, 9), np.int64)
    cells = rows * cols
    near = [
        sum(
            1 << r * cols + c
            for r in range(max(row - 1, 0), min(row + 2, rows))
            for c in range(max(col - 1, 0), min(col + 2, cols))
            if (r, c) != (row, col)
        )
        for row in range(rows)
        for col in range(cols)
    ]
    for first in range(0, 1 << cells, BATCH):
        boards = np.arange(first, min(first + BATCH, 1 << cells), dtype=np.uint32)
        right, crowd = np.ones(len(boards), np.bool_), np.zeros(len(boards), np.uint8)
        for cell, mask in enumerate(near):
            mine = (boards >> np.uint32(cell) & np.uint32(1)).astype(np.bool_)
            around = boards & np.uint32(mask)
            right &= ~mine | (around != mask)
            crowd = np.where(mine, crowd, np.maximum(crowd, np.bitwise_count(around)))
        keys = np.bitwise_count(boards[right]).astype(np.int64) * 9 + crowd[right]
        found += np.bincount(keys, minlength=found.size).reshape(found.shape)
    return found


def check_counts(rows: int, cols: int) -> None:
    for around in range(1, 9):
        by_mines = census(rows, cols)[:, : around + 1].sum(axis=1)
        mines = int(np.flatnonzero(by_mines).max())
        value = run("maxmines", Rectangle(rows, cols, around), "direct", NO_LIMITS, COUNT).value
        assert (value.mines, value.optimal_boards) == (mines, int(by_mines[mines])), (rows, cols, around)


@pytest.mark.parametrize(("rows", "cols"), SMALL)
def test_counts_agree_with_exhaustive_enumeration(rows: int, cols: int) -> None:
    check_counts(rows, cols)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols"), LARGER)
def test_counts_agree_with_exhaustive_enumeration_up_to_25_cells(rows: int, cols: int) -> None:
    check_counts(rows, cols)


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 7), (2, 3), (3, 2), (3, 3), (4, 3), (4, 4)])
def test_lists_are_those_of_brute_force(rows: int, cols: int) -> None:
    for around in range(1, 9):
        size = Rectangle(rows, cols, around)
        found = [run("maxmines", size, backend, NO_LIMITS, EVERY) for backend in ("direct", "brute")]
        assert all(result.trusted for result in found)
        first, second = (result.value for result in found)
        assert {board.tobytes() for board in first.boards} == {board.tobytes() for board in second.boards}
        assert first.optimal_boards == second.optimal_boards == len(first.boards)
        assert first.distinct_boards == second.distinct_boards


def test_bounds_leave_all_best_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [Rectangle(6, 7, around) for around in range(1, 9)]
    sizes += [Rectangle(8, 8, around) for around in ((4, 5) if thorough() else ())]
    found = []
    for narrow in (2, 20):
        monkeypatch.setattr(direct, "NARROW", narrow)
        found.append([direct.count(size, NO_LIMITS, listed=True).value for size in sizes])
    for bounded, plain in zip(*found, strict=True):
        assert plain.optimal_boards == bounded.optimal_boards
        assert {board.tobytes() for board in plain.boards} == {board.tobytes() for board in bounded.boards}


def test_known_numbers() -> None:
    counts = [
        cpmines.solve("maxmines", text, count=True).value for text in ("6 6 4", "8 8 4", "8 8 8", "4 300 3")
    ]
    assert [value.optimal_boards for value in counts] == [40, 448, 3600, 7247757312]
    assert [value.distinct_boards for value in counts] == [5, 56, 465, None]


def test_numbers_beyond_64_bits() -> None:
    """Two rows, M = 8: the empty cells dominate; of 3k columns every third has one, in either row."""
    value = cpmines.solve("maxmines", "2 600 8", count=True).value
    assert value.optimal_boards == 1 << 200
    assert value.distinct_boards is None


def test_numbers_beyond_what_python_writes_are_written() -> None:
    """Of 4516 digits; the interpreter refuses more than 4300."""
    size = Rectangle(2, 6, 8)
    value = replace(direct.count(size, NO_LIMITS).value, optimal_boards=1 << 15000)
    digits = decimal(1 << 15000)
    assert int(digits[-15:]) == pow(2, 15000, 10**15)
    assert len(digits) == 4516
    assert PROBLEM.to_json(value)["optimal_boards"] == digits
    assert f"boards with as many: {digits}\n" in PROBLEM.draw(size, value)


@pytest.mark.slow
def test_numbers_beyond_what_python_writes() -> None:
    """Of 4516 digits; the interpreter refuses more than 4300."""
    size = Rectangle(2, 45000, 8)
    value = direct.count(size, NO_LIMITS).value
    assert value.optimal_boards == 1 << 15000
    digits = decimal(1 << 15000)
    assert PROBLEM.to_json(value)["optimal_boards"] == digits
    assert f"boards with as many: {digits}\n" in PROBLEM.draw(size, value)
    listed = run("maxmines", size, "direct", NO_LIMITS, EVERY)
    assert (listed.status, listed.error) == ("feasible", "")
    assert "a list of 2^15000 boards needs 2.90e4515 MiB, the limit is 4096 MiB" in listed.answer.note


def test_what_is_not_asked_is_not_there() -> None:
    value = cpmines.solve("maxmines", "3 3 4").value
    assert (value.optimal_boards, value.distinct_boards, value.boards) == (None, None, None)
    assert set(PROBLEM.to_json(value)) == {"mines", "board", "bound"}
    counted = cpmines.solve("maxmines", "3 3 4", count=True).value
    assert PROBLEM.to_json(counted)["optimal_boards"] == "8"
    assert counted.boards is None
    with pytest.raises(UsageError, match="no option every_one"):
        cpmines.solve("maxmines", "3 3 4", every_one=True)


def test_the_judge_looks_at_every_board_of_a_list() -> None:
    size = Rectangle(2, 2, 1)
    value = direct.count(size, NO_LIMITS, listed=True).value
    assert value is not None
    assert PROBLEM.judge(size, EVERY, value) == []
    for boards in (value.boards[:-1], value.boards[[0, 0, 1, 2]], ~value.boards):
        wrong = MaxMines(1, value.board, optimal_boards=4, boards=boards)
        assert PROBLEM.judge(size, EVERY, wrong) != []


def test_limits_leave_the_optimum() -> None:
    size = Rectangle(8, 8, 4)
    value = direct.solve(size, NO_LIMITS).value
    answer = direct.counted(size, value, Limits(memory=1 << 18), listed=False)
    assert (answer.status, answer.stop) == (Status.FEASIBLE, Stop.MEMORY_LIMIT)
    assert (answer.value.mines, answer.value.bound) == (43, 43)
    assert "how many boards" in answer.note
    endless = run("maxmines", Rectangle(4, 10**18, 3), "direct", NO_LIMITS, COUNT)
    assert (endless.status, endless.answer.stop) == (Status.FEASIBLE, Stop.DECLINED)


@pytest.mark.parametrize("around", [1, 8])
def test_boards_wider_than_a_state_are_not_counted(around: int) -> None:
    result = run("maxmines", Rectangle(21, 21, around), "direct", NO_LIMITS, COUNT)
    assert (result.status, result.answer.stop) == (Status.FEASIBLE, Stop.DECLINED)
    assert result.trusted
    assert "the shorter side is 21, a state holds at most 20" in result.answer.note


def test_a_list_that_is_too_long_leaves_the_number() -> None:
    result = run("maxmines", Rectangle(2, 600, 8), "direct", NO_LIMITS, EVERY)
    assert (result.status, result.answer.stop) == (Status.FEASIBLE, Stop.MEMORY_LIMIT)
    assert result.value.optimal_boards == 1 << 200
    assert "not which" in result.answer.note
    size = Rectangle(4, 5, 4)
    value = direct.solve(size, NO_LIMITS).value
    for listed, status in ((False, Status.SOLVED), (True, Status.FEASIBLE)):
        answer = direct.counted(size, value, Limits(memory=1 << 16), listed)
        assert answer.status is status
        assert (answer.value.optimal_boards, answer.value.distinct_boards) == (81, None)


def test_long_boards_are_listed() -> None:
    value = cpmines.solve("maxmines", "1 999 2", every=True).value
    assert value.optimal_boards == len(value.boards) == 1
