"""What programs print for the judges of the origins: words, whatever white space stands between them."""

from __future__ import annotations

import re
from typing import NoReturn

from cpmines.errors import InputError
from cpmines.numerals import plural

__all__ = ["rows", "says_no", "says_yes", "whole_number"]

OUTPUT = "the program's output"
SHOWN = 40
NUMBER = re.compile(r"\s*([0-9]{1,4000})\s*")


def says_yes(text: str) -> bool:
    """YES or NO, in letters of any case. Raises `InputError`."""
    if (answer := text.strip().upper()) not in ("YES", "NO"):
        _fail(text, "YES or NO")
    return answer == "YES"


def says_no(text: str) -> bool:
    """Is it the word NO?"""
    return text.strip().upper() == "NO"


def whole_number(text: str) -> int:
    """One whole number that is not negative. Raises `InputError`."""
    found = NUMBER.fullmatch(text)
    if found is None:
        _fail(text, "a whole number")
    return int(found[1])


def rows(text: str, shape: tuple[int, int], characters: str) -> list[str]:
    """Rows of a board, each character one of `characters`. Raises `InputError`."""
    lines, (height, width) = text.split(), shape
    expected = f"{plural(height, 'row')} of {plural(width, 'character')} of {characters}, or NO"
    if len(lines) != height:
        _fail(text, expected)
    for line in lines:
        if len(line) != width or set(line) - set(characters):
            _fail(line, expected)
    return lines


def _fail(text: str, expected: str) -> NoReturn:
    said = text.strip()
    shown = repr(said if len(said) <= SHOWN else f"{said[:SHOWN]}...") if said else "nothing"
    raise InputError(shown, expected, OUTPUT)
