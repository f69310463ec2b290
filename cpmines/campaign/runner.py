"""Make one run: `perform` takes a task to a record, in whatever process or thread it is called.

It has a process of its own do the work, see `cpmines.campaign.server`; idle ones are kept for later calls.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from concurrent.futures import CancelledError
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from importlib.metadata import version
from typing import Any

from cpmines import registry
from cpmines.answer import Status
from cpmines.campaign.child import SETTINGS
from cpmines.campaign.environment import environment
from cpmines.campaign.record import Category, Instrument, Record, Result, StopReason
from cpmines.campaign.runexec import runexec_version
from cpmines.campaign.task import Instance, Task, digest, writable
from cpmines.errors import UsageError
from cpmines.process import tree
from cpmines.process.pool import Child, Pool

__all__ = ["Done", "end_servers", "perform", "versions"]

LONGEST = 2000
"""Characters that are kept of what a run says."""

ATTEMPTS = 3
"""Times that a run is begun whose watcher is ended."""

UNWATCHED = Result(
    Status.UNKNOWN,
    Category.ERROR,
    StopReason.KILLED,
    error=f"the process that watches the run was ended, {ATTEMPTS} times",
)

SERVING: dict[str, str] = {Instrument.OWN: "server", Instrument.RUNEXEC: "runexec"}
"""The modules by instrument."""

CLOSING = 15.0
"""Seconds that a server gets to end what runs below it."""


@dataclass(frozen=True)
class Done:
    """A record, and the environment that it refers to."""

    record: Record
    environment: dict[str, Any]


class ServerProcess(Child):
    """One process that makes runs, of the module of an instrument. It serves one thread at a time."""

    def __init__(self, instrument: str) -> None:
        if not tree.supported():
            raise UsageError("campaigns need Linux: limits are kept by what /proc says of a run's processes")
        if instrument == Instrument.RUNEXEC:
            runexec_version()
        self.ended = False
        self.folder = tempfile.TemporaryDirectory(prefix="cpmines-", ignore_cleanup_errors=True)
        words = ["-m", f"cpmines.campaign.{SERVING[instrument]}", self.folder.name]
        super().__init__(instrument, words, subprocess.DEVNULL, SETTINGS)

    def run(self, task: Task, instance: Instance) -> Result:
        """Raises `EOFError` or `OSError` if the process ends meanwhile."""
        self.connection.send((task, instance))
        result: Result = self.connection.recv()
        return result

    def stop(self) -> None:
        self.ended = True
        self.process.terminate()

    def close(self) -> None:
        """End it, and all runs below it."""
        self.process.terminate()
        try:
            self.process.wait(CLOSING)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert self.process.stdin is not None
        # The connection is left alone: another thread may be reading from it.
        self.process.stdin.close()
        self.folder.cleanup()


SERVERS = Pool(ServerProcess, sys.maxsize)
"""By their instrument. All idle ones are kept: there are never more than runs at a time."""


@cache
def versions(problem: str, backend: str) -> str:
    """Versions of cpmines and of the packages that a backend uses, as ``name version, ...``."""
    packages = registry.backend(problem, backend).packages
    return ", ".join(f"{name} {version(name)}" for name in dict.fromkeys(("cpmines", *packages)))


def perform(task: Task, instance: Instance) -> Done:
    """Make one run and measure it.

    Raises
    ------
    UsageError
        The versions here are not those of the task, or the system is not fit for it.
    CancelledError
        `end_servers` was called meanwhile.
    """
    if (here := versions(task.problem, task.backend)) != task.version:
        raise UsageError(f"{task.backend} is planned with {task.version}, installed is {here}")
    for _ in range(ATTEMPTS):
        started = time.time()
        if (result := _watched(task, instance)) is not None:
            break
    result = _kept(result or UNWATCHED)
    measured = {field.name: getattr(result, field.name) for field in fields(Result)}
    where = environment() | {"instrument": _instrument(task.instrument)}
    record = Record(key=task.key, **asdict(task), **measured, environment=digest(where), started=started)
    return Done(record, where)


def _instrument(kind: str) -> str:
    """What measured, with its version."""
    return runexec_version() if kind == Instrument.RUNEXEC else f"cpmines {version('cpmines')}"


def _watched(task: Task, instance: Instance) -> Result | None:
    """The result, None if the process that watches the run was ended; that may have come from outside."""
    server = SERVERS.take(task.instrument)
    try:
        return server.run(task, instance)
    except (EOFError, OSError):
        if server.ended:
            raise CancelledError from None
        server.free = False
        return None
    finally:
        SERVERS.give_back(server)


def _kept(result: Result) -> Result:
    """The result as it is stored: what a backend says may have any length and any characters."""
    return replace(
        result,
        counters=writable(result.counters),
        value=writable(result.value),
        faults=tuple(map(_short, result.faults)),
        error=_short(result.error),
        note=_short(result.note),
        certificate=_short(result.certificate),
    )


def _short(text: str) -> str:
    text = writable(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def end_servers() -> None:
    """End all processes that `perform` keeps, and the runs below them."""
    SERVERS.end()
