"""Work in another thread, so that Ctrl-C arrives in this one. Threads are kept: starting one takes time."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

__all__ = ["aside"]

STOPPING = 5.0
"""Seconds that interrupted work gets to end."""

TURN = 0.1
"""Seconds between two looks whether the work is done; not on every system an interrupt ends a wait."""


class Errand:
    """A call, and what came of it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.result: Any = None
        self.error: BaseException | None = None
        # Not Thread.join: interrupted, it takes the thread for ended (Python 3.11, bpo-45274).
        self.ended = threading.Event()

    def run(self) -> None:
        try:
            self.result = self.work()
        except BaseException as error:
            self.error = error
        finally:
            self.ended.set()


class Helper:
    """A thread that does one errand after the other, until it is given none."""

    def __init__(self) -> None:
        self.errands: SimpleQueue[Errand | None] = SimpleQueue()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        while errand := self.errands.get():
            errand.run()

    def end(self) -> None:
        self.errands.put(None)
        self.thread.join(TURN)


idle: list[Helper] = []

if hasattr(os, "register_at_fork"):
    # In a forked child there are no threads but the one that forked.
    os.register_at_fork(after_in_child=idle.clear)


def aside(work: Callable[[], Any], stop: Callable[[], None]) -> Any:
    """The result of `work`, done in another thread. An interrupt calls `stop`, and waits for its effect.

    Parameters
    ----------
    stop
        Has the work end soon; called again and again: work that has not begun yet takes no notice.
    """
    errand = Errand(work)
    try:
        helper = idle.pop()
    except IndexError:
        helper = Helper()
    helper.errands.put(errand)
    try:
        while not errand.ended.wait(TURN):
            pass
    except BaseException:
        patience = time.monotonic() + STOPPING
        while not errand.ended.is_set() and time.monotonic() < patience:
            stop()
            errand.ended.wait(TURN)
        helper.end()
        raise
    idle.append(helper)
    if errand.error is not None:
        raise errand.error
    return errand.result
