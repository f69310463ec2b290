"""Processes that are kept between uses: starting one costs more than most of what they are asked."""

from __future__ import annotations

import atexit
import os
import threading
from collections import Counter
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

__all__ = ["Kept", "Pool"]


class Kept(Protocol):
    """A process of a pool.

    Attributes
    ----------
    kind
        What it serves; processes of a kind are as good as each other.
    free
        It can be used again: nothing is under way in it.
    """

    kind: str
    free: bool

    @property
    def alive(self) -> bool:
        """It has not ended."""

    def stop(self) -> None:
        """Have it end, without waiting for that."""

    def close(self) -> None:
        """End it and wait; what leads to it is closed."""

    def forget(self) -> None:
        """Close what leads to it, in a process that it does not belong to."""


P = TypeVar("P", bound=Kept)


class Pool(Generic[P]):
    """Processes that `make` makes of a kind, of which at most `kept` idle ones of a kind are kept."""

    def __init__(self, make: Callable[[str], P], kept: int) -> None:
        self.make, self.kept = make, kept
        self.idle: list[P] = []
        self.busy: list[P] = []
        self.lock = threading.Lock()
        atexit.register(self.end)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def take(self, kind: str) -> P:
        """A process for this caller alone, until it is given back."""
        with self.lock:
            for process in [process for process in reversed(self.idle) if process.kind == kind]:
                self.idle.remove(process)
                if process.alive:
                    break
                process.close()
            else:
                process = self.make(kind)
            self.busy.append(process)
            return process

    def give_back(self, process: P) -> None:
        """Keep it for others, or end it: what is not free can't be stopped in another way."""
        with self.lock:
            if process in self.busy:
                self.busy.remove(process)
            same = Counter(other.kind for other in self.idle)[process.kind]
            if process.free and process.alive and same < self.kept:
                self.idle.append(process)
                return
        process.close()

    def end(self) -> None:
        """End all of them, also those that somebody uses."""
        with self.lock:
            ended = [*self.idle, *self.busy]
            self.idle.clear()
            for process in ended:
                process.stop()
        for process in ended:
            process.close()

    def _forget(self) -> None:
        """In a forked child: they belong to the parent, whose end they must still be able to notice."""
        self.lock = threading.Lock()
        for process in [*self.idle, *self.busy]:
            process.forget()
        self.idle.clear()
        self.busy.clear()
