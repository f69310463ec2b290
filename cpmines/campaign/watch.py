"""The watch of one run: what its processes use up, which limit that is, and what is noted of the run."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass, field, replace

from cpmines.answer import Status
from cpmines.campaign.child import WALL_SHARE, Started
from cpmines.campaign.record import Category, Result, StopReason
from cpmines.campaign.task import Task
from cpmines.process import tree
from cpmines.process.ends import ending
from cpmines.process.memory import memory_refused

__all__ = ["KEPT_OUTPUT", "READY", "Watch", "failure"]

INTERVAL = 0.02
"""Seconds between two looks at a run, at most."""

SHORTEST = 0.001
"""Seconds between two looks at a run whose memory grows towards its limit, at least."""

OUTDATED = 0.2
"""Seconds after which what processes share is measured again."""

READY = 300.0
"""Seconds for a run to get ready; libraries are loaded in a few, also on a busy machine."""

GRACE = 0.05
"""Part of the wall limit that is waited for a backend that knows the limit and keeps it."""

MISSED = 0.1
"""Part of a limit by which a run may miss it and still have its answer."""

KEPT_OUTPUT = 2000
"""Bytes at the end of what a run prints that are kept."""

MEASURES = ("cpu_user", "cpu_system", "wall", "build", "solve", "check", "peak_memory", "counters")


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
            why = "ended: memory" if memory_refused(result.error) else result.error
            return replace(self.measured, certificate=f"none: {why}")
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
            return failure(StopReason.KILLED, limit)
        if self.measured is not None:
            return replace(self.measured, certificate=f"none: ended: {limit}")
        return self._measured(self._stopped(limit))

    def died(self, status: int) -> Result:
        """What is noted of a run that ended without a result; `status` as from `os.waitpid`."""
        said = self.output.decode(errors="replace").strip()[-300:]
        code = os.waitstatus_to_exitcode(status)
        if code == -signal.SIGXCPU:
            return self.ended("CPU time")
        if memory_refused(self.output, code=code, used=self.peak, limit=self.task.memory_limit):
            return self.ended("memory")
        if code == -signal.SIGKILL:
            return self._measured(
                failure(StopReason.KILLED, "killed from outside; perhaps for lack of memory")
            )
        return self._measured(
            failure(StopReason.CRASHED, f"ended with {ending(code)}: {said or 'it said nothing'}")
        )

    def _measured(self, result: Result) -> Result:
        if self.started is None:
            return result
        if self.measured is not None:
            return replace(self.measured, certificate=f"none: {result.error}")
        user, system = self.cpu
        return replace(result, cpu_user=user, cpu_system=system, wall=self.wall, peak_memory=self.peak)


def failure(reason: StopReason, error: str) -> Result:
    """What is noted of a run that has no answer because something went wrong."""
    return Result(Status.UNKNOWN, Category.ERROR, reason, error=error)
