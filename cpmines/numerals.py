"""Numbers of any size in words and digits: Python refuses long ones, or takes quadratic time."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import fields
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from itertools import zip_longest

__all__ = ["Shown", "approximate", "decimal", "plural", "ratio_of", "readable", "share_of", "whole"]

CHUNK = 512
SHORT = 10**9
MOST_DIGITS = 1000
"""Of a number that is read."""
LOG_10 = math.log2(10)
POWER = re.compile(r"e([+-]?\d[\d_]*)\s*$", re.IGNORECASE)
ROUNDING = Context(prec=3, Emax=MAX_EMAX, Emin=MIN_EMIN)


def decimal(number: int) -> str:
    """`str(number)` for an integer of any size.

    The interpreter refuses more than 4300 digits, and takes quadratic time. Here chunks of the number are
    joined two by two in decimal arithmetic, whose multiplication is nearly linear.
    """
    if number.bit_length() <= 8 * CHUNK:
        return str(number)
    data = abs(number).to_bytes(number.bit_length() // 8 + 1, "little")
    with localcontext(Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        parts = [Decimal(int.from_bytes(data[k : k + CHUNK], "little")) for k in range(0, len(data), CHUNK)]
        scale = Decimal(1 << 8 * CHUNK)
        while len(parts) > 1:
            pairs = zip_longest(parts[::2], parts[1::2], fillvalue=Decimal(0))
            parts = [low + high * scale for low, high in pairs]
            scale *= scale
    return "-" * (number < 0) + str(parts[0])


def whole(digits: str) -> int:
    """`int(digits)` for any number of decimal digits; inverse of `decimal`, and nearly as fast."""
    parts = [int(digits[max(0, end - CHUNK) : end]) for end in range(len(digits), 0, -CHUNK)]
    scale = 10**CHUNK
    while len(parts) > 1:
        pairs = zip_longest(parts[::2], parts[1::2], fillvalue=0)
        parts = [low + high * scale for low, high in pairs]
        if len(parts) > 1:
            scale *= scale
    return parts[0]


def approximate(number: int) -> str:
    """A natural number of any size in a few characters.

    >>> approximate(12), approximate(3446 * 10**72)
    ('12', '3.45e75')
    """
    if number < SHORT:
        return str(number)
    digits = decimal(number)
    rounded = ROUNDING.create_decimal(f"{digits[:20]}e{len(digits) - min(20, len(digits))}")
    return f"{rounded:.2e}".replace("+", "")


def readable(number: int) -> str:
    """The same, saying whether it is exact.

    >>> readable(12), readable(2**2000), readable(3446 * 10**72)
    ('12', '2^2000', 'about 3.45e75')
    """
    if number < SHORT:
        return str(number)
    if number.bit_count() == 1:
        return f"2^{number.bit_length() - 1}"
    return f"about {approximate(number)}"


def plural(number: int, what: str, written: Callable[[int], str] = str) -> str:
    """A number of things.

    >>> plural(1, "mine"), plural(0, "mine"), plural(2**2000, "board", readable)
    ('1 mine', '0 mines', '2^2000 boards')
    """
    return f"{written(number)} {what}{'' if number == 1 else 's'}"


def ratio_of(text: object) -> Fraction:
    """A number in decimals or a fraction, such as 0.2, 1e-3 or 1/5, exactly.

    Raises
    ------
    ValueError
        It is something else, or has more than `MOST_DIGITS` digits when written out; the message says which.

    >>> ratio_of("0.2"), ratio_of(1e-3), ratio_of("1/5")
    (Fraction(1, 5), Fraction(1, 1000), Fraction(1, 5))
    """
    if isinstance(text, Fraction):
        long = max(text.numerator.bit_length(), text.denominator.bit_length()) > MOST_DIGITS * LOG_10
        said = "" if long else str(text)
    else:
        said = str(text)
        power = POWER.search(said[-MOST_DIGITS:])
        long = len(said) > MOST_DIGITS or (power is not None and abs(int(power[1])) > MOST_DIGITS)
    if long:
        raise ValueError(f"{said[:20] or 'a fraction'} of more than {MOST_DIGITS} digits")
    try:
        return Fraction(said)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{said!r}, expected a number such as 0.2 or 1/5") from None


def share_of(text: object) -> float:
    """The same from 0 to 1, as a float. Raises `ValueError`."""
    share = ratio_of(text)
    if not 0 <= share <= 1:
        raise ValueError(f"{text}: expected a number from 0 to 1")
    return float(share)


class Shown:
    """A dataclass that `repr` shows without writing its natural numbers out: Python refuses long ones."""

    def __repr__(self) -> str:
        parts = (f"{field.name}={_shown(getattr(self, field.name))}" for field in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(parts)})"


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_shown(key)}: {_shown(item)}" for key, item in value.items()) + "}"
    return readable(value) if type(value) is int else repr(value)
