"""What can be asked beyond one board: all, some at random, one by number, the fewest mines, the nearest."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import cpmines
from cpmines import registry
from cpmines.answer import Limits, Status, Stop
from cpmines.cli import cli
from cpmines.errors import InputError, UsageError
from cpmines.problems.reconstruction import generate, repair
from cpmines.problems.reconstruction.backends import brute, direct
from cpmines.problems.reconstruction.problem import PROBLEM, Boards, Table
from cpmines.run import run

NO_LIMITS = Limits()


def value_of(table: Table, backend: Any = direct, limits: Limits = NO_LIMITS, **asked: Any) -> Boards:
    table = PROBLEM.ask(table, **asked)
    found = backend.solve(table, limits).value
    assert isinstance(found, Boards)
    assert PROBLEM.judge(table, found) == []
    return found


def keys(boards: Any) -> list[bytes]:
    return [board.tobytes() for board in boards]


def test_all_boards_of_tiny_tables() -> None:
    rng = np.random.default_rng(1)
    for _ in range(600):
        table = generate.tiny(rng)
        if direct.solve(table, NO_LIMITS).status == Status.INFEASIBLE:
            continue
        listed = value_of(table, all=True).listed
        assert sorted(keys(listed)) == sorted(keys(value_of(table, brute, all=True).listed))
        assert len({int(board.sum()) for board in listed}) == 1, "all boards have as many mines"


@pytest.mark.parametrize("rows", [5, 8, 11])
@pytest.mark.parametrize("cols", [2, 5, 8, 9])
def test_all_boards_are_as_many_as_counted_and_differ(rows: int, cols: int) -> None:
    rng = np.random.default_rng(rows * cols)
    for levels in (2, 3, 4):
        table = generate.ambiguous(rng, rows, cols, rng.random(), levels)
        value = value_of(table, all=True, limit=3000)
        assert len(set(keys(value.listed))) == len(value.listed) == min(value.solutions, 3000)
        if value.solutions <= 3000:
            boards = np.array(value.listed)
            always, ever = boards.all(axis=0), boards.any(axis=0)
            assert np.array_equal(value.forced, np.where(always == ever, always, -1))


def test_numbered_boards_are_those_of_the_list() -> None:
    table = generate.ambiguous(np.random.default_rng(2), 8, 8, 0.4, 3)
    value = value_of(table, all=True)
    for number in (1, 2, value.solutions // 2, value.solutions):
        (board,) = value_of(table, index=number).listed
        assert np.array_equal(board, value.listed[number - 1])
    answer = direct.solve(PROBLEM.ask(table, index=value.solutions + 1), NO_LIMITS)
    assert answer.stop is Stop.DECLINED


def test_a_numbered_board_of_astronomically_many() -> None:
    table = generate.ambiguous(np.random.default_rng(3), 302, 302, 1.0, 5)
    solutions = value_of(table).solutions
    assert solutions > 10**60
    first, last = (value_of(table, index=number).listed[0] for number in (1, solutions))
    assert not np.array_equal(first, last)


def test_the_limit_cuts_the_list() -> None:
    table = generate.ambiguous(np.random.default_rng(4), 30, 2, 1.0, 2)
    answer = direct.solve(PROBLEM.ask(table, all=True, limit=5), NO_LIMITS)
    assert len(answer.value.listed) == 5
    assert answer.note == "the first 5 boards are listed"


def test_samples_are_uniform_and_repeat_with_the_seed() -> None:
    table = generate.ambiguous(np.random.default_rng(8), 5, 5, 1.0, 3)
    count = value_of(table).solutions
    assert 4 <= count <= 60
    drawn = value_of(table, limits=Limits(seed=5), sample=200 * count)
    often = Counter(keys(drawn.listed))
    assert len(often) == count
    chi_square = sum((times - 200) ** 2 / 200 for times in often.values())
    assert chi_square < count + 5 * (2 * count) ** 0.5
    again = value_of(table, limits=Limits(seed=5), sample=200 * count)
    assert keys(again.listed) == keys(drawn.listed)
    assert keys(value_of(table, limits=Limits(seed=6), sample=20).listed) != keys(drawn.listed)[:20]


@pytest.mark.parametrize("extreme", ["fewest", "most"])
def test_all_backends_agree_on_the_fewest_and_most_mines(extreme: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        table = generate.tiny(rng)
        asked = PROBLEM.ask(table, **{extreme: True})
        runs = [run("reconstruction", asked, name, NO_LIMITS) for name in ("direct", "brute", "cpsat")]
        assert len({found.status for found in runs}) == 1
        if runs[0].status == Status.SOLVED:
            assert len({found.value.mine_count for found in runs}) == 1


@pytest.mark.parametrize("name", ["cpsat", "sat", "brute", "published"])
def test_others_decline_numbered_boards(name: str) -> None:
    found = run("reconstruction", PROBLEM.ask(Table.parse("3 3\n111\n111\n111"), index=1), name, NO_LIMITS)
    assert (found.status, found.answer.stop) == (Status.UNKNOWN, Stop.DECLINED)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"sample": 2, "all": True}, "one of these at a time: sample, all"),
        ({"limit": 2}, "limit needs all"),
        ({"sample": -1}, "sample -1: expected at least 1"),
        ({"nothing": True}, "no option nothing"),
    ],
)
def test_bad_questions(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        PROBLEM.ask(Table.parse("1 1\n1"), **asked)


@pytest.mark.parametrize("words", [["--index", "0"], ["--sample", "0"], ["--all", "--limit", "0"]])
def test_zero_is_refused_on_the_command_line(words: list[str], tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("1 1\n1\n")
    found = CliRunner().invoke(cli, ["solve", "reconstruction", str(table), *words], standalone_mode=False)
    assert isinstance(found.exception, UsageError)
    assert "0: expected at least 1" in str(found.exception)


def test_nearest_agrees_with_brute_where_it_claims_to_be_exact() -> None:
    rng = np.random.default_rng(6)
    claims: Counter[str] = Counter()
    for _ in range(120):
        table = PROBLEM.ask(generate.tiny(rng), nearest=True)
        if table.sums.size > 12:
            continue
        answer, exact = direct.solve(table, NO_LIMITS), brute.solve(table, NO_LIMITS)
        assert PROBLEM.judge(table, answer.value) == PROBLEM.judge(table, exact.value) == []
        claims[answer.status] += 1
        assert answer.value.distance >= exact.value.distance
        if answer.status == Status.SOLVED or exact.value.distance == 1:
            assert answer.value.distance == exact.value.distance
            assert answer.status == Status.SOLVED
        else:
            assert "by a heuristic" in answer.note
    assert claims[Status.SOLVED] > 50
    assert claims[Status.FEASIBLE] > 0


def test_a_worse_board_is_never_called_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever board is found, it is `solved` only if none is nearer."""
    rng = np.random.default_rng(10)
    claims: Counter[str] = Counter()
    for _ in range(150):
        table = PROBLEM.ask(generate.changed(rng, 3, 4, entries=int(rng.integers(1, 5))), nearest=True)
        if direct.solve(Table(table.sums), NO_LIMITS).status == Status.SOLVED:
            continue
        exact = brute.solve(table, NO_LIMITS).value
        assert repair.lower_bound(table.sums) <= exact.distance
        poor = exact.mines.copy()
        poor.flat[rng.integers(poor.size)] ^= True
        found = poor if rng.random() < 0.5 else exact.mines
        monkeypatch.setattr(repair, "boards", lambda *_, found=found: iter([found]))
        answer = direct.solve(table, NO_LIMITS)
        claims[answer.status] += 1
        if answer.status == Status.SOLVED:
            assert answer.value.distance == exact.distance
    assert min(claims.values()) > 10


