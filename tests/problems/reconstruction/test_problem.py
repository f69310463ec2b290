"""Tables and boards as text, the judge, the real tables, and the instances that ship."""

from __future__ import annotations

import csv
import io
import re
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from cpmines import files
from cpmines.answer import Answer, Limits
from cpmines.errors import InputError
from cpmines.grid import block_sizes
from cpmines.numerals import decimal
from cpmines.problems.reconstruction.backends import direct
from cpmines.problems.reconstruction.problem import PROBLEM, Boards, Table
from tests.conftest import REAL

TABLES = arrays(np.int8, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(0, 9)).map(
    lambda sums: np.minimum(sums, block_sizes(*sums.shape))
)
SHIPPED = files.instance_files(files.shipped() / "reconstruction")
FACTS = PROBLEM.ask("facts")
facts = direct.ANSWERS["facts"]


def value_of(text: str) -> Boards:
    found = facts(Table.parse(text), Limits()).value
    assert isinstance(found, Boards)
    return found


@settings(deadline=None)
@given(TABLES, st.sampled_from([" ", "  "]), st.booleans())
def test_text_round_trip(sums: np.ndarray, gap: str, final_newline: bool) -> None:
    table = Table(sums)
    assert PROBLEM.parse(PROBLEM.render(table)) == [table]
    assert eval(repr(table)) == table
    assert hash(Table.parse(str(table))) == hash(table)
    header, *rows = str(table).splitlines()
    spaced = "\n".join([header, *(gap.join(row) for row in rows)]) + "\n" * final_newline
    assert Table.parse(f"# a comment\n{spaced}") == table
    assert Table.parse("\n".join([header, *(f" {gap.join(row)} " for row in rows)])) == table


@settings(deadline=None)
@given(TABLES, st.sampled_from([np.int8, np.uint8, np.int64, ">i4"]), st.booleans())
def test_numpy_arrays(sums: np.ndarray, kind: str, fortran: bool) -> None:
    data = io.BytesIO()
    np.save(data, np.asarray(sums, kind, order="F" if fortran else "C"))
    assert PROBLEM.parse(data.getvalue()) == [Table(sums)]


def test_numpy_arrays_with_other_numbers() -> None:
    for array, place in (
        ([[1, 10]], "file:1:2: found the number 10"),
        ([[1], [-1]], "file:2:1: found"),
        (
            [[1, 1], [1, 5]],
            "file:2:2: found the number 5, expected at most 4 in row 2, column 2, the size of",
        ),
    ):
        data = io.BytesIO()
        np.save(data, np.array(array))
        with pytest.raises(InputError, match=place):
            Table.parse(data.getvalue(), "file")


def test_tables_differ_by_shape_and_entries() -> None:
    assert Table(np.zeros((1, 4), np.int8)) != Table(np.zeros((2, 2), np.int8))
    assert Table.parse("1 2\n11") != Table.parse("1 2\n10")
    assert Table.parse("1 1\n1") != "1 1\n1\n"


