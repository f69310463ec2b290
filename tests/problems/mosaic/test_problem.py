"""Puzzles as text and arrays, and the judge."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from cpmines import files
from cpmines.answer import Answer, Limits
from cpmines.errors import InputError
from cpmines.grid import block_sizes
from cpmines.problems.mosaic.backends import direct
from cpmines.problems.mosaic.problem import PROBLEM, Puzzle
from cpmines.sums.boards import Boards

PUZZLES = arrays(np.int8, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(-1, 9)).map(
    lambda sums: np.minimum(sums, block_sizes(*sums.shape))
)
SHIPPED = files.instance_files(files.shipped() / "mosaic")
FACTS = PROBLEM.ask("facts")
facts = direct.ANSWERS["facts"]


def npy(array: np.ndarray) -> bytes:
    data = io.BytesIO()
    np.save(data, array)
    return data.getvalue()


@settings(deadline=None)
@given(PUZZLES, st.sampled_from([".", "?", "-1"]), st.sampled_from([" ", "  "]))
@example(np.array([[0], [-1]], np.int8), "-1", " ")
def test_all_notations(sums: np.ndarray, gap: str, space: str) -> None:
    puzzle = Puzzle(sums)
    assert PROBLEM.parse(PROBLEM.render(puzzle)) == [puzzle]
    assert eval(repr(puzzle)) == puzzle
    assert hash(Puzzle.parse(str(puzzle))) == hash(puzzle)
    rows = [space.join(gap if entry < 0 else str(entry) for entry in row) for row in sums.tolist()]
    assert Puzzle.parse("\n".join(["# a comment", "{} {}".format(*sums.shape), *rows, ""])) == puzzle
    assert Puzzle.parse(npy(sums)) == puzzle
    if gap != "-1":
        joined = "\n".join(row.replace(" ", "") for row in rows)
        assert Puzzle.parse("{} {}\n{}".format(*sums.shape, joined)) == puzzle


BAD = {
    "2 2\n1.\n": "-:3: found the end of the input, expected row 2 of 2",
    "2 2\n1.\n1\n": "-:3: found a row of 1 character, expected 2 cells (a number 0-9, or . or ? for none)",
    "2 2\n1.\n1x\n": "-:3:2: found 'x', expected a number 0-9, or . or ? for none",
    "2 2\n1.\n-1\n": "-:3:1: found '-', expected a number 0-9, or . or ? for none",
    "2 2\n1 .\n1 -2\n": "-:3:3: found '-2', expected a number 0-9, or . or ? for none (or -1)",
    "2 2\n1 .\n1 10\n": "-:3:3: found '10', expected a number 0-9, or . or ? for none (or -1)",
    "2 2\n1 .\n1 x\n": "-:3:3: found 'x', expected a number 0-9, or . or ? for none (or -1)",
    "2 2\n1 .\n1\n": "-:3: found 1 entry, expected 2 in a row",
    "2 2\n1 .\n1 . .\n": "-:3: found 3 entries, expected 2 in a row",
    "2 2\n1 .\n": "-:3: found the end of the input, expected row 2 of 2",
    "2 2\n1 .\n. .\n.\n": "-:4:1: found '.', expected the end of the input",
    "2 3\n...\n5..\n": "-:3:1: found the number 5, "
    "expected at most 4 in row 2, column 1, the size of the block there",
    "3 3\n-1 ? .\n-1 . -1\n? 7 .\n": "-:4:3: found the number 7, "
    "expected at most 6 in row 3, column 2, the size of the block there",
    "999 999\n1 .\n": "-:2: found 4 bytes of rows, expected 999 rows of 999 cells as the first line says",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_input_is_named_with_its_place(text: str) -> None:
    with pytest.raises(InputError) as error:
        Puzzle.parse(text)
    assert str(error.value) == BAD[text]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (npy(np.array([[1, -2]])), "-:1:2: found the number -2, expected a number from -1 to 9"),
        (
            npy(np.array([[-1, 3]])),
            "-:1:2: found the number 3, expected at most 2 in row 1, column 2, the size",
        ),
        (npy(np.array([[1.0]])), "found an array of type float64 and shape \\(1, 1\\)"),
        (npy(np.array([1])), "expected whole numbers in rows and columns"),
        (
            npy(np.array([[None]])),
            "-:1: found an array of type object and shape \\(1, 1\\), expected whole numbers",
        ),
        (
            npy(np.array([[1, 2]]))[:-3],
            "-:1: found an array of type int64 and shape \\(1, 2\\) in 13 bytes, expected as many as it says",
        ),
    ],
)
def test_bad_arrays(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Puzzle.parse(data)


PUZZLE = Puzzle.parse("2 2\n1.\n..\n")
ONE, OPEN = np.array([[True, False], [False, False]]), np.full((2, 2), -1)


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (Boards(ONE[:1]), "board of shape (1, 2), the table has shape (2, 2)"),
        (Boards(ONE, 4, OPEN[:1]), "array of forced cells of shape (1, 2), the table has shape (2, 2)"),
        (Boards(~ONE), "row 1, column 1: the table says 1, the board has 3"),
        (Boards(ONE, 0), "0 boards claimed, and one shown"),
        (Boards(ONE, 1, OPEN), "one board claimed, and 4 cells not the same in all"),
        (Boards(ONE, 17, OPEN), "17 boards claimed, and 4 cells in which they differ"),
        (Boards(ONE, 2, ONE.astype(np.int8)), "2 boards claimed, and 0 cells in which they differ"),
        (
            Boards(ONE, 4, np.zeros((2, 2))),
            "row 1, column 1 is claimed to be empty in all boards, the board shown differs",
        ),
    ],
)
def test_judge_rejects(value: Boards, fault: str) -> None:
    assert fault in PROBLEM.judge(PUZZLE, FACTS, value)


def test_judge_names_only_the_first_of_many_wrong_cells() -> None:
    faults = PROBLEM.judge(Puzzle(np.zeros((5, 5))), FACTS, Boards(np.ones((5, 5), np.bool_)))
    assert faults[-1] == "and 15 more cells"
    assert len(faults) == 11


def test_output() -> None:
    value = facts(PUZZLE, Limits()).value
    assert PROBLEM.judge(PUZZLE, FACTS, value) == []
    fields = PROBLEM.to_json(value)
    assert fields["solutions"] == "4"
    assert fields["forced"] == ["??", "??"]
    assert PROBLEM.draw(PUZZLE, value).endswith("4 boards, 0 of 4 cells are the same in all")
    assert PROBLEM.draw(PUZZLE, Boards(ONE)) == "*.\n..\na board"
    assert PROBLEM.verdict(PUZZLE, Answer.infeasible()) == "NO"
    assert PROBLEM.verdict(PUZZLE, Answer.solved(Boards(ONE))) == "*.\n.."
    assert PROBLEM.headline(Boards(ONE, 1 << 100)) == "2^100 boards"
    assert PROBLEM.describe(PUZZLE) == "2x2, 1 sum"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_shipped_instances(path: files.Path) -> None:
    (puzzle,) = PROBLEM.parse(files.read(path), str(path))
    expected = files.expected_answer(path)
    assert expected is not None, "no expected answer"
    answer = facts(puzzle, Limits())
    assert answer.status == expected["status"]
    if answer.value is not None:
        assert PROBLEM.judge(puzzle, FACTS, answer.value) == []
        fields = PROBLEM.to_json(answer.value)
        assert fields | expected["value"] == fields
