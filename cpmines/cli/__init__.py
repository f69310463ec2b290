"""The command line. One file a command; a command parses, calls, prints, and returns its exit code.

0 answered and in agreement; 1 conflict; 2 bad usage or input; 3 no answer within the limits; 130 interrupted.
"""

from __future__ import annotations

import errno
import io
import os
import pkgutil
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from cpmines import __version__, outputs
from cpmines.cli._say import say
from cpmines.errors import CpminesError, PluginWarning, advice, mending
from cpmines.quoting import printable

__all__ = ["LazyGroup", "main"]

WRITING = (errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EROFS)
"""Errors without the name of a file that are about standard output."""

BAD_USAGE = 2
NO_ANSWER = 3
INTERRUPTED = 130
PIPE_CLOSED = 141


class LazyGroup(click.Group):
    """Commands are the modules of `package`, imported when they are named."""

    def __init__(self, *args: Any, package: str, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(
            found.name.replace("_", "-")
            for found in pkgutil.iter_modules(import_module(self.package).__path__)
            if not found.name.startswith("_")
        )

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"{self.package}.{name.replace('-', '_')}").command
        return command


@click.group(
    cls=LazyGroup,
    package=__name__,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="cpmines %(version)s")
def cli() -> None:
    """A SAT and constraint-programming workbench for the constraint problems of Minesweeper.

    \b
    Example:
      cpmines list
      cpmines generate consistency --seed 1 | cpmines solve consistency
    """


def in_a_line(plain: Callable[..., str]) -> Callable[..., str]:
    """`warnings.formatwarning`, with those of plug-ins like the other messages for users."""

    def shown(message: Any, category: type[Warning], *place: Any, **more: Any) -> str:
        if issubclass(category, PluginWarning):
            return f"cpmines: {message}\n"
        return plain(message, category, *place, **more)

    return shown


def fault_text(error: Exception) -> str:
    """What to say of an exception that nobody expected, and where it came from, in a line."""
    from cpmines.process.memory import memory_refused

    if memory_refused(f"{type(error).__name__}: {error}"):  # a library that is not loaded for it says so, too
        return "the machine has no more memory"
    if isinstance(error, ImportError):
        return f"{error}; {mending('cpmines')}"
    import traceback

    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{place.filename}:{place.lineno}, {place.name}"
    return f"this is a fault of cpmines, please report it: {type(error).__name__}: {error} ({where})"


def main() -> None:
    """Run the command line and exit."""
    outputs.begin_command()
    warnings.formatwarning = in_a_line(warnings.formatwarning)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    # The current folder may hold a backend that is named as package.module:OBJECT.
    sys.path.append("")
    try:
        code = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.message = printable(error.message)  # type: ignore[misc]
        with suppress(OSError):
            error.show()
        code = BAD_USAGE
    except CpminesError as error:
        say(f"cpmines: {error}", err=True)
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        say("interrupted", err=True)
        code = INTERRUPTED
    except OSError as error:
        where = error.filename or ("standard output" if error.errno in WRITING else "the system")
        said = f"{where}: {error.strerror or error}"
        say("; ".join(filter(None, [f"cpmines: {said}", advice(error)])), err=True)
        sys.stdout = None  # else the interpreter fails once more when it flushes
        code = BAD_USAGE
    except SystemExit as end:
        # click ends like this if the reader is gone, or after completion.
        code = PIPE_CLOSED if end.code else 0
    except Exception as error:
        say(f"cpmines: {fault_text(error)}", err=True)
        code = NO_ANSWER
    sys.exit(code if isinstance(code, int) else 0)
