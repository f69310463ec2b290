"""Runs that BenchExec's ``runexec`` measures: a cgroup keeps their limits and counts what they use up.

``python -m cpmines.campaign.runexec FOLDER N`` is asked as `cpmines.campaign.server` is. Each run is a fresh
process that finds its task in the folder and writes there what `cpmines.campaign.child` has to say. What
getting ready takes is found by runs that do nothing else, and added to the limits; what a run took until its
clock started is taken off the count.

References
----------
Beyer, Löwe, Wendler (2019), Reliable benchmarking: requirements and solutions. STTT 21.
"""

from __future__ import annotations

import math
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NoReturn

from cpmines.campaign.child import Started, work
from cpmines.campaign.record import Result
from cpmines.campaign.server import Kind, Server, kind_of, main
from cpmines.campaign.task import Instance, Task
from cpmines.campaign.watch import KEPT_OUTPUT, READY, Watch
from cpmines.errors import UsageError

__all__ = ["RunexecServer", "make_run", "runexec_version"]

OPTIONS = ("--no-container", "--quiet")
RUN = f"from {__spec__.name} import make_run; make_run()"
TASK, SAID, OUTPUT = "task", "said", "output.log"
HEADER = 80 * b"-" + b"\n\n\n"
"""What runexec writes in front of what a run prints."""
MOST_MEMORY = 1 << 40
"""Bytes, for getting ready."""

MEASURES = {"cputime", "walltime", "memory"}
REASONS = {"cputime": "CPU time", "walltime": "wall time", "memory": "memory"}
"""What runexec calls the reason why it ended a run, and what we do."""


def _program() -> str | None:
    """Where runexec is: on the path, or beside this Python."""
    places = (os.environ.get("PATH", ""), str(Path(sys.executable).parent))
    return shutil.which("runexec", path=os.pathsep.join(places))


@cache
def runexec_version() -> str:
    """The version of a runexec that works here. Raises `UsageError` with the reason why none does."""
    program = _program()
    if program is None:
        raise UsageError("the instrument runexec is not installed: pip install benchexec")
    with tempfile.TemporaryDirectory() as folder:
        words = [program, *OPTIONS, "--output", f"{folder}/{OUTPUT}", "--memlimit", "100MB", "true"]
        tried = subprocess.run(words, capture_output=True, text=True, check=False)
    if not _values(tried.stdout).keys() >= MEASURES:
        raise UsageError(f"the instrument runexec does not work here: {_last(tried.stderr)}")
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.strip()


def _last(noted: str) -> str:
    """The last line of what runexec says to people."""
    return (noted.strip().splitlines() or ["it measures nothing"])[-1]


def _values(printed: str) -> dict[str, str]:
    """The lines ``name=value`` that runexec prints, without the units s and B."""
    lines = (line.partition("=") for line in printed.splitlines())
    return {name: value.rstrip("sB") for name, separator, value in lines if separator}


@dataclass(frozen=True)
class Use:
    """What a process and all below it may take, or took, from its start to its end: seconds and bytes."""

    cpu: float
    wall: float
    memory: int


class RunexecServer(Server):
    """Has runexec make one run at a time."""

    def __init__(self, control: Connection, folder: Path) -> None:
        super().__init__(control, folder)
        self.before: dict[Kind, Use] = {}
        self.process: subprocess.Popen[str] | None = None
        signal.signal(signal.SIGTERM, self.leave)

    def get_ready(self, task: Task, kind: Kind) -> Result | None:
        """Twice: the first time reads from the disk what is in memory later."""
        for _ in range(2):
            self.before[kind], result = self.made(task, None, Use(READY, READY, MOST_MEMORY), 0.0)
        return result

    def run(self, task: Task, instance: Instance | None) -> Result | None:
        """Make the run, with room in its limits for getting ready."""
        before = self.before[kind_of(task)]
        limits = Use(
            task.time_limit + before.cpu, task.wall_limit + before.wall, task.memory_limit + before.memory
        )
        return self.made(task, instance, limits, before.wall)[1]

    def made(
        self, task: Task, instance: Instance | None, limits: Use, before: float
    ) -> tuple[Use, Result | None]:
        """What a run took, and its result; without an instance, None if the process got ready.

        `before` are the seconds of wall time that getting ready takes.
        """
        self.clear()
        (self.folder / TASK).write_bytes(pickle.dumps((task, instance)))
        values = self.measured(limits)
        use = Use(float(values["cputime"]), float(values["walltime"]), int(values["memory"]))
        output = (self.folder / OUTPUT).read_bytes().partition(HEADER)[2]
        watch = Watch(0, task, frozenset(), output=output[-KEPT_OUTPUT:])
        watch.begun = time.monotonic() - max(0.0, use.wall - before)
        for message in _messages(self.folder / SAID):
            if isinstance(message, Started):
                watch.started = message
                watch.cpu = (max(0.0, use.cpu - sum(message.cpu)), 0.0)
                watch.peak = max(0, use.memory - message.proportional)
            else:
                system = min(message.cpu_system, watch.cpu[0])
                user = watch.cpu[0] - system
                return use, watch.whole(replace(message, cpu_user=user, cpu_system=system, peak_memory=0))
        if (reason := values.get("terminationreason", "")) in REASONS:
            return use, watch.ended(REASONS[reason])
        status = int(values.get("exitsignal", 0)) or int(values.get("returnvalue", 0)) << 8
        return use, None if watch.started is None and status == 0 else watch.died(status)

    def measured(self, limits: Use) -> dict[str, str]:
        """What runexec says of the run that the folder holds."""
        given = {
            "--output": self.folder / OUTPUT,
            # It takes whole seconds; an answer beyond its limit is then refused by the watch.
            "--timelimit": math.ceil(limits.cpu),
            "--walltimelimit": math.ceil(limits.wall),
            "--memlimit": limits.memory,
        }
        words = [str(part) for pair in given.items() for part in pair]
        self.process = subprocess.Popen(
            [str(_program()), *OPTIONS, *words, "--", sys.executable, "-P", "-c", RUN, str(self.folder)],
            stdout=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )
        assert self.process.stdout is not None
        if self.control in wait([self.control, self.process.stdout.fileno()]):
            self.leave()
        values = _values(self.process.communicate()[0])
        self.process = None
        return values

    def leave(self, *_: object) -> NoReturn:
        """End; runexec ends the run that is under way when it is told to end."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait()
        os._exit(0)


def _messages(path: Path) -> list[Any]:
    """The messages of a run, as far as they are whole."""
    found = []
    with suppress(OSError, EOFError, pickle.UnpicklingError), path.open("rb") as file:
        while True:
            found.append(pickle.load(file))
    return found


def make_run() -> None:
    """Make the run that the folder holds, which is the first argument."""
    folder = Path(sys.argv[1])
    task, instance = pickle.loads((folder / TASK).read_bytes())

    def send(message: Any) -> None:
        with (folder / SAID).open("ab") as file:
            pickle.dump(message, file)

    work(send, task, instance, folder)


if __name__ == "__main__":
    main(RunexecServer)
