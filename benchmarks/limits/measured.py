"""Works done in another process, whose time and memory are looked at."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import IO, Any

from benchmarks.limits.cases import MEMORY, SECONDS, TIME, Work
from benchmarks.limits.memory import own_memory

__all__ = ["Limited", "Measured", "Row"]

MORE, MORE_SECONDS, MORE_BYTES = 1.1, 0.2, 50 << 20
"""What may be exceeded: a tenth, and so much."""
PATIENCE = 20.0
"""Seconds after a limit from which on a work is ended."""
EVERY = 0.01
"""Seconds between looks at the memory."""
READY = 120.0
"""Seconds for what comes before the clock."""


@dataclass(frozen=True)
class Limited:
    """The limits of a work, of which one is tried; the other leaves room.

    Attributes
    ----------
    memory
        Bytes.
    """

    seconds: float
    memory: int
    by_time: bool

    def __str__(self) -> str:
        return f"{self.seconds:g} s" if self.by_time else f"{self.memory >> 20} MB"

    def concerns(self, work: Work) -> bool:
        options = {TIME, SECONDS} if self.by_time else {MEMORY}
        return not options.isdisjoint(work.limits)

    def options(self, work: Work) -> list[str]:
        """Of a command."""
        there = {TIME: f"{self.seconds}", SECONDS: f"{self.seconds}", MEMORY: f"{self.memory >> 20}"}
        return [word for name in work.limits for word in (name, there[name])]


@dataclass(frozen=True)
class Row:
    """How a work kept its limits.

    Attributes
    ----------
    spent
        Seconds.
    taken
        Bytes at the most, without what the process had before.
    """

    work: Work
    limits: Limited
    spent: float
    taken: int
    answer: str

    @property
    def beyond(self) -> float:
        """How much of what is allowed it took: more than 1 exceeds a limit."""
        time_part = self.spent / (self.limits.seconds * MORE + MORE_SECONDS)
        memory_part = self.taken / (self.limits.memory * MORE + MORE_BYTES)
        timed = {TIME, SECONDS} & {*self.work.limits}
        return max(time_part if timed else 0.0, memory_part if MEMORY in self.work.limits else 0.0)


class Measured:
    """A process that does works."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None

    def streams(self) -> tuple[subprocess.Popen[str], IO[str], IO[str]]:
        """The process, started if there is none, and what leads to it and from it."""
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.limits.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        return self.process, self.process.stdin, self.process.stdout

    def end(self) -> None:
        """End it; what it has started ends with it."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def row(self, work: Work, limits: Limited) -> Row:
        """Do a work under limits."""
        request: dict[str, Any] = {**work.request(), "seconds": limits.seconds, "memory": limits.memory}
        request |= {"more": limits.options(work), "folder": self.folder}
        process, given, told = self.streams()
        try:
            print(json.dumps(request), file=given, flush=True)
            if not select.select([told], [], [], READY)[0] or not told.readline():
                raise BrokenPipeError
            before = own_memory(process.pid)
            print(file=given, flush=True)
        except BrokenPipeError:
            self.end()
            return Row(work, limits, 0.0, 0, "it did not get ready")
        return self._watched(work, limits, before)

    def _watched(self, work: Work, limits: Limited, before: int) -> Row:
        process, _, told = self.streams()
        start, most = time.perf_counter(), before
        while not select.select([told], [], [], EVERY)[0]:
            most = max(most, own_memory(process.pid))
            if time.perf_counter() - start > limits.seconds + PATIENCE:
                self.end()
                return Row(work, limits, time.perf_counter() - start, most - before, "no end")
        line = told.readline()
        if not line:
            spent = time.perf_counter() - start
            self.end()
            return Row(work, limits, spent, most - before, "the process ended by itself")
        done = json.loads(line)
        return Row(work, limits, done["seconds"], most - before, done["answer"])
