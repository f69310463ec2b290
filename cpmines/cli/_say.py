"""All that commands print, but for tables: nothing by others reaches a terminal unquoted."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import Any

import click

from cpmines.quoting import printable, printable_lines

__all__ = ["document", "say", "say_lines"]


def say(line: object, *, err: bool = False) -> None:
    """Print one line, whatever is in it."""
    _echo(printable(line), err)


def say_lines(text: str, *, err: bool = False) -> None:
    """Print lines by `cpmines.report`, which quotes the line ends of others."""
    _echo(printable_lines(text), err)


def _echo(text: str, err: bool) -> None:
    """What can't be said on standard error can't be said at all: the exit code has to do."""
    with suppress(OSError) if err else nullcontext():
        click.echo(text, err=err)


def document(text: Any, *, end: str = "\n") -> None:
    """Write to standard output as it is what a program reads: JSON, which quotes by itself, or a file."""
    click.echo(f"{text}{end}", nl=False)
