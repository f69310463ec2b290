"""Files to write, as options."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from cpmines.errors import UsageError

__all__ = ["STANDARD_OUTPUT", "OutputFile", "OutputFolder", "output_option"]

F = TypeVar("F", bound=Callable[..., Any])

STANDARD_OUTPUT = Path("/dev/fd/1")
"""Its name where a name is needed; unlike ``/dev/stdout`` it can't be replaced by a file by mistake."""


class OutputFile(click.Path):
    """A file to write, which need not be readable; ``-`` is standard output, ``./-`` a file of that name."""

    def __init__(self, dash: Path | None = None) -> None:
        super().__init__(readable=False, path_type=Path)
        self.dash = dash

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "-":
            return self.dash
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.is_dir():  # said before hours are spent
            raise UsageError(f"{path}: found a folder, expected a file to write")
        return path


class OutputFolder(click.Path):
    """A folder to write to; it need not be there. A name that is empty is no name for this one."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            raise UsageError("found an empty name, expected that of a folder to write to, . for this one")
        return super().convert(value, param, ctx)


def output_option(help: str = "File to write to.") -> Callable[[F], F]:
    """The option ``-o``; None is standard output."""
    return click.option("-o", "--output", type=OutputFile(), help=f"{help}  [default: standard output]")
