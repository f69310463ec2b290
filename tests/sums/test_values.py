"""Values as JSON and as text, and what the judge rejects in them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cpmines.problems.reconstruction.problem import PROBLEM, Reason
from cpmines.question import Asked
from cpmines.sums.boards import OPEN, Boards
from cpmines.sums.table import Table

TABLE = Table.parse("2 2\n11\n11\n")
CORNERS = [np.arange(4).reshape(2, 2) == k for k in range(4)]
ONE, TWO = CORNERS[:2]
EMPTY, FREE = np.zeros((2, 2), np.bool_), np.full((2, 2), OPEN, np.int8)
FULL = Boards(ONE, 4, FREE, False, TWO, tuple(CORNERS), 1)
FIELDS = PROBLEM.to_json(FULL)
NEAR = PROBLEM.to_json(Boards.near(TABLE.sums, EMPTY))
REASON = Reason.of(Table.parse("2 2\n31\n11\n").sums, np.array([[0, 0, 1], [0, 1, -1]], np.int32)).to_json()


@pytest.mark.parametrize(
    "fields", [FIELDS, NEAR, REASON, {"mines": ["*."]}], ids=["full", "near", "reason", "board"]
)
def test_json_round_trip(fields: dict[str, Any]) -> None:
    assert PROBLEM.to_json(PROBLEM.from_json(fields)) == fields


def test_the_fields_are_those_of_the_questions() -> None:
    assert list(FIELDS) == ["mines", "unique", "other", "solutions", "forced", "boards", "mine_count"]
    there = {*FIELDS, *NEAR}
    for question in PROBLEM.questions:
        objective = [question.objective.field] if question.objective else []
        assert {*question.fields, *question.determined, *objective} <= there
    for name in there:
        assert hasattr(FULL, name)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"unique": True},
        {**FIELDS, "unique": 1},
        {**FIELDS, "unique": None},
        {**FIELDS, "solutions": 4},
        {**FIELDS, "solutions": "04"},
        {**FIELDS, "mines": ["x.", ".."]},
        {**FIELDS, "mines": "*."},
        {**FIELDS, "forced": ["??", "?!"]},
        {**FIELDS, "boards": ["*.", ".."]},
        {**FIELDS, "mine_count": 1.0},
        {**FIELDS, "mine_count": True},
        {**FIELDS, "more": 1},
        {**NEAR, "distance": 3},
        {**NEAR, "distance": None},
        {name: field for name, field in NEAR.items() if name != "distance"},
        {name: field for name, field in NEAR.items() if name != "wrong"},
        {**NEAR, "wrong": [{**NEAR["wrong"][0], "row": 0.0}]},
        {**NEAR, "wrong": [{**NEAR["wrong"][0], "more": 0}]},
        {**REASON, "mines": ["*."]},
        {"reason": {**REASON["reason"], "sum": 2.0}},
        {"reason": {**REASON["reason"], "more": 2}},
        {"reason": {**REASON["reason"], "entries": [[0, 0, 1], [0, 1, -1.0]]}},
        {"reason": {**REASON["reason"], "entries": [[0, 0], [1, 0], [1, 1]]}},
    ],
)
def test_other_fields_are_no_value(fields: dict[str, Any]) -> None:
    with pytest.raises((TypeError, KeyError, ValueError, AttributeError, IndexError, OverflowError)):
        PROBLEM.from_json(fields)


UNIQUE, ALL, SAMPLE = PROBLEM.ask("unique"), PROBLEM.ask("all", limit=3), PROBLEM.ask("sample", sample=2)


@pytest.mark.parametrize(
    ("asked", "value", "fault"),
    [
        (UNIQUE, Boards(ONE, unique=False), "other boards are claimed, and none is shown"),
        (UNIQUE, Boards(ONE, 1, unique=False), "other boards are claimed, and none is shown"),
        (UNIQUE, Boards(ONE, unique=False, other=ONE), "the other board is the same one"),
        (
            UNIQUE,
            Boards(ONE, unique=False, other=EMPTY),
            "the other board: row 1, column 1: the table says 1, the board has 0",
        ),
        (
            UNIQUE,
            Boards(ONE, unique=False, other=TWO[:1]),
            "the other board: board of shape (1, 2), the table has shape (2, 2)",
        ),
        (
            UNIQUE,
            Boards(ONE, unique=True, other=TWO),
            "the board is claimed to be the only one, and there are others",
        ),
        (
            UNIQUE,
            Boards(ONE, 4, unique=True),
            "the board is claimed to be the only one, and there are others",
        ),
        (
            UNIQUE,
            Boards(ONE, None, ONE.astype(np.int8), False, TWO),
            "row 1, column 1 is claimed to be a mine in all boards, the board shown differs",
        ),
        (ALL, Boards(ONE, boards=(ONE, ONE)), "a board is listed twice"),
        (ALL, Boards(ONE, boards=(EMPTY,)), "board 1: row 1, column 1: the table says 1, the board has 0"),
        (ALL, Boards(ONE, boards=tuple(CORNERS)), "4 boards listed, expected 3"),
        (ALL, Boards(ONE, 4, boards=(ONE, TWO)), "2 boards listed, expected 3"),
        (ALL, Boards(ONE, 2, boards=tuple(CORNERS[:3])), "3 boards listed, expected 2"),
        (SAMPLE, Boards(ONE, boards=(ONE,)), "1 board listed, expected 2"),
        (PROBLEM.ask("index", index=3), Boards(ONE, boards=(ONE, TWO)), "2 boards listed, expected 1"),
        (PROBLEM.ask("most"), Boards(ONE, mine_count=2), "2 mines claimed, the board has 1"),
        (UNIQUE, Boards.near(TABLE.sums, ONE), "a board whose table is only near, which was not asked for"),
    ],
)
def test_judge_rejects(asked: Asked, value: Boards, fault: str) -> None:
    assert fault in PROBLEM.judge(TABLE, asked, value)


def test_judge_accepts() -> None:
    assert PROBLEM.judge(TABLE, PROBLEM.ask("all"), FULL) == []
    assert PROBLEM.judge(TABLE, SAMPLE, Boards(ONE, boards=(TWO, TWO))) == []
    assert PROBLEM.judge(TABLE, ALL, Boards(ONE, boards=(ONE,))) == []
    assert PROBLEM.judge(TABLE, UNIQUE, Boards(ONE, 4, unique=False)) == []


@pytest.mark.parametrize(
    ("value", "headline", "last"),
    [
        (Boards(ONE), "a board", "a board"),
        (Boards(ONE, unique=True), "unique", "unique"),
        (Boards(ONE, unique=False, other=TWO), "not unique", ".."),
        (Boards(ONE, None, ONE.astype(np.int8)), "4 cells forced", "4 cells forced"),
        (Boards(ONE, 4), "4 boards", "4 boards"),
        (Boards(ONE, boards=(ONE, TWO)), "a board", "2 boards"),
        (Boards(ONE, 4, boards=(ONE, TWO)), "4 boards", "2 of 4 boards"),
        (Boards(ONE, 2, np.where([[True, False], [True, True]], ONE, OPEN)), "2 boards", ".."),
    ],
)
def test_text(value: Boards, headline: str, last: str) -> None:
    assert PROBLEM.headline(value) == headline
    assert PROBLEM.draw(TABLE, value).splitlines()[-1] == last