def test_engines_prove_the_nearest() -> None:
    rng = np.random.default_rng(7)
    for _ in range(6):
        table = PROBLEM.ask(generate.changed(rng, 3, 4, entries=3), nearest=True)
        exact = brute.solve(table, NO_LIMITS).value.distance
        for name in ("cpsat", "sat"):
            found = registry.backend("reconstruction", name).prepare(table, Limits(30).begin())()
            assert found.status == Status.SOLVED
            assert found.value.distance == exact


@pytest.mark.parametrize("side", [20, 21, 22, 50])
@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
def test_a_single_wrong_entry_is_found(side: int, density: float) -> None:
    rng = np.random.default_rng(side)
    for _ in range(4):
        table = PROBLEM.ask(generate.spoilt(rng, side, side + 1, density), nearest=True)
        answer = direct.solve(table, NO_LIMITS)
        assert answer.status == Status.SOLVED
        assert answer.value.distance == 1


@pytest.mark.parametrize("error", [2, 3, 4, 6])
def test_a_single_entry_that_is_far_off_is_mostly_proved(error: int) -> None:
    rng = np.random.default_rng(error)
    claims: Counter[str] = Counter()
    for side in (8, 9, 10, 20) * 4:
        sums = generate.random(rng, side, side + 1, 0.4).sums.copy()
        sums.flat[rng.integers(sums.size)] += error
        answer = direct.solve(PROBLEM.ask(Table(np.minimum(sums, 9)), nearest=True), NO_LIMITS)
        claims[answer.status] += 1
        assert answer.value.distance <= error
    assert claims[Status.SOLVED] >= 14


def test_several_wrong_entries_in_a_larger_table() -> None:
    table = generate.changed(np.random.default_rng(9), 60, 60, entries=12)
    answer = direct.solve(PROBLEM.ask(table, nearest=True), NO_LIMITS)
    assert answer.value.distance <= 12


def test_nearest_in_python_and_json() -> None:
    found = cpmines.solve("reconstruction", "1 1\n2\n", nearest=True).value
    assert PROBLEM.to_json(found) == {
        "mines": ["*"],
        "distance": 1,
        "wrong": [{"row": 0, "col": 0, "shown": 2, "mines": 1}],
    }
    assert PROBLEM.draw(Table(np.array([[2]])), found) == (
        "*\ndistance 1, 1 wrong entry\nrow 1, column 1 shows 2, the board has 1"
    )
    plain = cpmines.solve("reconstruction", "1 1\n1\n", nearest=True).value
    assert plain.distance == 0


def test_measured_tables_may_have_entries_above_the_size_of_their_block() -> None:
    text = "3 3\n510\n110\n000\n"
    with pytest.raises(
        InputError, match="text:2:1: found the number 5, expected at most 4 in row 1, column 1"
    ):
        cpmines.solve("reconstruction", text)
    found = cpmines.solve("reconstruction", text, nearest=True)
    assert found.status == Status.SOLVED
    assert found.value.wrong.tolist() == [[0, 0, 5, 1]]
    for text in ("1 1\n10\n", "1 2\n1 -1\n"):
        with pytest.raises(InputError, match="expected"):
            cpmines.solve("reconstruction", text, nearest=True)


def test_judge_of_near_boards() -> None:
    table, mines = Table(np.array([[2]])), np.ones((1, 1), np.bool_)
    assert PROBLEM.judge(table, Boards.near(table.sums, mines)) == [
        "a board whose table is only near, which was not asked for"
    ]
    asked = PROBLEM.ask(table, nearest=True)
    wrong = Boards(mines, wrong=np.array([[0, 0, 2, 0]]))
    assert PROBLEM.judge(asked, wrong) == ["the wrong entries are not those named"]
