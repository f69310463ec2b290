"""Reading instance text: headers, rows of characters, numbers; every error says its place.

The format is strict on purpose: a tab, a Windows line end or a byte-order mark is an error with a
place, never a guess.
"""

from __future__ import annotations

import re
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from cpmines.errors import InputError
from cpmines.numerals import plural

__all__ = ["ILLEGAL", "Document", "alphabet"]

ILLEGAL = np.int8(-128)
LARGEST = 10**18
MOST_INTEGERS = 100
"""Beyond all that a line of integers has: no more are read."""
NUMBERS = re.compile(rb" *[0-9](?: +[0-9])* *")
PASSED = re.compile(rb"(?: *+(?:\n|\Z)|#[^\n]*+(?:\n|\Z))*+")
"""Blank lines and comments; possessive, for there may be millions of them."""
SHOWN = re.compile(rb"[^ \n]")
NO_DIGIT = re.compile(rb"[^ ]{2,}|[^ 0-9]")
BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
CONTROL = {
    ord("\r"): "a carriage return (Windows line end)",
    ord("\t"): "a tab",
    ord(" "): "a space",
    ord("\n"): "the end of the line",
}


def alphabet(codes: dict[str, int]) -> NDArray[np.int8]:
    """Lookup table of 256 entries from bytes to cell codes; all other bytes are `ILLEGAL`."""
    table = np.full(256, ILLEGAL)
    for character, code in codes.items():
        table[ord(character)] = code
    return table


DIGITS = alphabet({str(digit): digit for digit in range(10)})


def describe(byte: int) -> str:
    if byte in CONTROL:
        return CONTROL[byte]
    return repr(chr(byte)) if 32 < byte < 127 else f"byte 0x{byte:02x}"