BAD = {
    "": "-:1: found the end of the input, expected rows and columns",
    "2\n": "-:1: found 1 number, expected rows and columns",
    "0 3\n": "-:1: found a board of 0 x 3, expected at least 1 row and 1 column",
    "x 3\n": "-:1:1: found 'x', expected rows and columns",
    "2 2\n11\n": "-:3: found the end of the input, expected row 2 of 2",
    "2 2\n11\n1\n": "-:3: found a row of 1 character, expected 2 cells (a number 0-9)",
    "3 2\n11\n1\n11\n": "-:3: found a row of 1 character, expected 2 cells (a number 0-9)",
    "2 2\n11\n111\n": "-:3: found a row of 3 characters, expected 2 cells (a number 0-9)",
    "2 2\n11\n1x\n": "-:3:2: found 'x', expected a number 0-9",
    "2 2\n11\n-1\n": "-:3:1: found '-', expected a number 0-9",
    "2 2\n11\r\n11\r\n": "-:2:3: found a carriage return (Windows line end), "
    "expected the end of the row after 2 cells",
    "2 2\n11\n11\n1": "-:4:1: found '1', expected the end of the input",
    "2 2\n1 1\n": "-:3: found the end of the input, expected row 2 of 2",
    "2 2\n1 1\n1\n": "-:3: found 1 number, expected 2 in a row",
    "2 2\n1 1\n\n": "-:3: found 0 numbers, expected 2 in a row",
    "2 2\n1 1\n1 1 1\n": "-:3: found 3 numbers, expected 2 in a row",
    "2 2\n1 1\n1 10\n": "-:3:3: found the number 10, expected a number 0-9",
    "2 2\n1 1\n11\n": "-:3:1: found the number 11, expected a number 0-9",
    "2 2\n1 1\n1 -1\n": "-:3:3: found the number -1, expected a number 0-9",
    "2 2\n1 1\n1 x\n": "-:3:3: found 'x', expected a number 0-9",
    "2 2\n1 1\n1 +\n": "-:3:3: found '+', expected a number 0-9",
    "2 2\n1 1\n1 1y\n": "-:3:4: found 'y', expected a number 0-9",
    "2 2\n1 1\n1\t1\n": "-:3:2: found a tab, expected a number 0-9",
    "2 2\n1 1\r\n1 1\r\n": "-:2:4: found a carriage return (Windows line end), expected a number 0-9",
    f"1 2\n1 {'1' * 5000}\n": "-:2:3: found a number of 5000 characters, expected a number 0-9",
    "2 2\n1 1\n1 1\n1 1\n": "-:4:1: found '1', expected the end of the input",
    "1 1\n2\n": "-:2:1: found the number 2, "
    "expected at most 1 in row 1, column 1, the size of the block there",
    "# a\n2 3\n000\n070\n": "-:4:2: found the number 7, "
    "expected at most 6 in row 2, column 2, the size of the block there",
    "2 3\n0 0 0\n0  0  5\n": "-:3:7: found the number 5, "
    "expected at most 4 in row 2, column 3, the size of the block there",
    "1 3\n 0 4 0\n": "-:2:4: found the number 4, "
    "expected at most 3 in row 1, column 2, the size of the block there",
    "99999 99999\n1 1\n": "-:2: found 4 bytes of rows, "
    "expected 99999 rows of 99999 cells as the first line says",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_input_is_named_with_its_place(text: str) -> None:
    with pytest.raises(InputError) as error:
        Table.parse(text)
    assert str(error.value) == BAD[text]


@pytest.mark.parametrize("sums", [[[10]], [[-1]], [[256]], [], [1, 2]])
def test_tables_hold_one_digit_a_cell(sums: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        Table(np.array(sums))


TABLE = Table.parse("2 2\n11\n11\n")
ONE, FOUR = np.array([[True, False], [False, False]]), np.full((2, 2), -1, np.int8)


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (Boards(ONE[:, :1]), "board of shape (2, 1), the table has shape (2, 2)"),
        (Boards(ONE, 4, FOUR[:1]), "array of forced cells of shape (1, 2), the table has shape (2, 2)"),
        (Boards(~ONE), "row 1, column 1: the table says 1, the board has 3"),
        (Boards(ONE, 0), "0 boards claimed, and one shown"),
        (Boards(ONE, -(10**5000)), f"-1{'0' * 5000} boards claimed, and one shown"),
        (Boards(ONE, 17, FOUR), "17 boards claimed, and 4 cells in which they differ"),
        (Boards(ONE, 1 << 5000, FOUR), "2^5000 boards claimed, and 4 cells in which they differ"),
        (Boards(ONE, 1, FOUR), "one board claimed, and 4 cells not the same in all"),
        (Boards(ONE, 4, ONE.astype(np.int8)), "4 boards claimed, and 0 cells in which they differ"),
        (Boards(ONE, 4, FOUR + 3), "the forced cells are not all 0, 1 or -1"),
        (
            Boards(ONE, 4, np.array([[0, -1], [-1, -1]])),
            "row 1, column 1 is claimed to be empty in all boards, the board shown differs",
        ),
        (
            Boards(ONE, 4, np.array([[-1, 1], [-1, -1]])),
            "row 1, column 2 is claimed to be a mine in all boards, the board shown differs",
        ),
    ],
)
def test_judge_rejects(value: Boards, fault: str) -> None:
    assert fault in PROBLEM.judge(TABLE, FACTS, value)


