"""Runs that BenchExec's ``runexec`` measures: a cgroup keeps their limits and counts what they use up.

Each run is a fresh process, ``python -m cpmines.campaign.runexec FOLDER``, that finds its task in the folder
and writes there what `cpmines.campaign.child` has to say. What getting ready takes is found by runs that do
nothing else, and added to the limits; what a run took until its clock started is taken off the count.

References
----------
Beyer, Löwe, Wendler (2019), Reliable benchmarking: requirements and solutions. STTT 21.
"""

from __future__ import annotations

import math
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from cpmines.campaign.child import SETTINGS, Started, loaded, work
from cpmines.campaign.record import Result, StopReason
from cpmines.campaign.task import Instance, Task
from cpmines.campaign.watch import KEPT_OUTPUT, READY, Watch, failure
from cpmines.errors import UsageError
from cpmines.process.start import python_path

__all__ = ["RunexecProcess", "runexec_version"]

OPTIONS = ("--no-container", "--quiet")
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
    """What a process and all below it take, from its start to its end: seconds and bytes."""

    cpu: float
    wall: float
    memory: int

    def plus(self, other: Use) -> Use:
        return Use(self.cpu + other.cpu, self.wall + other.wall, self.memory + other.memory)


NOTHING = Use(0.0, 0.0, 0)


class RunexecProcess:
    """Has runexec make one run at a time; see `cpmines.process.pool.Kept`."""

    def __init__(self, kind: str) -> None:
        runexec_version()
        self.kind, self.free, self.ended = kind, True, False
        self.folder = tempfile.TemporaryDirectory(prefix="cpmines-", ignore_cleanup_errors=True)
        self.process: subprocess.Popen[str] | None = None
        self.ready: dict[tuple[str, str], tuple[Use, Result | None]] = {}

    def run(self, task: Task, instance: Instance) -> Result:
        """Raises `EOFError` if the run is ended by `stop`, `OSError` if runexec fails."""
        kind = (task.problem, loaded(task.backend))
        if kind not in self.ready:
            for _ in range(2):  # The first time may compile, which later ones need not.
                self.ready[kind] = self._measured(task, None, Use(READY, READY, MOST_MEMORY), NOTHING)
        before, unfit = self.ready[kind]
        limits = Use(task.time_limit, task.wall_limit, task.memory_limit)
        result = unfit or self._measured(task, instance, limits.plus(before), before)[1]
        return result or failure(StopReason.CRASHED, "ended without a result")

    def _measured(
        self, task: Task, instance: Instance | None, limits: Use, before: Use
    ) -> tuple[Use, Result | None]:
        """What a run took, and its result; without an instance, None if the process got ready."""
        values, messages, output = self._made(task, instance, limits)
        use = Use(float(values["cputime"]), float(values["walltime"]), int(values["memory"]))
        watch = Watch(0, task, frozenset(), output=output)
        watch.begun = time.monotonic() - max(0.0, use.wall - before.wall)
        result = None
        for message in messages:
            if isinstance(message, Started):
                watch.started = message
                watch.cpu = (max(0.0, use.cpu - sum(message.cpu)), 0.0)
                watch.peak = max(0, use.memory - message.proportional)
            else:
                system = min(message.cpu_system, watch.cpu[0])
                result = replace(message, cpu_user=watch.cpu[0] - system, cpu_system=system, peak_memory=0)
        return use, self._concluded(watch, values, result)

    def _concluded(self, watch: Watch, values: dict[str, str], result: Result | None) -> Result | None:
        if result is not None:
            return watch.whole(result)
        if (reason := values.get("terminationreason", "")) in REASONS:
            return watch.ended(REASONS[reason])
        status = int(values.get("exitsignal", 0)) or int(values.get("returnvalue", 0)) << 8
        return None if watch.started is None and status == 0 else watch.died(status)

    def _made(
        self, task: Task, instance: Instance | None, limits: Use
    ) -> tuple[dict[str, str], list[Any], bytes]:
        """What runexec says of a run, what the run says of itself, and the end of what it printed."""
        folder = Path(self.folder.name)
        folder.mkdir(exist_ok=True)
        (folder / TASK).write_bytes(pickle.dumps((task, instance)))
        (folder / SAID).write_bytes(b"")
        given = {
            "--output": folder / OUTPUT,
            # It takes whole seconds; an answer beyond its limit is then refused by the watch.
            "--timelimit": math.ceil(limits.cpu),
            "--walltimelimit": math.ceil(limits.wall),
            "--memlimit": limits.memory,
        }
        words = [str(part) for pair in given.items() for part in pair]
        words += ["--", sys.executable, "-P", "-m", __name__, str(folder)]
        self.process = subprocess.Popen(
            [str(_program()), *OPTIONS, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, **SETTINGS, "PYTHONPATH": python_path()},
            text=True,
        )
        printed, noted = self.process.communicate()
        if self.ended:
            raise EOFError
        if not (values := _values(printed)).keys() >= MEASURES:
            raise OSError(f"runexec fails: {_last(noted)}")
        output = (folder / OUTPUT).read_bytes().partition(HEADER)[2]
        return values, _messages(folder / SAID), output[-KEPT_OUTPUT:]

    @property
    def alive(self) -> bool:
        return not self.ended

    def stop(self) -> None:
        """runexec ends the run that is under way when it is told to end."""
        self.ended = True
        if self.process is not None:
            self.process.terminate()

    def close(self) -> None:
        self.stop()
        if self.process is not None:
            self.process.wait()
        self.folder.cleanup()

    def forget(self) -> None:
        self.process = None


def _messages(path: Path) -> list[Any]:
    """The messages of a run, as far as they are whole."""
    found = []
    with suppress(OSError, EOFError, pickle.UnpicklingError), path.open("rb") as file:
        while True:
            found.append(pickle.load(file))
    return found


def main() -> None:
    """Make the run that the folder holds, which is the first argument."""
    folder = Path(sys.argv[1])
    task, instance = pickle.loads((folder / TASK).read_bytes())

    def send(message: Any) -> None:
        with (folder / SAID).open("ab") as file:
            pickle.dump(message, file)

    work(send, task, instance, folder)


if __name__ == "__main__":
    main()
