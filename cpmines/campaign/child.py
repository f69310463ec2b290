"""What a run's own process does: becomes ready, starts the clock, solves, judges, reports.

It is forked by `cpmines.campaign.server`, which watches it. What loading takes is over when the
clock starts: the process solves the problem's small examples first, also to have the solvers' processes
that the engines start. What it measured is reported before the answer is proved, where that is asked for.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

from cpmines import registry
from cpmines.answer import LONGEST, Limits, Status, Stop
from cpmines.campaign.record import Category, Result, StopReason
from cpmines.campaign.task import Instance, Task, asked_of
from cpmines.campaign.verdict import category_of, comparable
from cpmines.certificate import write
from cpmines.check import check
from cpmines.errors import EngineError, WrongAnswerError
from cpmines.process import tree
from cpmines.process.memory import memory_refused
from cpmines.process.tree import Memory
from cpmines.question import Asked
from cpmines.run import Run, run, warm_up

__all__ = ["SETTINGS", "Measured", "Started", "get_ready", "get_ready_to_prove", "live", "work"]

SINGLE_THREADED = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Set to 1 for runs: threads that libraries start by themselves would compete with other runs."""

SETTINGS = {**dict.fromkeys(SINGLE_THREADED, "1"), "PYTHONHASHSEED": "0"}
"""Environment variables of runs."""

WARM_UP = 60.0
"""Seconds for an example, and for its proof."""

WALL_SHARE = 10.0
"""Seconds of wall time for a certificate, for each of CPU time: enough beside other work."""

SLACK = 1.05
"""Times its limit that a run may take before the system itself refuses more: watching comes first."""


Send = Callable[[Any], None]
"""Passes a message on to who watches the run: `Started`, `Measured`, the `Result`."""


@dataclass(frozen=True)
class Started:
    """The state of a run's processes when its clock starts."""

    memory: Memory
    proportional: int
    cpu: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Measured:
    """The result of a run whose answer is going to be proved: another one follows."""

    result: Result


def live(connection: Connection, output: int, task: Task, instance: Instance | None, folder: Path) -> None:
    """The life of the process; it does not return. See `work`."""
    try:
        _settle(output)
        work(connection.send, task, instance, folder)
    finally:
        os._exit(1)


def work(send: Send, task: Task, instance: Instance | None, folder: Path) -> NoReturn:
    """Get ready, make the run, send what comes of it, and end. Without an instance it only gets ready.

    In `folder` is room for the certificate.
    """
    code = 1
    try:
        get_ready(task)
        if instance is None and task.certificate_limit:
            get_ready_to_prove(task, folder)
        if instance is not None:
            send(_made(send, task, instance, folder))
        code = 0
    except BaseException as error:
        with contextlib.suppress(BaseException):
            send(_failed(error))
    finally:
        os._exit(code)


def _settle(output: int) -> None:
    """A session of its own, in which what is printed goes to `output` and signals do what they do."""
    os.setsid()
    tree.die_with_parent()
    tree.adopt_orphans()
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


def get_ready(task: Task) -> None:
    """Solve the examples in this process, also if the one that it was forked from has done so."""
    registry.backend(task.problem, task.backend)
    warm_up.__wrapped__(task.problem, task.backend, asked_of(task))


def get_ready_to_prove(task: Task, folder: Path) -> None:
    """Prove the answers to the examples: what that loads is nothing that a run should pay."""
    question, asked = registry.problem(task.problem), asked_of(task)
    prover = next(iter(registry.default_backends(task.problem, asked.question)), task.backend)
    for text in question.warm_up:
        for parsed in question.parse(text, "warm-up"):
            found = run(task.problem, parsed, prover, Limits(WARM_UP), asked)
            written = write(task.problem, parsed, found, folder / "certificate", Limits(WARM_UP))
            if written.folder is not None:
                check(written.folder, None)


