"""What a run's own process does: becomes ready, starts the clock, solves, judges, reports.

It is forked by `cpmines.campaign._server`, which watches it. What loading and compiling take is over when
the clock starts: the process solves the problem's small examples first, also to have the solvers' processes
that the engines start.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from cpmines import registry
from cpmines.answer import Limits, Status, Stop
from cpmines.campaign import _processes
from cpmines.campaign._processes import Memory
from cpmines.campaign.record import Category, Reason, Result
from cpmines.campaign.task import Instance, Task
from cpmines.campaign.verdict import category_of, comparable
from cpmines.errors import EngineError
from cpmines.solve import Run, run, warm_up

__all__ = ["Started", "get_ready", "live"]

SLACK = 1.05
"""Times its limit that a run may take before the system itself refuses more: watching comes first."""


@dataclass(frozen=True)
class Started:
    """The state of a run's processes when its clock starts."""

    memory: Memory
    proportional: int


def live(connection: Connection, output: int, task: Task, instance: Instance | None) -> None:
    """The life of the process; it does not return. Without an instance it only gets ready."""
    code = 1
    try:
        _settle(output)
        get_ready(task.problem, task.backend)
        if instance is not None:
            connection.send(_measured(connection, task, instance))
        code = 0
    except BaseException as error:
        with contextlib.suppress(BaseException):
            connection.send(_failed(f"{type(error).__name__}: {error}"))
    finally:
        os._exit(code)


def _settle(output: int) -> None:
    """A session of its own, in which what is printed goes to `output` and signals do what they do."""
    os.setsid()
    _processes.die_with_parent()
    _processes.adopt_orphans()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    null = os.open(os.devnull, os.O_RDONLY)
    for file, place in ((null, 0), (output, 1), (output, 2)):
        os.dup2(file, place)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        # Where the system itself runs out of memory, the run is what it ends.
        Path("/proc/self/oom_score_adj").write_text("1000")


def get_ready(problem: str, backend: str) -> None:
    """Solve the examples in this process, also if the one that it was forked from has done so."""
    registry.backend(problem, backend)
    warm_up.__wrapped__(problem, backend)


def _measured(connection: Connection, task: Task, instance: Instance) -> Result:
    question = registry.problem(task.problem)
    (parsed,) = question.parse(instance.text, instance.name)
    limits = Limits(task.wall_limit, task.memory_limit, task.seed)
    started = _start(connection, task)
    before, start = _processes.cpu_times(), time.perf_counter()
    found = run(task.problem, parsed, task.backend, limits, label=task.instance)
    wall, after = time.perf_counter() - start, _processes.cpu_times()
    peak = _processes.memory(started.memory.pids).peak - started.memory.resident
    broken = found.error.startswith("MemoryError")
    return Result(
        status=str(found.status),
        category=Category.UNKNOWN if broken else category_of(question, found, instance.expected),
        reason=Reason.MEMORY_LIMIT if broken else _reason(found),
        cpu_user=max(0.0, after[0] - before[0]),
        cpu_system=max(0.0, after[1] - before[1]),
        wall=wall,
        build=found.seconds.build,
        solve=found.seconds.solve,
        check=found.seconds.check,
        peak_memory=max(0, peak),
        counters={name: float(number) for name, number in found.answer.statistics.items()},
        value=comparable(question, found, instance.expected),
        faults=found.faults,
        error="" if broken else found.error,
        note=found.answer.note,
    )


def _start(connection: Connection, task: Task) -> Started:
    """Tell the watcher that the clock starts, and set the limits that hold if it should fail."""
    pids = [os.getpid(), *_processes.descendants(os.getpid())]
    _processes.forget_peaks(pids)
    started = Started(_processes.memory(pids), _processes.proportional(pids))
    seconds = int(time.process_time() + SLACK * task.time_limit) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    most = _processes.data_size() + int(SLACK * task.memory_limit)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    connection.send(started)
    return started


def _reason(found: Run[Any]) -> Reason:
    if found.error.startswith(f"{EngineError.__name__}:"):
        return Reason.CRASHED
    if found.error:
        return Reason.EXCEPTION
    return {stop: Reason(stop.value) for stop in Stop}[found.answer.stop]


def _failed(error: str) -> Result:
    return Result(Status.UNKNOWN, Category.ERROR, Reason.EXCEPTION, error=error)
