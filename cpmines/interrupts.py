"""Interrupts of the command line: from its first instruction to its last it ends at once, with nothing left.

An exception in whatever happens to run is no way to end: libraries swallow it, and a module that was half
imported fails later, in other words. So nothing is raised. What was registered by `leaving` is done, and the
process exits with 128 and the number of the signal, as shells count. Only a command that has something to say
at its end, or to keep, asks for the exception: `orderly`.

Processes that this one has started are not ended here: each of them ends by itself when this one is gone.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys

# What this imports delays the moment from which an interrupt is taken care of.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType
    from typing import NoReturn

__all__ = ["concluding", "finish", "held", "install", "leaving", "orderly"]

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

PATIENCE = 1.0
"""Seconds that an orderly end may take: the exception may have been swallowed."""

LAST_WORDS = 1.0
"""Seconds for all that is done and said at the end: a pipe that nobody reads takes for ever."""

SHOW_CURSOR = b"\r\x1b[K\x1b[?25h"
"""On a terminal: away with the line of a progress bar, and back with the cursor that it has hidden."""


def flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


class Ending:
    """How this process ends if it is interrupted now.

    Attributes
    ----------
    owner
        The process that it is for: in a forked one the signals do what they do anywhere.
    acts
        What is to be done before, the latest first.
    held
        How many blocks of code are under way that must not be broken off.
    waiting
        A signal that came inside them, 0 for none.
    orderly
        How many blocks are under way that want the exception.
    code
        The exit code, once it is known.
    """

    def __init__(self) -> None:
        self.owner = 0
        self.acts: list[Callable[[], None]] = [flush]
        self.held = self.waiting = self.orderly = 0
        self.code: int | None = None

    def handle(self, number: int, _frame: FrameType | None) -> None:
        if os.getpid() != self.owner:  # forked just now
            os._exit(128 + number)
        if self.held:
            self.waiting = number
        elif self.orderly and number == signal.SIGINT:
            self.orderly = 0  # another one ends it at once
            self.after(PATIENCE, lambda: self.end(number))
            raise KeyboardInterrupt
        else:
            self.end(number)

    def end(self, number: int) -> NoReturn:
        # Nobody may read what is written now: another signal ends it at once, and so does time.
        for other in SIGNALS:
            signal.signal(other, lambda *_: os._exit(128 + number))
        self.after(LAST_WORDS, lambda: os._exit(128 + number))
        for act in reversed(self.acts):
            try:
                act()
            except Exception:  # the others have their turn
                continue
        try:
            os.write(2, (SHOW_CURSOR if os.isatty(2) else b"") + b"interrupted\n")
        finally:
            os._exit(128 + number)

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        """Do something after a time, whatever is under way then; where the system has such an alarm."""
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, lambda *_: act())
            signal.setitimer(signal.ITIMER_REAL, seconds)

    def last(self) -> None:
        """The last that the interpreter runs: what it does after that, to end, is no time for a signal."""
        if self.code is None or os.getpid() != self.owner:
            return
        for file in (sys.stdout, sys.stderr):
            try:
                if file is not None:
                    file.flush()
            except (OSError, ValueError):  # it was told, or nobody is there to be told
                continue
        os._exit(self.code)

    def forget(self) -> None:
        """In a forked process."""
        if self.owner and os.getpid() != self.owner:
            self.__init__()  # type: ignore[misc]
            for number in SIGNALS:
                if signal.getsignal(number) == self.handle:
                    plain = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
                    signal.signal(number, plain)


ENDING = Ending()


def install() -> None:
    """Take care of interrupts from now on; one that is ignored, as behind ``nohup``, stays ignored."""
    ENDING.owner = os.getpid()
    atexit.register(ENDING.last)  # the first one is called last
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, ENDING.handle)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=ENDING.forget)


def finish(code: int) -> None:
    """The exit code is known: end with it as soon as all that was registered with `atexit` is done."""
    ENDING.code = code


class leaving:  # noqa: N801
    """A context in which `act` is called should an interrupt end the process."""

    def __init__(self, act: Callable[[], None]) -> None:
        self.act = act

    def __enter__(self) -> None:
        ENDING.acts.append(self.act)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.act in ENDING.acts:  # a forked process has forgotten them
            ENDING.acts.remove(self.act)


class concluding(leaving):  # noqa: N801
    """The same; and `act` is called when the block ends, in whatever way."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        self.act()


class held:  # noqa: N801
    """A context of a moment that an interrupt comes after, not into."""

    def __enter__(self) -> None:
        ENDING.held += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ENDING.held = max(0, ENDING.held - 1)
        if ENDING.waiting and not ENDING.held:
            number, ENDING.waiting = ENDING.waiting, 0
            ENDING.handle(number, None)


def nothing() -> None:
    """No last word."""


class orderly(leaving):  # noqa: N801
    """A context in which Ctrl-C is a `KeyboardInterrupt`, for what keeps what it has; `act` is its last word.

    That is said also if the exception is swallowed.
    """

    def __init__(self, act: Callable[[], None] = nothing) -> None:
        super().__init__(act)

    def __enter__(self) -> None:
        super().__enter__()
        ENDING.orderly += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        ENDING.orderly = max(0, ENDING.orderly - 1)
        if isinstance(error, KeyboardInterrupt):
            self.act()
