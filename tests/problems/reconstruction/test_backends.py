"""Every backend against the definition, and an exact count for tables too large for it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from cpmines import registry
from cpmines.answer import Limits, Status, Stop
from cpmines.errors import LimitError
from cpmines.grid import box_sums
from cpmines.problems.reconstruction import generate
from cpmines.problems.reconstruction.backends import brute, direct, published
from cpmines.problems.reconstruction.problem import PROBLEM, Reason, Table
from cpmines.sums import model
from tests.effort import some
from tests.problems.reconstruction import rowwise

NO_LIMITS = Limits()
FACTS, BOARD = PROBLEM.ask("facts"), PROBLEM.ask("board")
facts, by_brute = direct.ANSWERS["facts"], brute.BACKEND.solve["facts"]
BOARDS = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=4))


def known(solve: Any, table: Table) -> dict[str, Any] | None:
    """The fields that all answers share; None for no board."""
    answer = solve(table, NO_LIMITS)
    if answer.value is not None:
        assert PROBLEM.judge(table, FACTS, answer.value) == []
    if answer.status == Status.INFEASIBLE:
        return None
    fields = PROBLEM.to_json(answer.value)
    return {name: fields[name] for name in FACTS.question.determined if name in fields}


def boards_of_size(rows: int, cols: int) -> np.ndarray:
    bits = np.arange(1 << rows * cols)[:, None] >> np.arange(rows * cols)
    return (bits & 1).astype(np.bool_).reshape(-1, rows, cols)


def check_every_board(rows: int, cols: int) -> None:
    """`direct` on every table that a board of this size has, against the list of its boards."""
    boards = boards_of_size(rows, cols)
    tables = np.array([box_sums(board) for board in boards]).reshape(len(boards), -1)
    tables, table_of_board = np.unique(tables, axis=0, return_inverse=True)
    order = np.argsort(table_of_board.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(table_of_board.ravel()))
    for sums, group in zip(tables, np.split(order, ends[:-1]), strict=True):
        table, alike = Table(sums.reshape(rows, cols)), boards[group]
        value = facts(table, NO_LIMITS).value
        assert PROBLEM.judge(table, FACTS, value) == []
        assert value.solutions == len(alike)
        assert ((value.forced == 1) == alike.all(axis=0)).all()
        assert ((value.forced == 0) == ~alike.any(axis=0)).all()


SIDES = range(1, 5)
SIZES = [(rows, cols) for rows in SIDES for cols in SIDES if rows * cols < 16]
LONG = [pytest.param(2, 8, marks=pytest.mark.slow), pytest.param(8, 2, marks=pytest.mark.slow)]


@pytest.mark.parametrize(("rows", "cols"), [*SIZES, (2, 5), (5, 2), *LONG, (1, 11)])
def test_direct_on_every_board(rows: int, cols: int) -> None:
    check_every_board(rows, cols)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (3, 5), (5, 3)])
def test_direct_on_every_larger_board(rows: int, cols: int) -> None:
    check_every_board(rows, cols)


def test_direct_agrees_on_tiny_tables() -> None:
    rng = np.random.default_rng(1)
    for _ in range(some(3000, 500)):
        table = generate.tiny(rng)
        assert known(facts, table) == known(by_brute, table), table


@settings(max_examples=some(300, 100), deadline=None)
@given(BOARDS, st.data())
def test_direct_agrees_on_shrinking_tables(mines: np.ndarray, data: st.DataObject) -> None:
    sums = box_sums(mines)
    if data.draw(st.booleans()):
        sums.flat[data.draw(st.integers(0, sums.size - 1))] = data.draw(st.integers(0, 9))
    assert known(facts, Table(sums)) == known(by_brute, Table(sums))


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3), (3, 2), (2, 5), (5, 2), (3, 4), (1, 8)])
def test_direct_on_every_single_changed_entry(rows: int, cols: int) -> None:
    rng = np.random.default_rng(2)
    for mines in rng.permutation(boards_of_size(rows, cols))[: some(8, 4)]:
        for cell in range(mines.size):
            for entry in range(10):
                sums = box_sums(mines)
                sums.flat[cell] = entry
                assert known(facts, Table(sums)) == known(by_brute, Table(sums))


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (2, 8), (8, 2), (5, 8), (8, 5), (7, 8), (8, 8), (20, 5)])
def test_direct_agrees_with_a_count_row_by_row(rows: int, cols: int) -> None:
    rng = np.random.default_rng(rows * cols)
    verdicts: Counter[str] = Counter()
    for round_ in range(24):
        kind = (generate.random, generate.unique, generate.ambiguous, generate.doubled)[round_ % 4]
        table = kind(rng, rows, cols)
        number, forced = rowwise.count(table.sums)
        answer = facts(table, NO_LIMITS)
        verdicts[answer.status] += 1
        assert (answer.status == Status.SOLVED) == (number > 0)
        if answer.status == Status.SOLVED:
            assert answer.value.solutions == number
            assert np.array_equal(answer.value.forced, forced)
    assert set(verdicts) == {Status.SOLVED, Status.INFEASIBLE}


def test_direct_on_sums_far_out_of_range() -> None:
    """Running sums of such tables leave the range of a byte many times over."""
    for rows, cols in ((300, 300), (301, 302), (302, 302), (1, 900), (900, 2)):
        rng = np.random.default_rng(rows)
        for low in (0, 9):
            sums = np.where(np.arange(rows * cols).reshape(rows, cols) % 3 == 1, 9 - low, low)
            assert facts(Table(sums), NO_LIMITS).status == Status.INFEASIBLE
        answer = facts(Table(rng.integers(0, 10, (rows, cols))), NO_LIMITS)
        assert answer.status == Status.INFEASIBLE


def test_direct_on_an_integer_solution_too_large_for_a_byte() -> None:
    """A matrix whose core spans 130, -126 as a byte, though its table and its other rows look harmless."""
    height = np.concatenate([np.arange(131), np.arange(130)[::-1]])
    column = np.stack([height, -height, np.ones_like(height)], axis=1).ravel()[:-1]
    padded = np.pad(column, 1)
    down = padded[:-2] + padded[1:-1] + padded[2:]
    table = Table(np.outer(down, [1, 1, 0, 0, 0]))
    assert table.shape == (782, 5)
    assert facts(table, NO_LIMITS).status == Status.INFEASIBLE


@pytest.mark.parametrize("rows", [96, 97, 98])
@pytest.mark.parametrize("cols", [99, 100, 101])
def test_direct_on_large_tables(rows: int, cols: int) -> None:
    rng = np.random.default_rng(3)
    table = generate.random(rng, rows, cols)
    assert PROBLEM.judge(table, FACTS, facts(table, NO_LIMITS).value) == []
    assert facts(generate.unique(rng, rows, cols), NO_LIMITS).value.solutions == 1
    if rows % 3 == 2 or cols % 3 == 2:
        table = generate.ambiguous(rng, rows, cols, free=1.0, levels=2)
        value = facts(table, NO_LIMITS).value
        assert PROBLEM.judge(table, FACTS, value) == []
        lone = {(2, 2): rows // 3 + cols // 3, (2, 0): cols, (2, 1): cols}.get((rows % 3, cols % 3), rows)
        assert value.solutions % (1 << lone) == 0


@pytest.mark.parametrize("rows", range(1, 12))
def test_direct_on_wide_tables_and_their_transposes(rows: int) -> None:
    rng = np.random.default_rng(rows)
    for cols in (401, 402, 403):
        for make in (generate.random, generate.unique, generate.doubled):
            table = make(rng, rows, cols)
            turned = Table(table.sums.T)
            value, other = facts(table, NO_LIMITS).value, facts(turned, NO_LIMITS).value
            if isinstance(value, Reason) or isinstance(other, Reason):
                assert PROBLEM.judge(table, FACTS, value) == PROBLEM.judge(turned, FACTS, other) == []
                assert type(value) is type(other)
                continue
            assert PROBLEM.judge(table, FACTS, value) == PROBLEM.judge(turned, FACTS, other) == []
            assert value.solutions == other.solutions
            assert np.array_equal(value.forced, other.forced.T)


def test_direct_counts_a_huge_number_of_boards() -> None:
    table = generate.ambiguous(np.random.default_rng(4), 30_000, 2, free=1.0, levels=2)
    found = facts(table, NO_LIMITS).value
    assert found.solutions == 1 << 30_000
    assert len(PROBLEM.to_json(found)["solutions"]) == 9031


def test_direct_says_how_much_memory_it_needs() -> None:
    table = Table(np.zeros((2000, 2000), np.int8))
    with pytest.raises(LimitError, match="the solution needs 24 MiB, the limit is 1 MiB"):
        facts(table, Limits(memory=1 << 20))


def test_brute_declines_large_tables() -> None:
    with pytest.raises(LimitError, match=r"2\^21 boards, at most 2\^20 are tried") as caught:
        by_brute(Table(np.zeros((3, 7), np.int8)), NO_LIMITS)
    assert caught.value.stop == Stop.DECLINED


@settings(deadline=None)
@given(BOARDS)
def test_model_holds_for_a_board_exactly_if_it_has_the_table(mines: np.ndarray) -> None:
    table = Table.of(mines)
    statement = model.plain(table)
    for board in (mines, ~mines, mines[::-1], mines[:, ::-1]):
        assert statement.holds(board.ravel()) == np.array_equal(box_sums(board.copy()), table.sums)
    assert statement.size().literals <= model.literals(table)


@pytest.mark.parametrize("engine", ["cpsat", "sat"])
def test_engines_agree_with_brute(engine: str) -> None:
    backend = registry.backend("reconstruction", engine)
    rng = np.random.default_rng(5)
    for _ in range(60):
        table = generate.tiny(rng)
        answer = backend.prepare(table, FACTS, NO_LIMITS.begin())()
        expected = known(by_brute, table)
        if answer.value is None:
            assert expected is None
            assert answer.status == Status.INFEASIBLE
        else:
            assert PROBLEM.to_json(answer.value) | expected == PROBLEM.to_json(answer.value)


@pytest.mark.parametrize("engine", ["cpsat", "sat"])
def test_engines_leave_the_number_open_beyond_their_limit(engine: str) -> None:
    table = generate.ambiguous(np.random.default_rng(6), 12, 2, free=1.0)
    assert facts(table, NO_LIMITS).value.solutions > model.SOLUTIONS
    answer = registry.backend("reconstruction", engine).prepare(table, FACTS, NO_LIMITS.begin())()
    assert answer.status == Status.FEASIBLE
    assert list(PROBLEM.to_json(answer.value)) == ["mines", "unique", "other"]
    assert "200 were found, and there are more" in answer.note
    assert PROBLEM.judge(table, FACTS, answer.value) == []


def test_published_is_right_on_every_board_of_its_sizes() -> None:
    for rows, cols in SIZES:
        if rows % 3 == cols % 3 == 2:
            continue
        for mines in boards_of_size(rows, cols)[:: max(1, rows * cols - 8)]:
            table = Table.of(mines)
            assert PROBLEM.judge(table, BOARD, published.solve(table, NO_LIMITS).value) == []


def test_published_declines_the_open_case() -> None:
    answer = published.solve(Table(np.zeros((5, 8), np.int8)), NO_LIMITS)
    assert (answer.stop, answer.note) == (
        Stop.DECLINED,
        "the method leaves out 5 x 8: both sides are 2 (mod 3)",
    )


def test_published_gives_a_wrong_board_where_there_is_none() -> None:
    table = Table(np.array([[2]]))
    assert by_brute(table, NO_LIMITS).status == Status.INFEASIBLE
    answer = published.solve(table, NO_LIMITS)
    assert PROBLEM.judge(table, FACTS, answer.value) == ["row 1, column 1: the table says 2, the board has 0"]
    rng = np.random.default_rng(7)
    for _ in range(300):
        table = generate.tiny(rng)
        value = published.solve(table, NO_LIMITS).value
        if value is not None:
            solved = facts(table, NO_LIMITS).status == Status.SOLVED
            assert (PROBLEM.judge(table, FACTS, value) == []) == solved
