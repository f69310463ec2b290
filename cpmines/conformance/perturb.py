"""JSON values with one thing changed, which a judge mostly has to reject."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

__all__ = ["perturbed"]

MOST_PLACES = 40
"""Changes of one sort of one field, at most."""


def perturbed(fields: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """For each field its name, the sort of a change, and the fields with that change.

    A number is one larger or smaller, a truth value the other one, a list without its last member, a
    character of a row another one that stands in the rows. Two characters exchanged are a sort of their own:
    the numbers of them stay as they are.
    """
    for name, value in fields.items():
        sorts = {"changed": _others(value), "with two cells exchanged": _exchanged(value)}
        for sort, others in sorts.items():
            yield from ((name, sort, {**fields, name: other}) for other in islice(others, MOST_PLACES))


def _is_board(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(isinstance(row, str) for row in value)


def _others(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1)
    elif isinstance(value, str) and value.isdecimal():
        yield from (str(number) for number in (int(value) + 1, int(value) - 1) if number >= 0)
    elif _is_board(value):
        yield from _other_rows(value)
    elif isinstance(value, list) and value:
        yield value[:-1]
        for k, member in enumerate(value):
            yield from ([*value[:k], other, *value[k + 1 :]] for other in _others(member))
    elif isinstance(value, dict):
        yield from ({**value, key: other} for key, member in value.items() for other in _others(member))


def _other_rows(rows: list[str]) -> Iterator[list[str]]:
    """Boards show mines as ``*`` and other cells as ``.``; one of the two may be missing."""
    characters = sorted({*"*.", *"".join(rows)})
    for row, line in enumerate(rows):
        for col, here in enumerate(line):
            yield from (_put(rows, (row, col, other)) for other in characters if other != here)


def _exchanged(value: Any) -> Iterator[list[str]]:
    if not _is_board(value):
        return
    cells = [(row, col, here) for row, line in enumerate(value) for col, here in enumerate(line)]
    for (row, col, here), (other_row, other_col, there) in combinations(cells, 2):
        if here != there:
            yield _put(value, (row, col, there), (other_row, other_col, here))


def _put(rows: list[str], *cells: tuple[int, int, str]) -> list[str]:
    """The rows with these characters in these places."""
    changed = list(map(list, rows))
    for row, col, character in cells:
        changed[row][col] = character
    return ["".join(line) for line in changed]
