"""Ctrl-C that comes by itself."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["interrupted"]

R = TypeVar("R")


def interrupted(seconds: float, work: Callable[[], R]) -> R | None:
    """What `work` returns, or None if it was ended by Ctrl-C, which is sent to it after so many seconds.

    Raises
    ------
    ValueError
        This is not the main thread: no other gets Ctrl-C.
    """

    def send() -> None:
        # To the thread itself, as the terminal does: only then a call that waits is woken up.
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(seconds, send)
    # In the background of a shell it may be set to be ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        found = work()
        timer.cancel()
        timer.join()
        return found
    except KeyboardInterrupt:
        return None
    finally:
        signal.signal(signal.SIGINT, before)