def _made(send: Send, task: Task, instance: Instance, folder: Path) -> Result:
    """Run, measure, and prove the answer if the task wants it and nothing speaks against it yet."""
    asked = asked_of(task)
    (parsed,) = registry.problem(task.problem).read(instance.text, instance.name, asked)
    found, result = _measured(send, task, instance, parsed, asked)
    if not task.certificate_limit or result.category is not Category.RIGHT:
        return result
    send(Measured(result))
    return _proved(task, parsed, found, result, folder)


def _proved(task: Task, parsed: Any, found: Run[Any], result: Result, folder: Path) -> Result:
    """The result with what came of proving the answer."""
    seconds = min(LONGEST, WALL_SHARE * task.certificate_limit)
    limits = Limits(seconds, task.memory_limit, task.seed)
    try:
        written = write(task.problem, parsed, found, folder / "certificate", limits)
    except WrongAnswerError as error:
        return replace(result, category=Category.WRONG, certificate=f"rejected: the answer is wrong: {error}")
    if written.folder is None:
        return replace(result, certificate=f"none: {written.note}")
    verdict = check(written.folder, None)
    if verdict.stopped:
        return replace(result, certificate=f"none: not checked, {verdict.stopped}")
    if not verdict.accepted:
        return replace(result, certificate=f"rejected: {verdict.fault}")
    return replace(
        result, certificate=f"in part: not {verdict.unproved[0]}" if verdict.unproved else "accepted"
    )


def _measured(
    send: Send, task: Task, instance: Instance, parsed: Any, asked: Asked
) -> tuple[Run[Any], Result]:
    question = registry.problem(task.problem)
    limits = Limits(task.wall_limit, task.memory_limit, task.seed)
    started = _start(send, task)
    before, start = tree.cpu_times(), time.perf_counter()
    found = run(task.problem, parsed, task.backend, limits, asked, label=task.instance)
    wall, after = time.perf_counter() - start, tree.cpu_times()
    peak = tree.memory(started.memory.pids).peak - started.memory.resident
    if not math.isfinite(wall + sum(after) + found.seconds.total + found.seconds.check):
        raise EngineError("the clock of the process gives no finite time")
    counted = {name: float(number) for name, number in found.answer.statistics.items()}
    broken = memory_refused(found.error)
    return found, Result(
        status=str(found.status),
        category=Category.UNKNOWN if broken else category_of(question, found, instance.expected),
        reason=StopReason.MEMORY_LIMIT if broken else _reason(found),
        cpu_user=max(0.0, after[0] - before[0]),
        cpu_system=max(0.0, after[1] - before[1]),
        wall=wall,
        build=found.seconds.build,
        solve=found.seconds.solve,
        check=found.seconds.check,
        peak_memory=max(0, peak),
        counters={str(name): number for name, number in counted.items() if math.isfinite(number)},
        value=comparable(question, found, instance.expected),
        faults=found.faults,
        error="" if broken else found.error,
        note=found.answer.note,
    )


def _start(send: Send, task: Task) -> Started:
    """Tell the watcher that the clock starts, and set the limits that hold if it should fail."""
    pids = [os.getpid(), *tree.descendants(os.getpid())]
    tree.forget_peaks(pids)
    started = Started(tree.memory(pids), tree.proportional(pids), tree.cpu_times())
    seconds = int(time.process_time() + SLACK * (task.time_limit + task.certificate_limit)) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    most = tree.data_size() + int(SLACK * task.memory_limit)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    send(started)
    return started


def _reason(found: Run[Any]) -> StopReason:
    if found.error.startswith(f"{EngineError.__name__}:"):
        return StopReason.CRASHED
    if found.error:
        return StopReason.EXCEPTION
    return {stop: StopReason(stop.value) for stop in Stop}[found.answer.stop]


def _failed(error: BaseException) -> Result:
    said = f"{type(error).__name__}: {error}"
    return Result(Status.UNKNOWN, Category.ERROR, StopReason.EXCEPTION, error=said)
