"""Every input error says its place, what was found and what was expected."""

from __future__ import annotations

import pytest

from cpmines.board import Board, Position
from cpmines.errors import InputError
from cpmines.numerals import approximate, readable
from cpmines.text import Document

HEADER = "rows, columns and perhaps the number of mines"
CELLS = "a clue 0-8, a mine *, or . for unknown"

BAD_POSITIONS = {
    "empty": ("", f"f:1: found the end of the input, expected {HEADER}"),
    "only blank": ("\n  \n", f"f:3: found the end of the input, expected {HEADER}"),
    "only comment": ("# x", f"f:2: found the end of the input, expected {HEADER}"),
    "one number": ("2\n", f"f:1: found 1 number, expected {HEADER}"),
    "four numbers": ("1 1 1 1\n.", f"f:1: found 4 numbers, expected {HEADER}"),
    "word": ("2 x\n", f"f:1:3: found 'x', expected {HEADER}"),
    "fraction": ("2.5 3\n", f"f:1:2: found '.', expected {HEADER}"),
    "missing row": (
        "2 3\n.1.\n",
        "f:3: found the end of the input, expected row 2 of 2",
    ),
    "missing last row": (
        "3 3\n.1.\n...\n\n\n\n",
        f"f:4: found a row of 0 characters, expected 3 cells ({CELLS})",
    ),
    "short row": ("2 3\n.1\n...\n", f"f:2: found a row of 2 characters, expected 3 cells ({CELLS})"),
    "long row": ("2 3\n...\n....\n", f"f:3: found a row of 4 characters, expected 3 cells ({CELLS})"),
    "trailing space": ("1 3\n... \n", "f:2:4: found a space, expected the end of the row after 3 cells"),
    "surplus row": ("1 3\n...\n...\n", "f:3:1: found '.', expected the end of the input"),
    "tab in header": ("1\t3\n...\n", f"f:1:2: found a tab, expected {HEADER}"),
    "tab in row": ("1 3\n.\t.\n", f"f:2:2: found a tab, expected {CELLS}"),
    "Windows header": (
        "1 3\r\n...\r\n",
        f"f:1:4: found a carriage return (Windows line end), expected {HEADER}",
    ),
    "Windows row": (
        "1 3\n...\r\n",
        "f:2:4: found a carriage return (Windows line end), expected the end of the row after 3 cells",
    ),
    "byte-order mark": (
        "\ufeff1 3\n...\n",
        "f:1:1: found a byte-order mark, expected plain text without one",
    ),
    "clue 9": ("2 3\n...\n.9.\n", f"f:3:2: found '9', expected {CELLS}"),
    "unknown character": ("1 3\n.x.\n", f"f:2:2: found 'x', expected {CELLS}"),
    "not ASCII": ("1 3\n.é\n", f"f:2:2: found byte 0xc3, expected {CELLS}"),
    "negative": ("-1 3\n...\n", "f:1: found a board of -1 x 3, expected at least 1 row and 1 column"),
    "zero": ("0 3\n", "f:1: found a board of 0 x 3, expected at least 1 row and 1 column"),
    "huge": (
        "1000000 1000000\n...\n",
        f"f:2: found a row of 3 characters, expected 1000000 cells ({CELLS})",
    ),
    "does not fit": (
        "99999999999999999999 1\n.",
        f"f:1:1: found the number 99999999999999999999, expected {HEADER}, at most 10^18",
    ),
    "too many mines": ("1 3 4\n...\n", "f:1: found 4 mines, expected 0 to 3 on a 1 x 3 board"),
    "negative mines": ("1 3 -1\n...\n", "f:1: found -1 mines, expected 0 to 3 on a 1 x 3 board"),
    "comment after the header": ("1 3\n# x\n...\n", f"f:2:2: found a space, expected {CELLS}"),
}


@pytest.mark.parametrize(("text", "message"), BAD_POSITIONS.values(), ids=BAD_POSITIONS)
def test_bad_position(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        Position.parse(text, "f")
    assert str(error.value) == message


@pytest.mark.parametrize(
    "binary", [b"\x00\x01\x02", b"\x89PNG\r\n\x1a\n\x00", bytes(range(256)), b"1 3\n\xff\x00\x01\n"]
)
def test_binary_junk(binary: bytes) -> None:
    for kind in (Board, Position):
        with pytest.raises(InputError, match=r"found .*, expected"):
            kind.parse(binary, "f")


def test_header_sizes() -> None:
    assert Document("# note\n\n 7  8 \n").header("two", 2) == [7, 8]
    assert Document("-3").integers("one") == [-3]


def test_numbers_in_a_few_characters() -> None:
    assert [approximate(number) for number in (0, 999999999, 10**9)] == ["0", "999999999", "1.00e9"]
    assert approximate(99960 * 10**40) == "1.00e45"
    assert approximate(3**60000) == "1.88e28627"
    assert [readable(number) for number in (0, 12, 2**20, 2**40)] == ["0", "12", "1048576", "2^40"]
    assert readable(99960 * 10**40) == "about 1.00e45"


def test_last_line_end_may_be_missing() -> None:
    assert Position.parse("2 2\n..\n1.") == Position.parse("2 2\n..\n1.\n\n  \n")
