"""What can go wrong, by cause. Each class carries the exit code of the command line."""

from __future__ import annotations

import errno

from cpmines.quoting import printable

__all__ = [
    "CpminesError",
    "EngineError",
    "InputError",
    "InstallationError",
    "LimitError",
    "PluginWarning",
    "UsageError",
    "WrongAnswerError",
    "advice",
    "mending",
]


class CpminesError(Exception):
    """Base of every error that cpmines raises on purpose. As text it is one printable line."""

    exit_code = 2

    def __str__(self) -> str:
        return printable(super().__str__())


class UsageError(CpminesError):
    """A name, an option or a combination of them that does not exist."""


class InstallationError(CpminesError):
    """A part of cpmines is missing, or older than its source; the message says what to run."""


class InputError(CpminesError):
    """An instance that can't be read: where, what was found and what was expected.

    Parameters
    ----------
    found, expected
        Phrases that complete "found ..., expected ...".
    source
        Name of the file, or ``-`` for standard input.
    line, column
        1-based place; None if the fault has no single place.
    """

    def __init__(
        self, found: str, expected: str, source: str = "-", line: int | None = None, column: int | None = None
    ) -> None:
        self.found, self.expected = found, expected
        self.source, self.line, self.column = source, line, column
        place = ":".join(str(part) for part in (source, line, column) if part is not None)
        super().__init__(f"{place}: found {found}, expected {expected}")

    def __reduce__(self) -> tuple[type, tuple[str, str, str, int | None, int | None]]:
        return type(self), (self.found, self.expected, self.source, self.line, self.column)


class LimitError(CpminesError):
    """A limit of the run was reached before an answer was found.

    Raised inside a backend by `Limits.check` and turned into an `unknown` answer by `cpmines.run`.
    """

    exit_code = 3

    def __init__(self, stop: str, note: str = "") -> None:
        self.stop, self.note = stop, note
        super().__init__(note or stop)

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.stop, self.note)


class EngineError(CpminesError):
    """A solver broke its contract, or off: an unknown status code, a crash. There is no answer."""

    exit_code = 3


class WrongAnswerError(CpminesError):
    """A value is wrong, said the judge, or the Model that an engine was given: it is not given out."""

    exit_code = 1


class PluginWarning(UserWarning):
    """A problem, backend or engine is left out: it is broken, or has the name of another one."""

    def __str__(self) -> str:
        return printable(super().__str__())


ROOM = "make room there; TMPDIR may name another folder for temporary files"
ADVICE = {
    errno.ENOSPC: ROOM,
    errno.EDQUOT: ROOM,
    errno.EFBIG: "a limit of the system (ulimit -f) is too small",
    errno.EROFS: "nothing can be written there: name another place",
    errno.EMFILE: "too many files are open: raise the limit (ulimit -n), or use fewer --workers",
    errno.EAGAIN: "no process or thread can be started: end others, raise the limit (ulimit -u)",
    errno.ENOMEM: "the machine has no more memory: end other processes, or use fewer --workers",
}
"""For errors of the system by their number."""


def mending(*packages: str) -> str:
    """What to do about packages that can't be loaded, in a clause."""
    return f"to mend the installation: pip install --force-reinstall {' '.join(packages)}"


def advice(error: BaseException) -> str:
    """What to do about an error of the system, in a clause; empty if there is no telling.

    >>> advice(OSError(errno.EROFS, "Read-only file system"))
    'nothing can be written there: name another place'
    """
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return ADVICE[errno.EAGAIN]
    return ADVICE.get(error.errno or 0, "") if isinstance(error, OSError) else ""
