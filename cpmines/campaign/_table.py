"""A table of a TOML file that is read key by key; what is wrong is said with its place."""

from __future__ import annotations

from typing import Any, NoReturn

from cpmines.answer import LONGEST
from cpmines.errors import InputError

__all__ = ["MOST_VALUES", "SpecTable", "shown"]

MOST = 1 << 30
MOST_VALUES = 100_000


class SpecTable:
    """A table and its place in the file; keys that nobody asked for are found by `end`.

    Every method raises `InputError` if the key has another kind of value than is asked for.
    """

    def __init__(self, content: dict[str, Any], source: str, place: str = "") -> None:
        self.content, self.source, self.place = content, source, place
        self.known: list[str] = []

    def inner(self, name: str) -> str:
        """The place of something inside."""
        return ", ".join(part for part in (self.place, name) if part)

    def fail(self, name: str, found: str, expected: str) -> NoReturn:
        where = self.inner(name)
        raise InputError(found, expected, f"{self.source}: {where}" if where else self.source)

    def _take(self, name: str, default: Any) -> Any:
        self.known.append(name)
        return self.content.get(name, default)

    def names(self) -> list[str]:
        return list(self.content)

    def number(self, name: str, default: float, least: float) -> float:
        return float(self._checked(name, default, (least, LONGEST), (int, float), "a number"))

    def whole(self, name: str, default: int, least: int) -> int:
        return int(self._checked(name, default, (least, MOST), (int,), "a whole number"))

    def _checked(
        self, name: str, default: float, bounds: tuple[float, float], types: tuple[type, ...], kind: str
    ) -> float:
        value = self._take(name, default)
        least, most = bounds
        if type(value) not in types:
            self.fail(name, shown(value), kind)
        if not least <= value < most:
            self.fail(name, shown(value), f"{kind} of at least {least}, below {most:.0f}")
        return value  # type: ignore[no-any-return]

    def text(self, name: str) -> str | None:
        value = self._take(name, None)
        if value is not None and not isinstance(value, str):
            self.fail(name, shown(value), "a text")
        return value

    def texts(self, name: str) -> list[str]:
        value = self._take(name, [])
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            self.fail(name, shown(value), "a list of texts")
        return list(value)

    def values(self, name: str, default: list[Any]) -> list[Any]:
        """The members of a list, the numbers of a range ``{ from, to, step }``, or the one value."""
        value = self._take(name, default)
        if isinstance(value, dict):
            part = SpecTable(value, self.source, self.inner(name))
            first = part.whole("from", 0, -MOST)
            numbers = range(first, part.whole("to", first, first) + 1, part.whole("step", 1, 1))
            part.end()
            if len(numbers) > MOST_VALUES:
                self.fail(name, f"{len(numbers)} numbers", f"at most {MOST_VALUES}")
            return list(numbers)
        return value if isinstance(value, list) else [value]

    def entries(self, name: str) -> list[Any]:
        """The members of a list, or the one value."""
        value = self._take(name, [])
        return value if isinstance(value, list) else [value]

    def table(self, name: str) -> SpecTable:
        value = self._take(name, {})
        if not isinstance(value, dict):
            self.fail(name, shown(value), "a table")
        return SpecTable(value, self.source, self.inner(name))

    def tables(self, name: str) -> list[SpecTable]:
        value = self._take(name, [])
        if not isinstance(value, list) or not all(isinstance(part, dict) for part in value):
            self.fail(name, shown(value), f"a list of tables, as [[{name}]] makes it")
        return [
            SpecTable(part, self.source, self.inner(f"{name} {number}"))
            for number, part in enumerate(value, 1)
        ]

    def end(self) -> None:
        """All keys are known by now."""
        for name in self.content:
            if name not in self.known:
                self.fail("", f"the key {name!r}", f"one of {', '.join(self.known)}")


def shown(value: Any) -> str:
    """The value in a message."""
    return "nothing" if value is None else repr(value) if len(repr(value)) < 60 else f"{repr(value)[:57]}..."
