"""What is asked of an instance: the questions that a problem names, and one of them with its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cpmines.errors import UsageError

__all__ = [
    "Asked",
    "Maximise",
    "Minimise",
    "Objective",
    "Option",
    "Question",
    "ask",
    "flags_of",
    "present",
]


@dataclass(frozen=True)
class Option:
    """Something that a question leaves open: a flag of ``cpmines solve``, a keyword of `cpmines.solve`.

    Attributes
    ----------
    name
        As a Python name; the flag has dashes for underscores.
    kind
        bool for a flag without a value; else the type of its value: int, float or str.
    help
        One sentence.
    default
        The value if none is given.
    required
        Has one to be given?
    least
        Of a number.
    read
        From the given value to the one that backends get. Raises `UsageError`.
    """

    name: str
    kind: type
    help: str
    default: Any = None
    required: bool = False
    least: int | None = None
    read: Callable[[Any], Any] | None = None

    def value(self, given: Any) -> Any:
        """The value that backends get. Raises `UsageError`."""
        if self.read is not None:
            return self.read(given)
        if type(given) is not self.kind:  # True is an int, too
            raise UsageError(f"{self.name} {given!r}, expected a value of type {self.kind.__name__}")
        if isinstance(given, int) and self.least is not None and given < self.least:
            raise UsageError(f"{self.name} {given}: expected at least {self.least}")
        return given


@dataclass(frozen=True)
class Maximise:
    """The best answer has the largest number in this field of its JSON value."""

    field: str

    def beats(self, one: Any, other: Any) -> bool:
        """Is the first number better than the second?"""
        return bool(one > other)


@dataclass(frozen=True)
class Minimise:
    """The best answer has the smallest number in this field of its JSON value."""

    field: str

    def beats(self, one: Any, other: Any) -> bool:
        """Is the first number better than the second?"""
        return bool(one < other)


Objective = Maximise | Minimise


@dataclass(frozen=True)
class Question:
    """One thing that can be asked of every instance of a problem.

    Attributes
    ----------
    name
        One word.
    summary
        One line.
    fields
        Fields of the JSON value that a solved answer must have: it answers the question in full.
    determined
        Fields that all solved answers to an instance share (optimum, count), compared where two have them. A
        witness is not among them.
    objective
        What is made as large or as small as possible, None for a question without a best answer.
    options
        What the question leaves open.
    relaxed
        Has it always an answer, also where the others have none?
    short
        Why a value with all the fields is still not the answer in full, from it and the options: a list that
        breaks off; empty if it is.
    """

    name: str
    summary: str
    fields: tuple[str, ...] = ()
    determined: tuple[str, ...] = ()
    objective: Objective | None = None
    options: tuple[Option, ...] = ()
    relaxed: bool = False
    short: Callable[..., str] | None = None

    def lacking(self, value: Any) -> list[str]:
        """The fields that a solved answer must have and that `value` does not have."""
        return [name for name in self.fields if getattr(value, name, None) is None]

    @property
    def plain(self) -> Asked:
        """The question with the default of each option. Raises `UsageError` if one has none."""
        return self.with_options({})

    def with_options(self, given: Mapping[str, Any]) -> Asked:
        """The question with these options, those left out as they are by default. Raises `UsageError`."""
        known, given = {option.name: option for option in self.options}, present(given)
        if unknown := sorted(set(given) - set(known)):
            there = ", ".join(known) or "none"
            raise UsageError(
                f"no option {', '.join(unknown)} of the question {self.name}; there are: {there}"
            )
        values = {}
        for name, option in known.items():
            if name in given:
                values[name] = option.value(given[name])
            elif option.required:
                raise UsageError(f"the question {self.name} needs {name}: {option.help}")
        return Asked(self, {name: value for name, value in values.items() if value != known[name].default})


@dataclass(frozen=True)
class Asked:
    """A question, with the options that are not as they are by default.

    >>> print(Asked(Question("sample", "Some of them."), {"sample": 3}))
    sample sample=3
    """

    question: Question
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.question.name

    def lacking(self, value: Any) -> list[str]:
        """What a solved answer must have and `value` does not have, in words."""
        question = self.question
        missing = question.lacking(value)
        if missing or question.short is None:
            return missing
        return [why] if (why := question.short(value, **self.values())) else []

    def values(self) -> dict[str, Any]:
        """Every option's value, as a backend gets them."""
        return {option.name: option.default for option in self.question.options} | dict(self.options)

    def to_json(self) -> dict[str, Any]:
        """The fields that name it in a record."""
        shown = {
            name: value if isinstance(value, int | float) else str(value)
            for name, value in self.options.items()
        }
        return {"question": self.name} | ({"options": shown} if shown else {})

    def words(self) -> list[str]:
        """The words that ask it on a command line."""
        found = ["--ask", self.name]
        for name, value in self.options.items():
            found += ["--" + name.replace("_", "-"), *([] if value is True else [str(value)])]
        return found

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.options.items())])

    def __hash__(self) -> int:
        return hash(str(self))


def flags_of(questions: Sequence[Question]) -> list[str]:
    """Names of the questions that are asked for by a flag: all, but where an option has the name."""
    options = {option.name for question in questions for option in question.options}
    return [question.name for question in questions if question.name not in options]


def ask(questions: Sequence[Question], name: str | None = None, /, **given: Any) -> Asked:
    """One of `questions` with options.

    Parameters
    ----------
    name
        Of the question; None for the one that `given` names (``nearest=True``), else for the first one that
        has all the given options.
    given
        Options, and names of questions with True; those that are None or False are not given.

    Raises
    ------
    UsageError
        No such question or option, more than one question, or a value that is not one.
    """
    options = present(given)
    known = {option.name for question in questions for option in question.options}
    flags = [one.name for one in questions if one.name not in known and options.get(one.name) is True]
    if name is not None and not isinstance(name, str):
        raise UsageError(f"the question {name!r}, expected a name")
    named = list(dict.fromkeys(flags if name is None else [name, *flags]))
    if len(named) > 1:
        raise UsageError(f"one question at a time: {', '.join(named)}")
    options = {key: value for key, value in options.items() if key not in flags}
    if named:
        return _named(questions, named[0]).with_options(options)
    for question in questions:
        if set(options) <= {option.name for option in question.options}:
            return question.with_options(options)
    if unknown := sorted(set(options) - known):
        there = ", ".join(sorted({*known, *flags_of(questions)})) or "none"
        raise UsageError(f"no option {', '.join(unknown)} for this problem; there are: {there}")
    raise UsageError(f"one question at a time: none has {' and '.join(options)} together")


def _named(questions: Sequence[Question], name: str) -> Question:
    for question in questions:
        if question.name == name:
            return question
    raise UsageError(f"no question {name!r}; there are: {', '.join(question.name for question in questions)}")


def present(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are given: neither None nor False, as flags are that were left out."""
    return {name: value for name, value in options.items() if value is not None and value is not False}
