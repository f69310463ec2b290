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
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.cli import cli
from cpmines.errors import InputError, LimitError, UsageError
from cpmines.kernels.pulse import Pulse
from cpmines.problems.reconstruction import generate, repair
from cpmines.problems.reconstruction.backends import brute, direct
from cpmines.problems.reconstruction.explain import members
from cpmines.problems.reconstruction.kernels.products import out_of_reach, packed, strongest_first
from cpmines.problems.reconstruction.kernels.repair import improve
from cpmines.problems.reconstruction.problem import PROBLEM, Boards, Table
from cpmines.run import Run, run
from tests.effort import some

NO_LIMITS = Limits()
PAIRS = [(down, across) for down in range(3) for across in range(3)]


def test_reasons_are_packed_as_by_their_sets_of_entries() -> None:
    """The kernel against sets of entries, on random tables and orders."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        shape = rng.integers(1, 9, 2)
        reasons = []
        for kind, (down, across) in enumerate(PAIRS):
            room = shape - np.maximum(3 * np.array([down, across]) - 1, 1)
            if (room >= 0).all():
                reasons += [(kind, *rng.integers(0, room + 1), rng.integers(1, 9)) for _ in range(3)]
        kinds, rows, cols, excess = np.array(rng.permutation(reasons)).reshape(-1, 4).T
        total, used = 0, set[tuple[int, int]]()
        for kind, row, col, over in zip(kinds, rows, cols, excess, strict=True):
            down, across = PAIRS[kind]
            lines = members(int(row), down)[0], members(int(col), across)[0]
            block = {(int(i), int(j)) for i in lines[0] for j in lines[1]}
            if not block & used:
                used |= block
                total += over
        told = kinds.astype(np.int8), (rows * shape[1] + cols).astype(np.int32), excess.astype(np.int8)
        order = np.arange(len(kinds), dtype=np.int32)
        grid = np.zeros(shape, np.uint8)
        assert packed(order, *told, np.array(PAIRS, np.int64), grid, Pulse(NO_LIMITS.check)) == total


def test_the_strongest_reasons_come_first() -> None:
    rng = np.random.default_rng(6)
    for size in (0, 1, 5, 1000):
        excess = rng.integers(1, 128, size).astype(np.int8)
        order = np.empty(size, np.int32)
        strongest_first(excess, order, Pulse(NO_LIMITS.check))
        assert np.array_equal(order, np.argsort(-excess.astype(np.int16), kind="stable"))


def test_too_many_reasons_for_the_memory_leave_the_short_ones() -> None:
    """Both are bounds: no more than by how much the table of a board was changed."""
    rng = np.random.default_rng(7)
    change = rng.integers(0, 30, (60, 60)) == 0
    table = generate.random(rng, 60, 60).sums + change.astype(np.int8)
    for memory in (1 << 30, 1 << 14):
        assert 0 < repair.disjoint(table, Limits(memory=memory)) <= change.sum()


def answer_of(
    table: Table, question: str, backend: Any = direct, limits: Limits = NO_LIMITS, **options: Any
) -> Answer[Any]:
    asked = PROBLEM.ask(question, **options)
    answer = backend.BACKEND.prepare(table, asked, limits)()
    if answer.value is not None:
        assert PROBLEM.judge(table, asked, answer.value) == []
    if answer.status == Status.SOLVED:
        assert asked.question.lacking(answer.value) == []
    return answer


def value_of(table: Table, question: str, backend: Any = direct, **options: Any) -> Boards:
    found = answer_of(table, question, backend, **options).value
    assert isinstance(found, Boards)
    return found


def run_of(table: Table, question: str, backend: str, **options: Any) -> Run[Any]:
    return run("reconstruction", table, backend, Limits(120), PROBLEM.ask(question, **options))


def keys(boards: Any) -> list[bytes]:
    return [board.tobytes() for board in boards]


def test_all_boards_of_tiny_tables() -> None:
    rng = np.random.default_rng(1)
    for _ in range(some(600, 150)):
        table = generate.tiny(rng)
        if answer_of(table, "board").status == Status.INFEASIBLE:
            continue
        listed = value_of(table, "all").boards
        assert sorted(keys(listed)) == sorted(keys(value_of(table, "all", brute).boards))
        assert len({int(board.sum()) for board in listed}) == 1, "all boards have as many mines"


@pytest.mark.parametrize("rows", [5, 8, 11])
@pytest.mark.parametrize("cols", [2, 5, 8, 9])
def test_all_boards_are_as_many_as_counted_and_differ(rows: int, cols: int) -> None:
    rng = np.random.default_rng(rows * cols)
    for levels in (2, 3, 4):
        table = generate.ambiguous(rng, rows, cols, rng.random(), levels)
        value = value_of(table, "all", limit=3000)
        assert len(set(keys(value.boards))) == len(value.boards) == min(value.solutions, 3000)
        if value.solutions <= 3000:
            boards = np.array(value.boards)
            always, ever = boards.all(axis=0), boards.any(axis=0)
            assert np.array_equal(value.forced, np.where(always == ever, always, -1))


def test_numbered_boards_are_those_of_the_list() -> None:
    table = generate.ambiguous(np.random.default_rng(2), 8, 8, 0.4, 3)
    value = value_of(table, "all")
    for number in (1, 2, value.solutions // 2, value.solutions):
        (board,) = value_of(table, "index", index=number).boards
        assert np.array_equal(board, value.boards[number - 1])
    beyond = run_of(table, "index", "direct", index=value.solutions + 1)
    assert (beyond.status, beyond.answer.stop) == (Status.UNKNOWN, Stop.DECLINED)


def test_a_numbered_board_of_astronomically_many() -> None:
    table = generate.ambiguous(np.random.default_rng(3), 302, 302, 1.0, 5)
    solutions = value_of(table, "count").solutions
    assert solutions > 10**60
    first, last = (value_of(table, "index", index=number).boards[0] for number in (1, solutions))
    assert not np.array_equal(first, last)


def test_the_limit_cuts_the_list() -> None:
    table = generate.ambiguous(np.random.default_rng(4), 30, 2, 1.0, 2)
    answer = answer_of(table, "all", limit=5)
    assert len(answer.value.boards) == 5
    assert answer.note == "5 boards listed, there are more"


def test_samples_are_uniform_and_repeat_with_the_seed() -> None:
    table = generate.ambiguous(np.random.default_rng(8), 5, 5, 1.0, 3)
    count = value_of(table, "count").solutions
    assert 4 <= count <= 60
    drawn = answer_of(table, "sample", limits=Limits(seed=5), sample=200 * count).value
    often = Counter(keys(drawn.boards))
    assert len(often) == count
    chi_square = sum((times - 200) ** 2 / 200 for times in often.values())
    assert chi_square < count + 5 * (2 * count) ** 0.5
    again = answer_of(table, "sample", limits=Limits(seed=5), sample=200 * count).value
    assert keys(again.boards) == keys(drawn.boards)
    other = answer_of(table, "sample", limits=Limits(seed=6), sample=20).value
    assert keys(other.boards) != keys(drawn.boards)[:20]


@pytest.mark.parametrize("extreme", ["fewest", "most"])
def test_all_backends_agree_on_the_fewest_and_most_mines(extreme: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        table = generate.tiny(rng)
        runs = [run_of(table, extreme, name) for name in ("direct", "brute", "cpsat")]
        assert len({found.status for found in runs}) == 1
        if runs[0].status == Status.SOLVED:
            assert len({found.value.mine_count for found in runs}) == 1


@pytest.mark.parametrize("name", ["cpsat", "sat", "brute", "published"])
def test_others_do_not_answer_for_numbered_boards(name: str) -> None:
    found = run_of(Table.parse("3 3\n111\n111\n111"), "index", name, index=1)
    assert (found.status, found.answer.stop) == (Status.UNKNOWN, Stop.DECLINED)
    assert found.answer.note == f"{name} does not answer the question index"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"sample": 2, "all": True}, "no option sample of the question all"),
        ({"fewest": True, "most": True}, "one question at a time: fewest, most"),
        ({"sample": 0}, "sample 0: expected at least 1"),
        ({"index": -1}, "index -1: expected at least 1"),
        ({"all": True, "limit": 0}, "limit 0: expected at least 1"),
        ({"nothing": True}, "no option nothing"),
    ],
)
def test_bad_questions(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cpmines.solve("reconstruction", "1 1\n1", **asked)


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
        table = generate.tiny(rng)
        if table.sums.size > 12:
            continue
        answer, exact = answer_of(table, "nearest"), answer_of(table, "nearest", brute)
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
        table = generate.changed(rng, 3, 4, entries=int(rng.integers(1, 5)))
        if answer_of(table, "board").status == Status.SOLVED:
            continue
        exact = value_of(table, "nearest", brute)
        assert repair.lower_bound(table.sums, NO_LIMITS) <= exact.distance
        poor = exact.mines.copy()
        poor.flat[rng.integers(poor.size)] ^= True
        found = poor if rng.random() < 0.5 else exact.mines
        monkeypatch.setattr(repair, "boards", lambda *_, found=found: iter([found]))
        answer = answer_of(table, "nearest")
        claims[answer.status] += 1
        if answer.status == Status.SOLVED:
            assert answer.value.distance == exact.distance
    assert min(claims.values()) > 10


def test_engines_prove_the_nearest() -> None:
    rng = np.random.default_rng(7)
    for _ in range(6):
        table = generate.changed(rng, 3, 4, entries=3)
        exact = value_of(table, "nearest", brute).distance
        for name in ("cpsat", "sat"):
            found = run_of(table, "nearest", name)
            assert found.trusted
            assert found.status == Status.SOLVED
            assert found.value.distance == exact


@pytest.mark.parametrize("side", [20, 21, 22, 50])
@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
def test_a_single_wrong_entry_is_found(side: int, density: float) -> None:
    rng = np.random.default_rng(side)
    for _ in range(4):
        answer = answer_of(generate.spoilt(rng, side, side + 1, density), "nearest")
        assert answer.status == Status.SOLVED
        assert answer.value.distance == 1


@pytest.mark.parametrize("error", [2, 3, 4, 6])
def test_a_single_entry_that_is_far_off_is_mostly_proved(error: int) -> None:
    rng = np.random.default_rng(error)
    claims: Counter[str] = Counter()
    for side in (8, 9, 10, 20) * 4:
        sums = generate.random(rng, side, side + 1, 0.4).sums.copy()
        sums.flat[rng.integers(sums.size)] += error
        answer = answer_of(Table(np.minimum(sums, 9)), "nearest")
        claims[answer.status] += 1
        assert answer.value.distance <= error
    assert claims[Status.SOLVED] >= 14


def test_several_wrong_entries_in_a_larger_table() -> None:
    table = generate.changed(np.random.default_rng(9), 60, 60, entries=12)
    answer = answer_of(table, "nearest")
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
    assert PROBLEM.judge(table, PROBLEM.ask("board"), Boards.near(table.sums, mines)) == [
        "a board whose table is only near, which was not asked for"
    ]
    wrong = Boards(mines, wrong=np.array([[0, 0, 2, 0]]))
    assert PROBLEM.judge(table, PROBLEM.ask("nearest"), wrong) == ["the wrong entries are not those named"]


def test_published_answers_what_the_origin_asks() -> None:
    assert [question.name for question in registry.answered("reconstruction", "published")] == ["board"]
    assert PROBLEM.printed == "board"
    found = cpmines.solve("reconstruction", "1 1\n1", "published")
    assert (found.asked.name, found.status) == ("board", Status.SOLVED)


@pytest.mark.parametrize(
    "work",
    [
        lambda sums, over: repair.repair(sums, over),
        lambda sums, over: repair.disjoint(sums, over),
        lambda sums, over: repair.single_change(sums, over),
        lambda sums, over: repair.rows_chosen(sums, np.zeros(sums.shape, np.int8), over),
        lambda sums, over: repair.descend(sums, np.zeros(sums.shape, np.int8), over),
    ],
)
def test_every_part_of_the_repair_looks_at_the_clock(work: Any) -> None:
    sums = np.random.default_rng(8).integers(0, 10, (120, 121)).astype(np.int8)
    with pytest.raises(LimitError):
        work(sums, Limits(deadline=0.0))


def test_the_kernels_of_a_repair_look_at_the_clock() -> None:
    """Each alone: around it the clock is looked at, too."""
    sums = np.zeros((5000, 3), np.int8)
    pulse = Pulse(Limits(deadline=0.0).check)
    with pytest.raises(LimitError):
        out_of_reach(sums, 0, 0, np.empty((1, 3), np.int64), pulse)
    places, excess = np.zeros(5000, np.int32), np.ones(5000, np.int8)
    with pytest.raises(LimitError):
        strongest_first(excess, places, pulse)
    pairs, used = np.zeros((1, 2), np.int64), np.zeros((5000, 3), np.uint8)
    with pytest.raises(LimitError):
        packed(places, np.zeros(5000, np.int8), places, excess, pairs, used, pulse)
    with pytest.raises(LimitError):
        improve(sums, np.zeros_like(sums), 0, 5000, True, pulse)
