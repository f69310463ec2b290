"""What goes wrong: limits of the process, a disk with too little room, a ``sitecustomize`` for it."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FAULTS", "Fault", "disk"]

NO_PROCESSES = """
import errno, os, _posixsubprocess, subprocess
def refuse(*_):
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
os.fork = subprocess._fork_exec = _posixsubprocess.fork_exec = refuse
"""

JUMPING = """
import itertools, time
steps, true = itertools.count(), time.time
time.time = lambda: true() + (-1) ** next(steps) * 86400.0
"""


@dataclass(frozen=True)
class Fault:
    """A way in which the machine fails.

    Attributes
    ----------
    limits
        Of the process: number of the limit, and its value.
    spoilt
        Text of a ``sitecustomize``, in all interpreters of the run.
    room
        Bytes of the disk with the current folder and the one for temporary files; 0 for enough.
    act
        What is done to the process, or to its disk, while it runs: ``kill`` or ``read-only``, or nothing.
    """

    name: str
    limits: tuple[tuple[int, int], ...] = ()
    spoilt: str = ""
    room: int = 0
    act: str = ""

    def begin(self) -> Callable[[], None]:
        """What the process does before it becomes the command."""

        def limit() -> None:
            for kind, value in self.limits:
                resource.setrlimit(kind, (value, value))

        return limit

    def environment(self, folder: Path) -> dict[str, str]:
        """With the spoilt interpreter, and the folder for temporary files."""
        found = {**os.environ, "TMPDIR": str(folder)}
        if self.spoilt:
            place = folder.parent / f"spoilt-{self.name.replace(' ', '-')}"
            place.mkdir(exist_ok=True)
            (place / "sitecustomize.py").write_text(self.spoilt)
            found["PYTHONPATH"] = os.pathsep.join([str(place), *filter(None, [found.get("PYTHONPATH")])])
        return found


FAULTS = (
    Fault("nothing"),
    Fault("files of 4 KiB", limits=((resource.RLIMIT_FSIZE, 4096),)),
    Fault("disk of 64 KiB", room=64 << 10),
    Fault("memory 200 MiB", limits=((resource.RLIMIT_AS, 200 << 20),)),
    Fault("memory 600 MiB", limits=((resource.RLIMIT_AS, 600 << 20),)),
    Fault("few open files", limits=((resource.RLIMIT_NOFILE, 12),)),
    Fault("no processes", spoilt=NO_PROCESSES),
    Fault("clock jumps", spoilt=JUMPING),
    Fault("workers killed", act="kill"),
    Fault("disk read-only", room=64 << 20, act="read-only"),
)


@contextmanager
def disk(folder: Path, size: int) -> Iterator[None]:
    """A disk of its own at the folder. Raises `PermissionError` where it can't be mounted."""
    if not size:
        yield
        return
    options = ["-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if subprocess.run(["mount", *options], capture_output=True).returncode:
        raise PermissionError("no disk can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
