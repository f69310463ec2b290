"""Ways to damage an input: what disks, networks, other programs and people who mean harm do to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

__all__ = ["KINDS", "damaged"]

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
NUMBERS = (
    *(
        b"-1",
        b"0",
        b"-0",
        b"+3",
        b"00",
        b"1.5",
        b".",
        b"1e9",
        b"1e400",
        b"nan",
        b"Infinity",
        b"0x10",
        b"1_000",
    ),
    *(b"9" * digits for digits in (4, 9, 10, 18, 19, 20, 39, 400, 5000)),
    *(b"-" + b"9" * digits for digits in (10, 19, 5000)),
    *(text.encode() for text in ("٣", "³", "１２", "½", "−1")),
)
BYTES = (
    *(
        b"\0",
        b"\xff",
        b"\xfe\xff",
        b"\xc0\x80",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\r\n",
        b"\r",
        b"\t",
        b"\x1b[2J",
    ),
    *(
        b"\x0b",
        b"\x1c",
        b"\x85",
        "\u2028".encode(),
        "\U0001f4a3".encode(),
        b"\n\n",
        b" ",
        b"#",
        b'"',
        b"\\",
        b"/",
        b"../",
    ),
)
ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        "",
        "x",
        "0",
        "\ud800",
        "\0",
        "١",
        "9" * 5000,
        "a" * 300,
        "../x",
        [],
        {},
        [[]],
        {"": {}},
    ),
    *(0, -1, 1, 2**31, 2**63, 2**64, 10**40, 0.0, -0.0, 1.5, 1e308, float("inf"), float("nan")),
)


def flipped(data: bytes, random: Random) -> bytes:
    found = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8))):
        found[random.randrange(len(found))] ^= 1 << random.randrange(8)
    return bytes(found)


def cut(data: bytes, random: Random) -> bytes:
    first, last = sorted((random.randrange(len(data) + 1), random.randrange(len(data) + 1)))
    return random.choice((data[:first], data[first:], data[:first] + data[last:], data[first:last]))


def doubled(data: bytes, random: Random) -> bytes:
    first, last = sorted((random.randrange(len(data) + 1), random.randrange(len(data) + 1)))
    return random.choice((data + data, data[:last] + data[first:], data[first:last] * 50))


def numbered(data: bytes, random: Random) -> bytes:
    """Another number in the place of one."""
    there = list(NUMBER.finditer(data))
    if not there:
        return inserted(data, random)
    place = random.choice(there)
    return data[: place.start()] + random.choice(NUMBERS) + data[place.end() :]


def nested(data: bytes, random: Random) -> bytes:
    """Brackets in brackets, closed or not."""
    at, depth = random.randrange(len(data) + 1), random.choice((3, 200, 1500, 100_000))
    first, last = random.choice(
        ((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")"), (b"{ a = ", b" }"), (b"~", b""))
    )
    closed = random.choice((0, depth))
    return data[:at] + first * depth + b"1" + last * closed + data[at:]


def inserted(data: bytes, random: Random) -> bytes:
    at, part = random.randrange(len(data) + 1), random.choice(BYTES)
    return data[:at] + part + data[at + random.choice((0, 0, 1)) :]


def long_line(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    part = random.choice((b"a", b"1", b" ", b"1 ", b"\n", b".", b"-", b"[],", b"\xff")) * random.choice(
        (70, 5000, 200_000)
    )
    return data[:at] + part + data[at:]


def shuffled(data: bytes, random: Random) -> bytes:
    """Lines left out, repeated, or in another order."""
    lines = data.split(b"\n")
    first, second = random.randrange(len(lines)), random.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    lines[second : second + 1] = [lines[second]] * random.choice((0, 1, 2, 3))
    return b"\n".join(lines)


def words(data: bytes, random: Random) -> bytes:
    """A word in the place of another."""
    parts = re.split(rb"([\s,:\[\]{}\"=]+)", data)
    first, second = random.randrange(len(parts)), random.randrange(len(parts))
    parts[first] = parts[second]
    return b"".join(parts)


def field(data: bytes, random: Random) -> bytes:
    """Another value, of another kind perhaps, in a JSON document, or in a line of several."""
    lines = [data]
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        lines = data.split(b"\n")
    place = random.randrange(len(lines))
    try:
        document = json.loads(lines[place])
    except (ValueError, RecursionError):
        return numbered(data, random)
    lines[place] = json.dumps(_changed(document, random)).encode()
    return b"\n".join(lines)


def _changed(node: Any, random: Random) -> Any:
    if not isinstance(node, (dict, list)) or not node or random.random() < 0.15:
        return random.choice(ODD)
    key = random.choice(list(node) if isinstance(node, dict) else range(len(node)))
    found = node.copy()
    if random.random() < 0.1:
        del found[key]
    else:
        found[key] = _changed(node[key], random)
    return found


Kind = Callable[[bytes, Random], bytes]
KINDS: tuple[Kind, ...] = (
    flipped,
    cut,
    doubled,
    numbered,
    nested,
    inserted,
    long_line,
    shuffled,
    words,
    field,
)


def damaged(data: bytes, random: Random) -> bytes:
    """It after one to three damages."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if not data:
            return random.choice((b"", *NUMBERS, *BYTES))
        data = random.choice(KINDS)(data, random)
    return data
