"""The process that runs are forked from: it has the imports and the compiled kernels, and it watches.

``python -m cpmines.campaign.server N FOLDER`` is asked through the socket with the descriptor N, for one run
at a time. It forks a process for the run (see `cpmines.campaign.child`), follows everything below that, and
ends all of it when the run is over, has used up a limit, or nobody waits for it any more. What runs write
goes to the folder, which is emptied after each.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NoReturn

from cpmines.answer import Status
from cpmines.campaign.child import WALL_SHARE, Measured, Started, get_ready, get_ready_to_prove, live
from cpmines.campaign.record import Category, Result, StopReason
from cpmines.campaign.task import Instance, Task
from cpmines.process import tree
from cpmines.process.ends import ending
from cpmines.program import PREFIX

__all__ = ["main"]

INTERVAL = 0.02
"""Seconds between two looks at a run, at most."""

SHORTEST = 0.001
"""Seconds between two looks at a run whose memory grows towards its limit, at least."""

OUTDATED = 0.2
"""Seconds after which what processes share is measured again."""

READY = 300.0
"""Seconds for a run to get ready; compiling takes some, once in an installation."""

GRACE = 0.05
"""Part of the wall limit that is waited for a backend that knows the limit and keeps it."""

MISSED = 0.1
"""Part of a limit by which a run may miss it and still have its answer."""

MEASURES = ("cpu_user", "cpu_system", "wall", "build", "solve", "check", "peak_memory", "counters")
KEPT_OUTPUT = 2000
NO_MEMORY = re.compile(rb"bad_alloc|MemoryError|out[ -]?of[ -]?memory|cannot allocate memory", re.IGNORECASE)
NEARLY = 0.9
"""Part of the memory limit from which on a crash is taken for the lack of memory."""


@dataclass
class Watch:
    """One process, and all below it, from the fork to the end.

    Attributes
    ----------
    measured
        The result, while its answer is being proved.
    growth, looked
        The fastest that memory grew between two looks, in bytes a second, and when the last look was.
    shared, sharing
        Bytes that a sum over the processes counts too often; of which ones, and when that was measured.
    """

    pid: int
    task: Task
    spared: frozenset[int]
    begun: float = field(default_factory=time.monotonic)
    started: Started | None = None
    measured: Result | None = None
    cpu_before: tuple[float, float] = (0.0, 0.0)
    cpu: tuple[float, float] = (0.0, 0.0)
    peak: int = 0
    growth: float = 0.0
    looked: float = 0.0
    shared: int = 0
    sharing: tuple[frozenset[int], float] = (frozenset(), 0.0)
    output: bytes = b""

    def start(self, started: Started) -> None:
        """The clock starts."""
        self.started, self.begun = started, time.monotonic()
        self.looked = self.begun
        self.cpu_before = tree.cpu_ticks(self.pids())

    def measure_proof(self, result: Result) -> None:
        """The run has its result, and what comes now is its proof: the clock starts again."""
        self.measured = self._within(replace(result, peak_memory=max(result.peak_memory, self.peak)))
        self.begun = time.monotonic()
        self.cpu, self.cpu_before = (0.0, 0.0), tree.cpu_ticks(self.pids())

    def pids(self) -> list[int]:
        return [pid for pid in tree.descendants(os.getpid()) if pid not in self.spared]

    @property
    def wall(self) -> float:
        return time.monotonic() - self.begun

    def look(self) -> str:
        """Measure. The limit that is used up, empty if none is."""
        if self.started is None:
            return f"it was not ready after {READY:.0f} s" if self.wall > READY else ""
        pids = self.pids()
        now = tree.cpu_ticks(pids)
        user, system = (max(0.0, b - a) for a, b in zip(self.cpu_before, now, strict=True))
        self.cpu = max(self.cpu[0], user), max(self.cpu[1], system)
        self._take_memory(self._grown(pids, self.started))
        time_limit, wall_limit = self._limits()
        if sum(self.cpu) >= time_limit:
            return "CPU time"
        if self.peak > self.task.memory_limit:
            return "memory"
        if self.wall > wall_limit * (1 + GRACE):
            return "wall time"
        return ""

    def _limits(self) -> tuple[float, float]:
        """Seconds of CPU time and wall time of what is going on."""
        if self.measured is None:
            return self.task.time_limit, self.task.wall_limit
        return self.task.certificate_limit, WALL_SHARE * self.task.certificate_limit

    @property
    def interval(self) -> float:
        """Seconds to the next look: the memory has at most half way to go to its limit in that time."""
        left = self.task.memory_limit - self.peak
        return INTERVAL if not self.growth else min(INTERVAL, max(SHORTEST, left / self.growth / 2))

    def _take_memory(self, grown: int) -> None:
        now = time.monotonic()
        self.growth = max(self.growth, (grown - self.peak) / max(SHORTEST, now - self.looked))
        self.peak, self.looked = max(self.peak, grown), now

    def _grown(self, pids: list[int], started: Started) -> int:
        """Bytes more than at the start; with new processes, what they share counts once."""
        now = tree.memory(pids)
        if now.pids <= started.memory.pids:
            return now.peak - started.memory.resident
        grown = now.resident - started.memory.resident
        if grown <= self.peak:
            return grown
        known, when = self.sharing
        if (
            now.pids != known
            or time.monotonic() - when > OUTDATED
            or grown - self.shared > self.task.memory_limit
        ):
            exact = tree.proportional(pids) - started.proportional
            self.shared, self.sharing = grown - exact, (now.pids, time.monotonic())
        return grown - self.shared

    def whole(self, result: Result) -> Result:
        """What the run says of itself, with what was seen from here."""
        if self.measured is None:
            return self._within(replace(result, peak_memory=max(result.peak_memory, self.peak)))
        if result.error:
            memory = result.error.startswith("MemoryError")
            return replace(self.measured, certificate=f"none: {'ended: memory' if memory else result.error}")
        return replace(self.measured, category=result.category, certificate=result.certificate)

    def _within(self, result: Result) -> Result:
        """The result, without its answer if that took more than a limit and came between two looks."""
        reached = {
            "CPU time": (result.cpu_user + result.cpu_system, self.task.time_limit),
            "memory": (result.peak_memory, self.task.memory_limit),
            "wall time": (result.wall, self.task.wall_limit),
        }
        limit = next((name for name, (used, most) in reached.items() if used > (1 + MISSED) * most), "")
        if not limit or result.category not in (Category.RIGHT, Category.UNKNOWN):
            return result
        return replace(self._stopped(limit), **{name: getattr(result, name) for name in MEASURES})

    def _stopped(self, limit: str) -> Result:
        reason = StopReason.MEMORY_LIMIT if limit == "memory" else StopReason.TIME_LIMIT
        return Result(Status.UNKNOWN, Category.UNKNOWN, reason, note=f"ended: {limit}")

    def ended(self, limit: str) -> Result:
        """What is noted of a run that was ended here."""
        if self.started is None:
            return _error(StopReason.KILLED, limit)
        if self.measured is not None:
            return replace(self.measured, certificate=f"none: ended: {limit}")
        return self._measured(self._stopped(limit))

    def died(self, status: int) -> Result:
        """What is noted of a run that ended without a result; `status` as from `os.waitpid`."""
        said = self.output.decode(errors="replace").strip()[-300:]
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if number == signal.SIGXCPU:
            return self.ended("CPU time")
        if NO_MEMORY.search(self.output) or (number and self.peak > NEARLY * self.task.memory_limit):
            return self.ended("memory")
        if number == signal.SIGKILL:
            return self._measured(
                _error(StopReason.KILLED, "killed from outside; perhaps for lack of memory")
            )
        how = ending(os.waitstatus_to_exitcode(status))
        return self._measured(_error(StopReason.CRASHED, f"ended with {how}: {said or 'it said nothing'}"))

    def _measured(self, result: Result) -> Result:
        if self.started is None:
            return result
        if self.measured is not None:
            return replace(self.measured, certificate=f"none: {result.error}")
        user, system = self.cpu
        return replace(result, cpu_user=user, cpu_system=system, wall=self.wall, peak_memory=self.peak)


def _error(reason: StopReason, error: str) -> Result:
    return Result(Status.UNKNOWN, Category.ERROR, reason, error=error)


def _loaded(backend: str) -> str:
    """What is loaded for a backend, whatever its options are: a name, or ``package.module:OBJECT``."""
    base, _, variant = backend.partition(":")
    if base == PREFIX:
        return backend
    return f"{base}:{variant.partition('/')[0]}" if "." in base else base


class Server:
    """Answers requests: a `Task` and its `Instance`. The reply is a `Result`."""

    def __init__(self, control: Connection, folder: Path) -> None:
        self.control, self.folder = control, folder
        self.ready: set[tuple[str, str, bool]] = set()
        self.unfit: dict[tuple[str, str, bool], Result] = {}

    def serve(self) -> None:
        """Answer until nobody asks any more."""
        while True:
            task, instance = self.control.recv()
            self.control.send(self.answer(task, instance))

    def answer(self, task: Task, instance: Instance) -> Result:
        kind = (task.problem, _loaded(task.backend), task.certificate_limit > 0)
        if kind not in self.ready and kind not in self.unfit:
            # First in a process that may hang or crash; then here, for all that are forked later.
            failed = self.run(task, None)
            if failed is None:
                get_ready(task.problem, task.backend)
                if task.certificate_limit:
                    get_ready_to_prove(task.problem, self.folder)
                self.ready.add(kind)
            else:
                self.unfit[kind] = failed
        result = self.unfit.get(kind) or self.run(task, instance)
        return result or _error(StopReason.CRASHED, "ended without a result")

    def run(self, task: Task, instance: Instance | None) -> Result | None:
        """Fork, watch, end. Without an instance: None if the process got ready."""
        gc.freeze()
        spared = frozenset(tree.descendants(os.getpid()))
        ours, theirs = Pipe()
        output, printed = os.pipe()
        pid = os.fork()
        if pid == 0:
            self.control.close()
            ours.close()
            os.close(output)
            live(theirs, printed, task, instance, self.folder)
        theirs.close()
        os.close(printed)
        try:
            return self.follow(Watch(pid, task, spared), ours, output)
        finally:
            tree.end_all(spared)
            self.clear()
            ours.close()
            os.close(output)

    def clear(self) -> None:
        """Empty the folder, which the run may have done anything with."""
        with suppress(OSError):
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(mode=0o700, exist_ok=True)

    def follow(self, watch: Watch, connection: Connection, output: int) -> Result | None:
        """Watch a run until there is a result, from it or instead of it."""
        sources: list[Any] = [connection, output, self.control]
        while True:
            for source in wait(sources, watch.interval):
                if source is self.control:
                    raise EOFError("nobody waits for this run any more")
                if source is output and not self.drain(watch, output):
                    sources.remove(output)
                if source is connection and (result := self.hear(watch, connection, sources)):
                    return result
            if limit := watch.look():
                return watch.ended(limit)
            ended, status = os.waitpid(watch.pid, os.WNOHANG)
            if ended:
                while connection.poll():
                    if result := self.hear(watch, connection, sources):
                        return result
                    if connection not in sources:
                        break
                self.drain(watch, output)
                return None if watch.started is None and status == 0 else watch.died(status)

    def hear(self, watch: Watch, connection: Connection, sources: list[Any]) -> Result | None:
        """Take one message."""
        try:
            message = connection.recv()
        except (EOFError, OSError):
            if connection in sources:
                sources.remove(connection)
            return None
        if isinstance(message, Started):
            watch.start(message)
            return None
        if isinstance(message, Measured):
            watch.measure_proof(message.result)
            return None
        assert isinstance(message, Result)
        return watch.whole(message)

    def drain(self, watch: Watch, output: int) -> bool:
        """Take what was printed; the end of it is kept. False if there will be no more."""
        os.set_blocking(output, False)
        with suppress(BlockingIOError):
            data = os.read(output, 1 << 16)
            watch.output = (watch.output + data)[-KEPT_OUTPUT:]
            return bool(data)
        return True


def _leave(*_: object) -> NoReturn:
    """End at once: an exception could be taken for one of a backend that is being made ready."""
    tree.end_all()
    os._exit(0)


def main() -> None:
    """Serve on the socket whose descriptor is the first argument."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    tree.adopt_orphans()
    with suppress(EOFError, ConnectionError):
        Server(Connection(int(sys.argv[1])), Path(sys.argv[2])).serve()
    tree.end_all()
    shutil.rmtree(sys.argv[2], ignore_errors=True)


if __name__ == "__main__":
    main()
