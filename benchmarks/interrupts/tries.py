"""One try: a command, a signal at some moment of its life, and what is left of it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.interrupts.cases import Case, cpmines

__all__ = ["LONGEST", "Try", "attempt", "lifetime"]

LONGEST = 3.0
"""Seconds of a command's life in which it is interrupted."""

PATIENCE = 10.0
"""Seconds after which what has not ended is killed."""

GRACE = 0.2
"""Seconds after which processes that are there still have missed the end of the command."""

LEFT = 3.0
"""Seconds after which they are taken to be left for good."""

OVER = 0.02
"""Seconds in which a command that was about to end, with its own exit code, did so."""

MARK = "CPMINES_INTERRUPTED"
"""Variable of the environment by which the processes of a try are known, wherever they have gone."""

WORST = ("Traceback", "Fatal Python error", "Exception ignored")


@dataclass(frozen=True)
class Try:
    """What came of one signal.

    Attributes
    ----------
    after
        Seconds from the start of the process to the signal.
    code
        As in `subprocess`.
    seconds
        From the signal to the end.
    said
        The end of standard error.
    children
        Command lines of processes that were left for good.
    late
        Were there others that took longer than `GRACE` to end?
    leftovers
        Files in its folder that are none of its outputs, or outputs that are not whole.
    """

    case: Case
    number: signal.Signals
    group: bool
    after: float
    code: int
    seconds: float
    said: str
    children: tuple[str, ...] = ()
    late: bool = False
    leftovers: tuple[str, ...] = ()

    @property
    def expected(self) -> bool:
        """Did it end as it has to, by its exit code?"""
        return self.code == (-9 if self.number == signal.SIGKILL else 128 + self.number)

    @property
    def over(self) -> bool:
        """Had it done all that it does, when the signal came?"""
        return self.code in (0, 1, 2, 3) and self.seconds < OVER

    @property
    def traceback(self) -> bool:
        return any(word in self.said for word in WORST)

    @property
    def bad(self) -> bool:
        return not (self.expected or self.over) or self.traceback or bool(self.children or self.leftovers)


def start(case: Case, folder: Path, mark: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*cpmines(), *case.words],
        cwd=folder,
        env={**os.environ, MARK: mark},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def lifetime(case: Case, folder: Path) -> tuple[float, dict[str, int]]:
    """Seconds from the first instruction of ours to the end, at most `LONGEST`; and the sizes of outputs."""
    mark, begun = uuid.uuid4().hex, time.monotonic()
    with start(case, folder, mark) as process:
        while not ours(process.pid) and process.poll() is None:
            time.sleep(0.0005)
        first = time.monotonic()
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=LONGEST)
        spent = time.monotonic() - first
        process.kill()
    end_marked(mark)
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()} if spent < LONGEST else {}
    return min(spent, LONGEST) if spent > 0 else time.monotonic() - begun, sizes


def ours(pid: int) -> bool:
    """Has the interpreter got as far as cpmines? It then takes SIGTERM, which Python by itself does not."""
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        mask = next(line for line in lines if line.startswith("SigCgt:")).split()[1]
        return bool(int(mask, 16) >> (signal.SIGTERM - 1) & 1)
    return False


def marked(mark: str) -> Iterator[tuple[int, str]]:
    """Processes of a try that are there, with their command lines."""
    wanted = f"{MARK}={mark}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (place / "environ").read_bytes().split(b"\0"):
                words = (place / "cmdline").read_bytes().decode(errors="replace").split("\0")
                yield int(place.name), " ".join(words).strip()


def end_marked(mark: str) -> tuple[tuple[str, ...], bool]:
    """What of a try is left for good, which is killed; and was anything there still after the grace?"""
    begun, late = time.monotonic(), False
    while (left := list(marked(mark))) and time.monotonic() < begun + LEFT:
        late |= time.monotonic() > begun + GRACE
        time.sleep(0.01)
    for pid, _ in left:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    return tuple(line for _, line in left), late


def leftovers(case: Case, folder: Path, sizes: dict[str, int]) -> tuple[str, ...]:
    """Names that no finished run leaves, outputs that are shorter than its ones, stores that are damaged."""
    found = []
    for path in folder.iterdir():
        if path.is_dir():
            found += [path.name] if path.name.startswith(".") else []
        elif path.suffix == ".db":
            found += damages(path)
        elif path.name.startswith(".") or (sizes and path.name.removesuffix("-journal") not in sizes):
            found.append(path.name)
        elif path.name in case.outputs and path.stat().st_size < 0.9 * sizes.get(path.name, 0):
            found.append(f"{path.name} ({path.stat().st_size} bytes)")
    return tuple(found)


def damages(store: Path) -> list[str]:
    """What the database says of itself, nothing if it is whole."""
    with closing(sqlite3.connect(store)) as opened:
        said = [row[0] for row in opened.execute("PRAGMA integrity_check")]
    return [] if said == ["ok"] else [f"{store.name}: {line}" for line in said]


def attempt(
    case: Case, folder: Path, number: signal.Signals, group: bool, moment: float, sizes: dict[str, int]
) -> Try | None:
    """Interrupt a run so many seconds after the first instruction of ours; None if it had ended before.

    Parameters
    ----------
    group
        Does the signal go to its process group, as from a terminal?
    """
    mark, begun = uuid.uuid4().hex, time.monotonic()
    with start(case, folder, mark) as process:
        while not ours(process.pid) and process.poll() is None:
            time.sleep(0.0002)
        time.sleep(moment)
        if process.poll() is not None:
            end_marked(mark)
            return None
        sent = time.monotonic()
        (os.killpg if group else os.kill)(process.pid, number)
        watch = threading.Timer(PATIENCE, process.kill)
        watch.start()
        code = process.wait()
        seconds = time.monotonic() - sent
        watch.cancel()
        children, late = end_marked(mark)  # before the pipe is read to its end: they may hold it
        assert process.stderr is not None
        said = process.stderr.read().decode(errors="replace")[-2000:]
    left = leftovers(case, folder, sizes)
    return Try(case, number, group, sent - begun, code, seconds, said, children, late, left)
