"""Processes of a run, seen through ``/proc``: which there are, what they have used, how to end them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "Memory",
    "adopt_orphans",
    "cpu_ticks",
    "cpu_times",
    "data_size",
    "descendants",
    "die_with_parent",
    "end_all",
    "forget_peaks",
    "memory",
    "proportional",
    "supported",
]

TICK = 1 / os.sysconf("SC_CLK_TCK")
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
ENDING = 10.0
"""Seconds within which killed processes have to be gone."""


def supported() -> bool:
    """Does this system show the children of a process?"""
    return Path(f"/proc/self/task/{os.getpid()}/children").exists()


def adopt_orphans() -> None:
    """Processes below this one whose parent ends become children of this one, not of the system."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    """Have this process killed when its parent ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def descendants(pid: int) -> list[int]:
    """Children of a process, their children and so on; also those that have ended but were not waited for."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        with contextlib.suppress(OSError):
            for task in os.scandir(f"/proc/{waiting.pop()}/task"):
                with contextlib.suppress(OSError):
                    children = Path(task.path, "children").read_text().split()
                    waiting += (new := [int(child) for child in children])
                    found += new
    return found


def _stat(pid: int) -> list[int]:
    """User and system ticks of a process, and of its children that were waited for; zeros if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return [0, 0, 0, 0]
    return [int(field) for field in fields[11:15]]


def cpu_ticks(pids: Iterable[int]) -> tuple[float, float]:
    """User and system seconds of processes and their children, to the tick (mostly 10 ms) of the system."""
    times = [_stat(pid) for pid in pids]
    user, system = (TICK * sum(row[k] + row[k + 2] for row in times) for k in (0, 1))
    return user, system


def _clock(pid: int) -> tuple[float, float]:
    """User and system seconds of one process: a sum to the nanosecond, divided by what the ticks say.

    The number of a process's clock is made as by clock_getcpuclockid(3) of the C library.
    """
    _, system, *reaped = _stat(pid)
    try:
        total = time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0, 0.0
    kernel = min(total, TICK * system)
    return total - kernel + TICK * reaped[0], kernel + TICK * reaped[1]


def cpu_times() -> tuple[float, float]:
    """User and system seconds of this process and all below it, those that have ended included."""
    others = [_clock(pid) for pid in descendants(os.getpid())]
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    user = sum(part.ru_utime for part in used) + sum(part[0] for part in others)
    return user, sum(part.ru_stime for part in used) + sum(part[1] for part in others)


@dataclass(frozen=True)
class Memory:
    """What processes have in memory, in bytes.

    Attributes
    ----------
    resident
        Sum over the processes, now; memory that they share counts for each of them.
    peak
        Sum of the most that each has had.
    """

    pids: frozenset[int]
    resident: int
    peak: int


def memory(pids: Iterable[int]) -> Memory:
    """What processes have in memory; those that are gone have nothing."""
    pids = frozenset(pids)
    resident = peak = 0
    for pid in pids:
        lines = _lines(f"/proc/{pid}/status")
        resident += _kilobytes(lines, "VmRSS:")
        peak += _kilobytes(lines, "VmHWM:")
    return Memory(pids, resident, peak)


def proportional(pids: Iterable[int]) -> int:
    """Bytes that processes have in memory, what n of them share counting 1/n each. Slow with much memory."""
    return sum(_kilobytes(_lines(f"/proc/{pid}/smaps_rollup"), "Pss:") for pid in pids)


def data_size() -> int:
    """Bytes of this process that ``RLIMIT_DATA`` counts."""
    return _kilobytes(_lines("/proc/self/status"), "VmData:")


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


def _kilobytes(lines: Iterable[str], name: str) -> int:
    found = next((line for line in lines if line.startswith(name)), None)
    return 0 if found is None else int(found.split()[1]) << 10


def forget_peaks(pids: Iterable[int]) -> None:
    """Have the peak of each process begin at what it has now, where the system allows it."""
    for pid in pids:
        with contextlib.suppress(OSError):
            Path(f"/proc/{pid}/clear_refs").write_text("5")


def end_all(spared: Iterable[int] = ()) -> bool:
    """Kill everything below this process but `spared`, and wait for it. False if something remains.

    Stopped first, so that nothing is started while others are killed; asked again until nothing is left,
    for what was started meanwhile.
    """
    spared = frozenset(spared)
    patience = time.monotonic() + ENDING
    while rest := [pid for pid in descendants(os.getpid()) if pid not in spared]:
        for name in (signal.SIGSTOP, signal.SIGKILL):
            for pid in rest:
                with contextlib.suppress(OSError):
                    os.kill(pid, name)
        for pid in rest:
            with contextlib.suppress(OSError):
                os.waitpid(pid, os.WNOHANG)
        if time.monotonic() > patience:
            return False
        time.sleep(0.001)
    return True
