"""How far a backend is, on a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from cpmines.answer import Limits
from cpmines.quoting import printable

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["progress_bar"]

QUIET = 0.3
"""Seconds without a bar: most answers are there before what draws it is loaded."""


class Bar:
    """A bar that appears after `QUIET` seconds; it moves if the backend says how far it is."""

    def __init__(self, label: str) -> None:
        self.label, self.done = label, 0.0
        self.drawn: Progress | None = None
        self.timer = threading.Timer(QUIET, self.draw)
        self.timer.daemon = True

    def draw(self) -> None:
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import Progress

        self.drawn = Progress(console=Console(stderr=True), transient=True)
        task = self.drawn.add_task(escape(printable(self.label)), total=None)
        if self.done:
            self.drawn.update(task, total=1.0, completed=self.done)
        self.drawn.start()

    def advance(self, done: float) -> None:
        self.done = done
        if self.drawn is not None and self.drawn.task_ids:
            self.drawn.update(self.drawn.task_ids[0], total=1.0, completed=done, refresh=True)

    def end(self) -> None:
        self.timer.cancel()
        self.timer.join()  # it may be drawing just now
        if self.drawn is not None:
            self.drawn.stop()


@contextmanager
def progress_bar(limits: Limits, label: str) -> Iterator[Limits]:
    """Limits that show on a terminal how far a backend is that says so."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield limits
        return
    bar = Bar(label)
    bar.timer.start()
    try:
        yield replace(limits, progress=bar.advance)
    finally:
        bar.end()
