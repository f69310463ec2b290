"""Python processes that are kept between uses: starting one costs more than most of what they are asked."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from multiprocessing import Pipe
from typing import IO, Generic, TypeVar

__all__ = ["Child", "Pool"]


class Child:
    """A Python process in a session of its own, which imports what this one does, and a connection to it.

    Its standard input is a pipe to which nothing is written: the end of it is the end of this process.

    Parameters
    ----------
    kind
        What it serves; processes of a kind are as good as each other.
    words
        What follows ``python``; then comes the descriptor of its end of the connection.
    printed
        Where standard output and standard error go.
    environment
        What is added to the environment of this process.

    Attributes
    ----------
    free
        It can be used again: nothing is under way in it.
    """

    def __init__(
        self,
        kind: str,
        words: list[str],
        printed: IO[bytes] | int,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.kind, self.free = kind, True
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        self.connection, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", *words, str(theirs.fileno())],
                stdin=subprocess.PIPE,
                stdout=printed,
                stderr=printed,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env={**os.environ, **(environment or {}), "PYTHONPATH": paths},
            )

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        """Have it end, without waiting for that."""
        self.process.kill()

    def close(self) -> None:
        """End it, wait, and let go of it."""
        self.stop()
        self.process.wait()
        self.let_go()

    def let_go(self) -> None:
        """Close what leads to it; in a forked process that is all that may be done."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.connection.close()


C = TypeVar("C", bound=Child)


class Pool(Generic[C]):
    """Processes that `make` makes of a kind, of which at most `kept` idle ones of a kind are kept."""

    def __init__(self, make: Callable[[str], C], kept: int) -> None:
        self.make, self.kept = make, kept
        self.idle: list[C] = []
        self.busy: list[C] = []
        self.lock = threading.Lock()
        atexit.register(self.end)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def take(self, kind: str) -> C:
        """A process for this caller alone, until it is given back."""
        with self.lock:
            for child in [child for child in reversed(self.idle) if child.kind == kind]:
                self.idle.remove(child)
                if child.alive:
                    break
                child.close()
            else:
                child = self.make(kind)
            self.busy.append(child)
            return child

    def give_back(self, child: C) -> None:
        """Keep it for others, or end it: what is not free can't be stopped in another way."""
        with self.lock:
            if child in self.busy:
                self.busy.remove(child)
            if (
                child.free
                and child.alive
                and sum(other.kind == child.kind for other in self.idle) < self.kept
            ):
                self.idle.append(child)
                return
        child.close()

    def end(self) -> None:
        """End all of them, also those that somebody uses."""
        with self.lock:
            ended = [*self.idle, *self.busy]
            self.idle.clear()
            for child in ended:
                child.stop()
        for child in ended:
            child.close()

    def _forget(self) -> None:
        """In a forked child: they belong to the parent, whose end they must still be able to notice."""
        self.lock = threading.Lock()
        for child in [*self.idle, *self.busy]:
            # Keeps Popen from waiting for what is not a child of this process.
            child.process.returncode = 0
            child.let_go()
        self.idle.clear()
        self.busy.clear()
