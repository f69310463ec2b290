"""Maxmines: reading, writing, judging, and the generators."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cpmines
from cpmines import registry
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.board import parse_mine_rows
from cpmines.errors import InputError, UsageError
from cpmines.problems.maxmines import generate
from cpmines.problems.maxmines.problem import PROBLEM, MaxMines, Rectangle, Repeat, render_all
from cpmines.run import run

RECTANGLES = st.builds(Rectangle, st.integers(1, 10**18), st.integers(1, 10**18), st.integers(1, 8))


@given(st.lists(RECTANGLES, min_size=1, max_size=5))
def test_text_round_trip(instances: list[Rectangle]) -> None:
    assert PROBLEM.parse(render_all(instances)) == instances
    assert PROBLEM.parse(PROBLEM.render(instances[0])) == instances[:1]


@pytest.mark.parametrize(
    "text", ["2 2 3", "2 2 3\n", "1\n2 2 3\n\n", "# a comment\n\n1\n2 2 3", b" 2  2 3 \n"]
)
def test_forms_of_one_instance(text: str | bytes) -> None:
    assert PROBLEM.parse(text) == [Rectangle(2, 2, 3)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f:1: found the end of the input, expected a number of instances, or rows, columns and M"),
        ("5 5\n", "f:1: found 2 numbers, expected a number of instances, or rows, columns and M"),
        ("0\n", "f:1:1: found a number of instances of 0, expected at least 1"),
        ("-1\n2 2 2\n", "f:1:1: found a number of instances of -1, expected at least 1"),
        ("2\n3 3 3\n", "f:3: found the end of the input, expected rows, columns and M of instance 2 of 2"),
        (
            "1000000000000000000\n3 3 3\n",
            "f:3: found the end of the input, expected rows, columns and M of instance 2 "
            "of 1000000000000000000",
        ),
        ("1\n3 3 3\n4 4 4\n", "f:3:1: found '4', expected the end of the input"),
        ("3 3 3\n4 4 4\n", "f:2:1: found '4', expected the end of the input"),
        ("1\n3 3\n", "f:2: found 2 numbers, expected rows, columns and M of instance 1 of 1"),
        ("1\n3\n", "f:2: found 1 number, expected rows, columns and M of instance 1 of 1"),
        ("1\n3 3 3 3\n", "f:2: found 4 numbers, expected rows, columns and M of instance 1 of 1"),
        ("0 3 3\n", "f:1:1: found 0 rows, expected at least 1"),
        ("1\n3  -7 3\n", "f:2:4: found -7 columns, expected at least 1"),
        ("3 3 0\n", "f:1:5: found M = 0, expected 1 to 8"),
        ("# c\n2\n3 3 3\n10 10 9\n", "f:4:7: found M = 9, expected 1 to 8"),
        ("3 3 x\n", "f:1:5: found 'x', expected a number of instances, or rows, columns and M"),
        ("1\n3 3.5 2\n", "f:2:4: found '.', expected rows, columns and M of instance 1 of 1"),
        ("1\n3\t3 2\n", "f:2:2: found a tab, expected rows, columns and M of instance 1 of 1"),
        (
            "3 3 3\r\n",
            "f:1:6: found a carriage return (Windows line end), expected a number of instances, "
            "or rows, columns and M",
        ),
        (
            "1\n3 1000000000000000001 3\n",
            "f:2:3: found the number 1000000000000000001, expected rows, columns and M of instance 1 of 1, "
            "at most 10^18",
        ),
        (b"\xef\xbb\xbf1\n2 2 2\n", "f:1:1: found a byte-order mark, expected plain text without one"),
        (
            b"\x00\x01",
            "f:1:1: found byte 0x00, expected a number of instances, or rows, columns and M",
        ),
    ],
)
def test_bad_input(text: str | bytes, message: str) -> None:
    with pytest.raises(InputError) as error:
        PROBLEM.parse(text, "f")
    assert str(error.value) == message


@pytest.mark.parametrize("sides", [(0, 1, 1), (1, -1, 1), (1, 1, 0), (1, 1, 9)])
def test_no_such_instance(sides: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"rows?, .* columns?, M = "):
        Rectangle(*sides)


def judge(rows: list[str], around: int, mines: int) -> list[str]:
    board = parse_mine_rows(rows)
    return PROBLEM.judge(Rectangle(*board.shape, around), PROBLEM.ask(), MaxMines(mines, board))


@pytest.mark.parametrize(
    ("rows", "around", "mines", "faults"),
    [
        (["**", "*."], 3, 3, []),
        (["."], 1, 0, []),
        (["..", ".."], 1, 0, []),
        (["*"], 8, 1, ["the mine in row 1, column 1 has no empty neighbour"]),
        (["**", "*."], 3, 4, ["claimed 4 mines, the board has 3"]),
        (["**", "*."], 2, 3, ["the empty cell in row 2, column 2 has 3 mines around, at most 2 allowed"]),
        (
            [".***", "****"],
            3,
            7,
            [
                "the mine in row 1, column 3 has no empty neighbour",
                "the mine in row 1, column 4 has no empty neighbour",
                "the mine in row 2, column 3 has no empty neighbour",
                "the mine in row 2, column 4 has no empty neighbour",
            ],
        ),
        (
            ["***", "*.*", "..*"],
            6,
            7,
            ["claimed 7 mines, the board has 6"],
        ),
    ],
)
def test_judge(rows: list[str], around: int, mines: int, faults: list[str]) -> None:
    assert judge(rows, around, mines) == faults


def test_judge_rejects_a_board_of_another_size_or_type() -> None:
    size = Rectangle(2, 3, 8)
    wrong_size = "the board is bool of size 3x2, expected 2x3"
    assert PROBLEM.judge(size, PROBLEM.ask(), MaxMines.of(np.zeros((3, 2), np.bool_))) == [wrong_size]
    wrong_type = "the board is int64 of size 2x3, expected 2x3"
    assert PROBLEM.judge(size, PROBLEM.ask(), MaxMines(0, np.zeros((2, 3), np.int64))) == [wrong_type]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 8), st.data())
def test_judge_follows_the_rules_cell_by_cell(rows: int, cols: int, around: int, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.booleans(), min_size=rows * cols, max_size=rows * cols))
    board = np.array(cells).reshape(rows, cols)
    wrong = 0
    for row, col in np.ndindex(rows, cols):
        block = board[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
        mines = int(block.sum()) - int(board[row, col])
        empty = block.size - 1 - mines
        wrong += empty == 0 if board[row, col] else mines > around
    assert len(PROBLEM.judge(Rectangle(rows, cols, around), PROBLEM.ask(), MaxMines.of(board))) == wrong


def test_faces_of_a_value() -> None:
    value = MaxMines.of(parse_mine_rows(["**", "*."]))
    size = Rectangle(2, 2, 3)
    assert PROBLEM.to_json(value) == {"mines": 3, "board": ["**", "*."]}
    assert PROBLEM.headline(value) == "3"
    assert PROBLEM.draw(size, value) == "mines: 3\n**\n*."
    assert PROBLEM.verdict(size, Answer.solved(value)) == "3"
    assert PROBLEM.describe(size) == "2x2 M=3"
    assert not value.board.flags.writeable


LONG = MaxMines.of(np.array([[0, 1, 1, 0]], np.bool_), Repeat(1, 1, 3, 10**17))


@pytest.mark.parametrize(
    "value",
    [
        MaxMines(3, None),
        MaxMines.of(parse_mine_rows(["**", "*."])),
        replace(LONG, bound=LONG.mines),
        cpmines.solve("maxmines", "3 3 4", count=True).value,
        cpmines.solve("maxmines", "2 3 1", every=True).value,
    ],
    ids=["number", "board", "long", "count", "every"],
)
def test_json_round_trip(value: MaxMines) -> None:
    fields = PROBLEM.to_json(value)
    again = PROBLEM.from_json(json.loads(json.dumps(fields)))
    assert PROBLEM.to_json(again) == fields
    for field in dataclasses.fields(MaxMines):
        assert (getattr(again, field.name) is None) == (getattr(value, field.name) is None)


@pytest.mark.parametrize(
    "change",
    [
        *({"mines": 3.0}, {"mines": True}, {"mines": "3"}, {"mines": None}, {"board": ["**", "*"]}),
        *({"board": "**"}, {"board": ["**", "*x"]}, {"bound": None}, {"bound": 10**40}),
        *({"repeat": {}}, {"repeat": {"lines": "lines", "start": 0, "stop": 1, "times": 1}}),
        {"repeat": {"lines": "rows", "start": 0, "stop": 1, "times": 1.0}},
        *({"optimal_boards": 4}, {"optimal_boards": "04"}, {"distinct_boards": "-1"}, {"boards": [1]}),
        *({"boards": ["**"]}, {"boards": [["**"], ["*"]]}),
    ],
)
def test_fields_that_are_not_those_of_a_value(change: dict[str, object]) -> None:
    fields = PROBLEM.to_json(MaxMines.of(parse_mine_rows(["**", "*."])))
    with pytest.raises((TypeError, KeyError, ValueError, AttributeError, IndexError, OverflowError)):
        PROBLEM.from_json({**fields, **change})


def test_a_bound_below_the_mines_is_wrong_without_a_board() -> None:
    faults = PROBLEM.judge(Rectangle(6, 6, 8), PROBLEM.ask(), MaxMines(33, None, bound=-962))
    assert faults == ["claimed at most -962 mines, and 33"]


def test_questions() -> None:
    assert [question.name for question in PROBLEM.questions] == ["most", "count", "every"]
    assert PROBLEM.ask(count=True).name == "count"
    assert PROBLEM.size(Rectangle(3, 4, 5)) == 12
    with pytest.raises(UsageError, match="one question at a time: count, every"):
        PROBLEM.ask(count=True, every=True)
    with pytest.raises(UsageError, match="no question 'nonsense'; there are: most, count, every"):
        cpmines.solve("maxmines", "3 3 4", "sat", ask="nonsense")


@pytest.mark.parametrize(
    ("question", "lacking"),
    [("most", []), ("count", ["optimal_boards"]), ("every", ["optimal_boards", "boards"])],
)
def test_a_number_of_mines_alone_answers_the_first_question_only(question: str, lacking: list[str]) -> None:
    assert PROBLEM.ask(question).question.lacking(MaxMines(3, None)) == lacking


@pytest.mark.parametrize("question", ["count", "every"])
def test_engines_decline_what_they_do_not_answer(question: str) -> None:
    (size,) = PROBLEM.parse("3 3 4")
    found = run("maxmines", size, "sat", Limits(), PROBLEM.ask(question))
    assert (found.status, found.answer.stop) == (Status.UNKNOWN, Stop.DECLINED)
    assert registry.default_backends("maxmines", PROBLEM.ask(question).question) == ["direct", "brute"]


def test_api() -> None:
    run = cpmines.solve("maxmines", "2 2 3")
    assert run.value.mines == 3
    assert run.to_json()["value"]["mines"] == 3
    assert cpmines.solve("maxmines", "1 1 8").value.mines == 0


def test_tiny_covers_sizes_and_bounds() -> None:
    rng = np.random.default_rng(2)
    drawn = [generate.tiny(rng) for _ in range(4000)]
    assert max(size.rows * size.cols for size in drawn) == generate.TINY_CELLS
    assert len({(size.rows, size.cols) for size in drawn}) >= 30
    bounds = Counter(size.around for size in drawn)
    assert sorted(bounds) == list(range(1, 9))
    assert min(bounds.values()) > 400
    assert 0.05 < np.mean([min(size.rows, size.cols) == 1 for size in drawn]) < 0.4


def test_shrinking_ends_at_the_smallest_instance() -> None:
    size = Rectangle(7, 9, 8)
    while smaller := list(generate.shrink(size)):
        assert all(
            other.rows <= size.rows and other.cols <= size.cols and other.around <= size.around
            for other in smaller
        )
        assert size not in smaller
        size = smaller[-1]
    assert size == Rectangle(1, 1, 1)


@pytest.mark.parametrize("family", generate.FAMILIES)
def test_families_are_repeatable(family: str) -> None:
    first, again = (generate.FAMILIES[family](np.random.default_rng(3)) for _ in range(2))
    assert first == again
    assert PROBLEM.parse(PROBLEM.render(first)) == [first]


def test_shipped_instances_read(request: pytest.FixtureRequest) -> None:
    folder = Path(request.config.rootpath) / "instances" / "maxmines"
    files = sorted(folder.rglob("*.txt"))
    assert len(files) >= 8
    assert all(PROBLEM.parse(file.read_bytes(), str(file)) for file in files)


@pytest.mark.parametrize(
    "value",
    [
        MaxMines(3, None, optimal_boards=4, boards=np.zeros((1, 5, 5), np.bool_)),
        MaxMines(3, None, optimal_boards=-5),
        MaxMines(3, None, optimal_boards=4, distinct_boards=5),
    ],
)
def test_what_is_claimed_beside_no_board_is_judged(value: MaxMines) -> None:
    assert PROBLEM.judge(Rectangle(2, 2, 3), PROBLEM.ask("every"), value)