class Document:
    """The bytes of one input and a place in them.

    What reads or checks raises `InputError` for anything else than is expected, with its line and column, and
    goes on from behind what it has read.

    Parameters
    ----------
    data
        The whole input. `str` is encoded as UTF-8, halves of surrogate pairs as what they would be there.
    source
        Its name in messages.
    """

    def __init__(self, data: bytes | str, source: str = "-") -> None:
        self.data = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        self.source = source
        self.at = 0
        self.line = 1
        if self.data.startswith(BYTE_ORDER_MARKS):
            self.fail("a byte-order mark", "plain text without one", column=1)

    def fail(
        self, found: str, expected: str, *, line: int | None = None, column: int | None = None
    ) -> NoReturn:
        """Raise `InputError`; by default for the line that would be read next. Lines and columns from 1."""
        raise InputError(found, expected, self.source, self.line if line is None else line, column)

    def next_line(self) -> bytes | None:
        """The next line without its end, or None at the end of the input."""
        if self.at >= len(self.data):
            return None
        end = self.data.find(b"\n", self.at)
        end = len(self.data) if end < 0 else end
        line, self.at = self.data[self.at : end], end + 1
        self.line += 1
        return line

    def skip_comments(self) -> None:
        """Pass over blank lines and lines that begin with ``#``, before the first data line."""
        passed = PASSED.match(self.data, self.at)
        assert passed is not None
        cut_off = passed.group() and not passed.group().endswith(b"\n")
        self.line += passed.group().count(b"\n") + bool(cut_off)
        self.at = passed.end()

    def integers(self, expected: str) -> list[int]:
        """The integers of the next line, separated by spaces.

        Raises
        ------
        InputError
            If the line is missing, or a word in it is not a whole number of at most 10^18.
        """
        line = self.next_line()
        if line is None:
            self.fail("the end of the input", expected)
        here = self.line - 1
        values = []
        for word in re.finditer(rb"[^ ]+", line):
            column = word.start() + 1
            number = re.match(rb"[+-]?\d+", word.group())
            if number is None or number.end() != len(word.group()):
                offset = number.end() if number else 0
                self.fail(describe(word.group()[offset]), expected, line=here, column=column + offset)
            if len(number.group()) > 19 or abs(int(number.group())) > LARGEST:
                digits = number.group().decode()
                found = (
                    f"the number {digits}" if len(digits) <= 20 else f"a number of {len(digits)} characters"
                )
                self.fail(found, f"{expected}, at most 10^18", line=here, column=column)
            values.append(int(number.group()))
            if len(values) > MOST_INTEGERS:
                self.fail(f"more than {MOST_INTEGERS} numbers", expected, line=here)
        return values

    def header(self, expected: str, *sizes: int) -> list[int]:
        """The first data line: as many integers as one of `sizes`."""
        self.skip_comments()
        values = self.integers(expected)
        if len(values) not in sizes:
            self.fail(plural(len(values), "number"), expected, line=self.line - 1)
        return values

    def positive(self, rows: int, cols: int) -> None:
        """Check that a board of the last line's size has cells."""
        if rows < 1 or cols < 1:
            self.fail(f"a board of {rows} x {cols}", "at least 1 row and 1 column", line=self.line - 1)

    def dimensions(self, rows: int, cols: int) -> None:
        """Check a board's size: positive, and not more cells than the rest of the input can hold.

        Nothing is allocated before this check.
        """
        self.positive(rows, cols)
        left = max(0, len(self.data) - self.at)
        if rows * cols > left:
            self.fail(
                f"{plural(left, 'byte')} of rows",
                f"{plural(rows, 'row')} of {plural(cols, 'cell')} as the first line says",
            )

    def cells(self, rows: int, cols: int, table: NDArray[np.int8], expected: str) -> NDArray[np.int8]:
        """The next `rows` lines of `cols` characters as codes, int8 of shape (rows, cols).

        Parameters
        ----------
        table
            From `alphabet`.
        expected
            The characters allowed, for the message.
        """
        self.positive(rows, cols)
        stride = cols + 1
        if not self.data.endswith(b"\n"):
            self.data += b"\n"
        end = self.at + rows * stride
        block = np.frombuffer(self.data, np.uint8, min(rows * stride, len(self.data) - self.at), self.at)
        if len(block) < rows * stride or (block[cols::stride] != ord("\n")).any():
            self.uneven(rows, cols, expected)
        codes = table[block.reshape(rows, stride)[:, :cols]]
        if codes.min() == ILLEGAL:
            row, col = divmod(int(np.argmax(codes == ILLEGAL)), cols)
            byte = int(block[row * stride + col])
            if byte == ord("\n"):
                self.uneven(rows, cols, expected)
            self.fail(describe(byte), expected, line=self.line + row, column=col + 1)
        self.at, self.line = end, self.line + rows
        return np.ascontiguousarray(codes)

    def digits(self, rows: int, cols: int) -> NDArray[np.int8]:
        """The next `rows` lines of `cols` numbers 0-9, int8 of shape (rows, cols).

        Spaces stand between the numbers of all lines or of none; the first line says which.
        """
        end = self.data.find(b"\n", self.at)
        if b" " not in self.data[self.at : end if end >= 0 else len(self.data)]:
            return self.cells(rows, cols, DIGITS, "a number 0-9")
        self.dimensions(rows, cols)
        if not self.data.endswith(b"\n"):
            self.data += b"\n"
        block = np.frombuffer(self.data, np.uint8, offset=self.at)
        ends = np.flatnonzero(block == ord("\n"))[:rows] + 1
        block = block[: ends[-1]]
        shown = (block != ord(" ")) & (block != ord("\n"))
        counts = np.add.reduceat(shown, np.concatenate([[0], ends[:-1]]), dtype=np.int64)
        digits = self.data[self.at : self.at + len(block)].translate(None, b" \n")
        values = np.frombuffer(digits, np.uint8) - np.uint8(ord("0"))
        joined = (shown[1:] & shown[:-1]).any()
        if joined or len(ends) < rows or (counts != cols).any() or values.max(initial=0) > 9:
            self.wrong_number(rows, cols)
        self.at, self.line = self.at + len(block), self.line + rows
        return values.view(np.int8).reshape(rows, cols)

    def wrong_number(self, rows: int, cols: int) -> NoReturn:
        """Say which line of numbers is missing, short, long or has something else in it."""
        for row in range(rows):
            line = self.next_line()
            here = self.line - 1
            if line is None:
                self.fail("the end of the input", f"row {row + 1} of {rows}", line=self.line)
            if NUMBERS.fullmatch(line) is None and (word := NO_DIGIT.search(line)):
                number = re.match(rb"[+-]?[0-9]+", word.group())
                offset = number.end() if number else 0
                if offset < len(word.group()):
                    found, offset = describe(word.group()[offset]), word.start() + offset
                elif offset > 20:
                    found, offset = f"a number of {offset} characters", word.start()
                else:
                    found, offset = f"the number {word.group().decode()}", word.start()
                self.fail(found, "a number 0-9", line=here, column=offset + 1)
            count = len(line.split())
            if count != cols:
                self.fail(plural(count, "number"), f"{cols} in a row", line=here)
        raise AssertionError("every line is right")

    def uneven(self, rows: int, cols: int, expected: str) -> NoReturn:
        """Say which row is missing, short or long."""
        for row in range(rows):
            line = self.next_line()
            here = self.line - 1
            if line is None:
                self.fail("the end of the input", f"row {row + 1} of {rows}", line=self.line)
            if line[cols : cols + 1] in (b"\r", b"\t", b" "):
                expected = f"the end of the row after {plural(cols, 'cell')}"
                self.fail(describe(line[cols]), expected, line=here, column=cols + 1)
            if len(line) != cols:
                self.fail(
                    f"a row of {plural(len(line), 'character')}",
                    f"{plural(cols, 'cell')} ({expected})",
                    line=here,
                )
        raise AssertionError("every row has the right length")

    def column(self, line: int, entry: int) -> int:
        """The 1-based column of an entry, counted from 0, of a line that has been read.

        Where no spaces stand between them, entries are single characters.
        """
        text = self.data.split(b"\n", line)[line - 1]
        words = [word.start() for word in re.finditer(rb"[^ ]+", text)]
        return 1 + (words[entry] if entry < len(words) else words[0] + entry)

    def end(self) -> None:
        """Check that only blank lines are left."""
        if shown := SHOWN.search(self.data, self.at):
            line = self.line + self.data.count(b"\n", self.at, shown.start())
            column = shown.start() - self.data.rfind(b"\n", 0, shown.start())
            self.fail(describe(shown.group()[0]), "the end of the input", line=line, column=column)
        self.at = len(self.data)
