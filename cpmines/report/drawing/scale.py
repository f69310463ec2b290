"""The colour of a probability, and numbers in words.

Blue over pale to orange: told apart in every common form of colour blindness, and ordered by lightness on
each side of the pale middle. Certain cells have a sign as well.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from cpmines.numerals import decimal

__all__ = ["STOPS", "Colour", "colour", "count_text", "ink", "percent"]

LONGEST = 21


class Colour(NamedTuple):
    red: int
    green: int
    blue: int

    def __str__(self) -> str:
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"


STOPS = (
    (0.0, Colour(0x1F, 0x5F, 0xA8)),
    (0.12, Colour(0x6A, 0xA6, 0xDC)),
    (0.3, Colour(0xD9, 0xE6, 0xF2)),
    (0.5, Colour(0xFB, 0xE0, 0xBC)),
    (0.75, Colour(0xEC, 0x9A, 0x4C)),
    (1.0, Colour(0xB3, 0x4A, 0x06)),
)
DARK, LIGHT = Colour(0x10, 0x18, 0x24), Colour(0xFF, 0xFF, 0xFF)
MIDDLE = 0.2
"""Relative luminance from which on dark letters are easier to read."""


def colour(probability: float) -> Colour:
    """Linear between the `STOPS`.

    >>> str(colour(0.0)), str(colour(1.0))
    ('#1f5fa8', '#b34a06')
    """
    for (low, below), (high, above) in pairwise(STOPS):
        if probability <= high:
            part = (probability - low) / (high - low)
            return Colour(*(round(a + (b - a) * part) for a, b in zip(below, above, strict=True)))
    return STOPS[-1][1]


def ink(background: Colour) -> Colour:
    """Dark or light letters, whichever stand out more (WCAG relative luminance)."""
    linear = [(part / 255) ** 2.2 for part in background]
    return DARK if 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > MIDDLE else LIGHT


def percent(probability: float) -> str:
    """Two digits, from 01 to 99: a cell that is not certain never looks as if it were."""
    return f"{min(max(round(100 * probability), 1), 99):02d}"


def count_text(number: int) -> str:
    """A count whole if it is short, else with its power of ten.

    >>> count_text(1234567), count_text(2**100)
    ('1,234,567', '1.268 × 10^30')
    """
    digits = decimal(number)
    if len(digits) <= LONGEST - len(digits) // 3:
        return f"{number:,}"
    first = (int(digits[:6]) + 50) // 100
    power = len(digits) - 1 + (first == 10000)
    return f"{str(first)[0]}.{str(first)[1:4]} × 10^{power}"