def test_judge_accepts_what_is_right_or_left_open() -> None:
    for value in (Boards(ONE), Boards(ONE, 4), Boards(ONE, 4, FOUR), Boards(ONE, None, FOUR)):
        assert PROBLEM.judge(TABLE, FACTS, value) == []


def test_judge_names_only_the_first_of_many_wrong_cells() -> None:
    faults = PROBLEM.judge(Table(np.zeros((5, 5), np.int8)), FACTS, Boards(np.ones((5, 5), np.bool_)))
    assert len(faults) == 11
    assert faults[-1] == "and 15 more cells"


def test_output() -> None:
    value = value_of("2 2\n11\n11\n")
    assert PROBLEM.to_json(value) == {"mines": ["..", "*."], "solutions": "4", "forced": ["??", "??"]}
    assert PROBLEM.draw(TABLE, value) == "..\n*.\n4 boards, 0 of 4 cells are the same in all"
    assert PROBLEM.verdict(TABLE, Answer.solved(value)) == "..\nX."
    assert PROBLEM.verdict(TABLE, Answer.infeasible()) == "NO"
    assert PROBLEM.draw(TABLE, Boards(ONE)) == "*.\n..\na board"
    assert PROBLEM.draw(TABLE, value_of("1 1\n1\n")) == "*\nunique"
    assert PROBLEM.describe(TABLE) == "2x2"


@pytest.mark.parametrize(
    ("count", "headline"),
    [
        (1, "unique"),
        (8256, "8256 boards"),
        (1 << 2000, "2^2000 boards"),
        (3 << 2000, "about 3.44e602 boards"),
        (10**5000 * 2, "about 2.00e5000 boards"),
    ],
    ids=["one", "few", "power of two", "many", "more than 4300 digits"],
)
def test_headline(count: int, headline: str) -> None:
    assert PROBLEM.headline(Boards(ONE, count)) == headline


@settings(deadline=None)
@given(st.integers(), st.integers(0, 60_000))
def test_decimal_is_str_without_its_limit(number: int, shift: int) -> None:
    limit = sys.get_int_max_str_digits()
    number = (number << shift) + shift
    text = decimal(number)
    assert sys.get_int_max_str_digits() == limit
    sys.set_int_max_str_digits(0)
    try:
        assert text == str(number)
    finally:
        sys.set_int_max_str_digits(limit)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_shipped_instances(path: Any) -> None:
    (table,) = PROBLEM.parse(files.read(path), str(path))
    expected = files.expected_answer(path)
    assert expected is not None, "no expected answer"
    answer = facts(table, Limits())
    assert answer.status == expected["status"]
    if answer.value is not None:
        assert PROBLEM.judge(table, FACTS, answer.value) == []
        fields = PROBLEM.to_json(answer.value)
        assert fields | expected.get("value", {}) == fields


def real_tables() -> list[Any]:
    index = REAL / "reconstruction" / "INDEX.tsv"
    if not index.is_file():
        return []
    with index.open() as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@pytest.mark.parametrize("line", real_tables(), ids=lambda line: line["name"])
def test_real_tables(line: dict[str, str]) -> None:
    path = REAL / "reconstruction" / f"{line['name']}.txt"
    (table,) = PROBLEM.parse(files.read(path), str(path))
    value = facts(table, Limits()).value
    assert PROBLEM.judge(table, FACTS, value) == []
    said = dict(re.findall(r"(\w+)=(\w+)", line["expected"]))
    assert (value.solutions == 1) == (said["solutions"] == "1")
    if "middle_row" in said:
        assert value.mines[table.shape[0] // 2].sum() == int(said["middle_row"])
