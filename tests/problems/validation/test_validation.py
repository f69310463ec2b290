"""Validation against its definition, its judge, and the real boards."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import cpmines
from cpmines.answer import Limits
from cpmines.board import MINE, Board
from cpmines.errors import LimitError
from cpmines.kernels.pulse import Pulse
from cpmines.problems.validation import generate, model
from cpmines.problems.validation.backends import brute, direct, published
from cpmines.problems.validation.kernels.wrong import count_wrong, list_wrong
from cpmines.problems.validation.problem import PROBLEM, Validity
from tests.conftest import REAL
from tests.effort import some

NO_LIMITS = Limits()
ASKED = PROBLEM.ask()
BOARDS = arrays(np.int8, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=st.integers(MINE, 8))


def fields(backend: object, board: Board) -> dict[str, object]:
    answer = backend.solve(board, NO_LIMITS)  # type: ignore[attr-defined]
    assert PROBLEM.judge(board, ASKED, answer.value) == []
    return PROBLEM.to_json(answer.value)


def test_backends_agree_on_tiny_boards() -> None:
    rng = np.random.default_rng(1)
    valid, count = 0, some(3000, 600)
    for _ in range(count):
        board = generate.tiny(rng)
        expected = fields(brute, board)
        assert fields(direct, board) == expected
        assert fields(published, board) == {"valid": expected["valid"]}
        valid += expected["valid"]
    assert 0.3 * count < valid < 0.7 * count


@settings(max_examples=some(300, 100))
@given(BOARDS)
def test_direct_agrees_with_the_definition(cells: np.ndarray) -> None:
    assert fields(direct, Board(cells)) == fields(brute, Board(cells))


@given(BOARDS)
def test_only_solution_of_the_model_is_the_verdict(cells: np.ndarray) -> None:
    board = Board(cells)
    statement = model.plain(board)
    verdict = brute.solve(board, NO_LIMITS).value
    wrong = {(row, col): mines for row, col, _, mines in verdict.wrong.tolist()}
    clues = [cell for cell in np.ndindex(board.shape) if cells[cell] != MINE]
    parts = [
        [cell not in wrong for cell in clues],
        [cell in wrong and cells[cell] > wrong[cell] for cell in clues],
        [cell in wrong and cells[cell] < wrong[cell] for cell in clues],
    ]
    assignment = np.concatenate([(cells == MINE).ravel(), np.array(parts, np.bool_).ravel()])
    assert statement.holds(assignment)
    assert PROBLEM.to_json(model.decode(board, [assignment], True)) == PROBLEM.to_json(verdict)
    for variable in range(cells.size, len(assignment)):
        assignment[variable] ^= True
        assert not statement.holds(assignment)
        assignment[variable] ^= True


BOARD = Board.parse("2 3\n1*1\n12.\n")
TRUE = [(1, 1, 2, 1), (1, 2, 0, 1)]


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (Validity(True), "claimed valid, wrong cells: 2"),
        (Validity.of([]), "claimed valid, wrong cells: 2"),
        (Validity.of(TRUE[:1]), "row 2, column 3 is wrong but not reported (shows 0, mines around: 1)"),
        (
            Validity.of([*TRUE, (0, 0, 1, 2)]),
            "row 1, column 1 was reported, which is not so (shows 1, mines around: 2)",
        ),
        (
            Validity.of([TRUE[0], (1, 2, 0, 2)]),
            "row 2, column 3 is wrong but not reported (shows 0, mines around: 1)",
        ),
        (Validity.of(TRUE[::-1]), "the wrong cells are not in reading order, or one is repeated"),
        (Validity.of([TRUE[0], *TRUE]), "the wrong cells are not in reading order, or one is repeated"),
    ],
)
def test_judge_rejects(value: Validity, fault: str) -> None:
    assert PROBLEM.judge(BOARD, ASKED, value)[0] == fault


def test_judge_accepts() -> None:
    assert PROBLEM.judge(BOARD, ASKED, Validity.of(TRUE)) == []
    assert PROBLEM.judge(BOARD, ASKED, Validity(False)) == []
    assert PROBLEM.judge(Board.parse("1 1\n.\n"), ASKED, Validity(False)) == [
        "claimed not valid, wrong cells: 0"
    ]


@pytest.mark.parametrize(
    ("text", "valid"),
    [("2 2\n**\n**\n", True), ("2 2\n11\n1*\n", True), ("1 5\n1*1*1\n", False), ("2 2\n.*\n..\n", False)],
)
def test_examples_of_the_published_text(text: str, valid: bool) -> None:
    """The text gets the first three wrong; its program does not."""
    for backend in ("brute", "direct", "published", "cpsat", "sat"):
        assert cpmines.solve("validation", text, backend=backend).value.valid is valid


def test_output() -> None:
    answer = direct.solve(BOARD, NO_LIMITS)
    assert PROBLEM.headline(answer.value) == "2 wrong"
    assert PROBLEM.verdict(BOARD, answer) == "NO"
    assert "row 2, column 3 shows ., mines around: 1" in PROBLEM.draw(BOARD, answer.value)
    assert PROBLEM.to_json(answer.value)["wrong"][0] == {"row": 1, "col": 1, "shown": "2", "mines": 1}
    assert PROBLEM.verdict(BOARD, published.solve(BOARD, NO_LIMITS)) == "NO"
    assert PROBLEM.headline(Validity(False)) == PROBLEM.draw(BOARD, Validity(False)) == "not valid"


CELL = {"row": 0, "col": 0, "shown": "1", "mines": 0}


@pytest.mark.parametrize(
    "fields",
    [
        *({}, {"valid": 1}, {"valid": None}, {"valid": False, "wrong": None}, {"valid": False, "wrong": [1]}),
        *(
            {"valid": False, "wrong": [{**CELL, name: wrong}]}
            for name, wrong in (
                *(("row", True), ("row", 0.0), ("row", 2**31), ("mines", "0")),
                *(("shown", 1), ("shown", "*"), ("shown", "12"), ("shown", "0")),
            )
        ),
        {"valid": False, "wrong": [{"row": 0}]},
    ],
)
def test_other_fields_are_no_value(fields: dict[str, object]) -> None:
    with pytest.raises((TypeError, ValueError, KeyError, OverflowError)):
        PROBLEM.from_json(fields)
    assert PROBLEM.from_json({"valid": False, "wrong": [CELL]}).wrong.tolist() == [[0, 0, 1, 0]]  # type: ignore[union-attr]


def test_shrinking_makes_smaller_or_simpler_boards() -> None:
    board = Board.parse("2 2\n*3\n1.\n")
    smaller = list(generate.shrink(board))
    assert Board.parse("1 2\n*3\n") in smaller
    assert Board.parse("2 2\n*2\n1.\n") in smaller
    assert board not in smaller


@pytest.mark.skipif(not REAL.is_dir(), reason="the real boards are not here")
def test_real_boards() -> None:
    with (REAL / "validation" / "INDEX.tsv").open() as index:
        for line in csv.DictReader(index, delimiter="\t"):
            board = Board.parse((REAL / "validation" / f"{line['name']}.txt").read_bytes())
            found = fields(direct, board)
            assert found["valid"] is line["expected"].startswith("valid=YES"), line["name"]
            if not found["valid"]:
                count = line["expected"].split("wrong_cells=")[1].split(";")[0]
                assert len(found["wrong"]) == int(count), line["name"]


class CountedLimits(Limits):
    """Counts looks at the clock."""

    looks = 0

    def check(self, done: float | None = None) -> None:
        type(self).looks += 1


def test_the_clock_is_looked_at_within_a_row() -> None:
    """A board of 2 x 1,000,000 took 9 s beyond a limit of 0.1 s."""
    CountedLimits.looks = 0
    board = Board(np.zeros((1, 5_000), np.int8))
    found = brute.valid(board, CountedLimits()).value
    assert found is not None
    assert found.valid
    assert CountedLimits.looks >= 5


def test_both_passes_look_at_the_clock() -> None:
    cells = np.full((5000, 2), MINE, np.int8)
    pulse = Pulse(Limits(deadline=0.0).check)
    with pytest.raises(LimitError):
        count_wrong(cells, pulse)
    with pytest.raises(LimitError):
        list_wrong(cells, np.zeros(5000, np.int64), np.empty((0, 4), np.int32), pulse)
