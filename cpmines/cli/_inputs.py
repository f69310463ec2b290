"""Instances named on the command line, read one after the other."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

import click

from cpmines import files, registry
from cpmines.answer import LONGEST, MOST_SEED
from cpmines.cli._say import say
from cpmines.errors import InputError, UsageError
from cpmines.numerals import plural
from cpmines.question import Asked
from cpmines.run import warm_up

__all__ = [
    "BACKEND",
    "Named",
    "Source",
    "exit_code",
    "instances",
    "limit_options",
    "make_ready",
    "patience",
    "report_error",
    "sources",
    "style_option",
    "workers_option",
]

BACKEND = "A name, name:variant, package.module:OBJECT, or 'program:COMMAND'"
"""For help: how backends are named."""

PATIENCE = 4.0
"""Seconds without a word: libraries are loaded in a part of it, also on a busy machine."""

MOST_WORKERS = 1024

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Source:
    """One file, or standard input, that holds instances of a problem."""

    problem: str
    path: Path | None
    number: int | None = None

    @property
    def name(self) -> str:
        return "-" if self.path is None else str(self.path)

    def read(self) -> bytes:
        return self.standard_input if self.path is None else files.read(self.path)

    @cached_property
    def standard_input(self) -> bytes:
        """Kept, for it can be read only once, and several questions may be asked of it."""
        return read_standard_input()

    def expected(self, number: int | None) -> dict[str, Any] | None:
        """What ``expected.jsonl`` says of an instance. Raises `InputError`."""
        found = None if self.path is None else files.expected_answer(self.path, number)
        if found is not None:
            try:
                registry.problem(self.problem).ask(found.get("question"), **found.get("options", {}))
            except (UsageError, TypeError) as error:
                answer = f"an answer to {found['instance']} of another question"
                beside = f"{self.path.parent / files.EXPECTED}" if self.path else "-"
                raise InputError(answer, f"a question of {self.problem} ({error})", beside) from None
        return found


@dataclass(frozen=True)
class Named:
    """An instance with its name and its expected answer, if one stands beside it."""

    problem: str
    label: str
    instance: Any
    expected: dict[str, Any] | None


@contextmanager
def patience(what: str) -> Iterator[None]:
    """Say on standard error what is going on, if it takes more than `PATIENCE` seconds."""
    timer = threading.Timer(PATIENCE, say, [what], {"err": True})
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@cache
def make_ready(problem: str, backend: str, asked: Asked | None = None) -> None:
    """`warm_up`, with a word to those who wait; nothing if it has been done."""
    with patience(f"getting {backend} for {problem} ready"):
        warm_up(problem, backend, asked)


class SecondsType(click.FloatRange):
    """What `Limits` takes; NaN would pass every comparison with a limit."""

    def __init__(self) -> None:
        super().__init__(0, LONGEST, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a number of seconds.", param, ctx)
        return number


def read_standard_input() -> bytes:
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("a closed standard input", "an instance", "-")
    if sys.stdin.isatty():
        say("reading standard input; end with Ctrl-D", err=True)
    try:
        return files.decompress(files.read_most(sys.stdin.buffer), "-")
    except OSError as error:
        raise InputError(f"{error.strerror}", "a standard input that can be read", "-") from None


def sources(problem: str | None, names: Sequence[str]) -> Iterator[Source | InputError]:
    """What the arguments name: files, folders, ``-``. A bad one comes as its error, in its place."""
    for name in names:
        if name == "-":
            yield Source(problem or files.problem_of(Path.cwd(), registry.problem_names()), None)
            continue
        whole, number = split_number(name)
        try:
            paths = files.instance_files(Path(whole))
        except InputError as error:
            yield error
            continue
        for path in paths:
            yield Source(problem or files.problem_of(path, registry.problem_names()), path, number)


def split_number(name: str) -> tuple[str, int | None]:
    """``file#k``, as an instance is named in results, as file and k; other names as they are."""
    whole, _, number = name.rpartition("#")
    try:
        if whole and number.isdecimal() and not Path(name).exists():
            return whole, int(number)
    except OSError:
        # Too long a name, say: reading it will tell.
        pass
    return name, None


def instances(source: Source, asked: Asked | None = None) -> Iterator[Named]:
    """The instances of a source, of which a question is asked, the problem's first one by default.

    Raises
    ------
    InputError, UsageError
        It can't be read, or the question can't be asked of it.
    """
    question = registry.problem(source.problem)
    parsed = question.read(source.read(), source.name, asked or question.ask())
    if source.number is not None and not 1 <= source.number <= len(parsed):
        raise InputError(plural(len(parsed), "instance"), f"one with the number {source.number}", source.name)
    for k, instance in enumerate(parsed, 1):
        if source.number not in (None, k):
            continue
        number = k if len(parsed) > 1 else None
        label = source.name if number is None else f"{source.name}#{number}"
        yield Named(source.problem, label, instance, source.expected(number))


def report_error(error: InputError) -> None:
    say(f"cpmines: {error}", err=True)


def exit_code(*, conflict: bool, bad_input: bool, unanswered: bool) -> int:
    """The gravest of what happened."""
    return 1 if conflict else 2 if bad_input else 3 if unanswered else 0


def style_option(*styles: str, help: str = "For people or for programs.") -> Callable[[F], F]:
    """The option ``--format``; the first style is the default."""
    return click.option(
        "--format", "style", type=click.Choice(styles), default=styles[0], show_default=True, help=help
    )


def workers_option(default: str) -> Callable[[F], F]:
    """``--workers``; None if it is not given, of which `default` tells what it means."""
    return click.option(
        "--workers",
        type=click.IntRange(1, MOST_WORKERS),
        help=f"How many runs at once, each within the limits; no result depends on it.  [default: {default}]",
    )


def limit_options(default_seconds: float | None = None, *, seed: bool = True) -> Callable[[F], F]:
    """The options of every command that runs backends; without `seed`, those of time and memory."""
    seeds = click.option(
        "--seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True, help="Seed."
    )

    def decorate(command: F) -> F:
        for option in (
            *([seeds] if seed else []),
            click.option(
                "--memory-limit",
                type=click.IntRange(1, 1 << 30),
                default=4096,
                show_default=True,
                metavar="MB",
                help="Memory that a backend may take.",
            ),
            click.option(
                "--time-limit",
                type=SecondsType(),
                default=default_seconds,
                show_default=True if default_seconds else "none",
                metavar="SECONDS",
                help="Wall time of each run.",
            ),
        ):
            command = option(command)
        return command

    return decorate
