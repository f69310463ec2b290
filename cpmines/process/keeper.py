"""The process that runs foreign commands: none of them, nor anything that they start, outlives it.

`main` serves requests on the socket whose descriptor is the first word of the command line. What a command
has started is ended as soon as the command ends; all is ended when standard input ends, whose other end the
parent holds. Between fork and exec the command is limited: this process has one thread, so it may do that.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import select
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from cpmines.process import tree
from cpmines.process.worker import end_with_parent

__all__ = ["Command", "Ended", "main"]

MOST_OUTPUT = 64 << 20
"""Bytes that a command may write."""

SAID = 2000
"""Bytes at the end of standard error that are kept."""


@dataclass(frozen=True)
class Command:
    """A request: the words, standard input, and the conditions; `seconds` is None for no end."""

    words: tuple[str, ...]
    given: bytes
    memory: int
    seconds: float | None
    folder: str
    environment: dict[str, str]


@dataclass(frozen=True)
class Ended:
    """How a command ended: by `subprocess`'s exit code, None if it was out of time; and what it wrote.

    The output only of one that did not fail: it may be long, and is no answer.
    """

    code: int | None
    output: bytes = b""
    said: bytes = b""


def limit(memory: int) -> None:
    """In the process that becomes the command."""
    for kind, size in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, MOST_OUTPUT),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        size = size if hard == resource.RLIM_INFINITY else min(hard, size)
        resource.setrlimit(kind, (size, size))
    if sys.platform == "linux":
        tree.die_with_parent()


def wait(process: subprocess.Popen[bytes], seconds: float | None) -> int | None:
    """The exit code, None if it does not end in time."""
    if hasattr(os, "pidfd_open"):  # `subprocess` would look every 50 ms
        with open(os.pidfd_open(process.pid), "rb", buffering=0) as ended:
            if not select.select([ended], [], [], seconds)[0]:
                return None
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None


def run(command: Command) -> Ended:
    """Run a command to its end, and end all that it has started."""
    with contextlib.ExitStack() as stack:
        given, output, said = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        given.write(command.given)
        given.seek(0)
        process = subprocess.Popen(
            command.words,
            stdin=given,
            stdout=output,
            stderr=said,
            cwd=command.folder,
            env=command.environment,
            start_new_session=True,
            preexec_fn=partial(limit, command.memory),
        )
        try:
            code = wait(process, command.seconds)
        finally:
            end_group(process)
        output.seek(0)
        written = output.read() if code == 0 else b""
        said.seek(max(0, said.seek(0, os.SEEK_END) - SAID))
        return Ended(code, written, said.read())


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a command, what is in its session, and what has left that but is below this process."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    tree.end_all()


def leave(*_: Any) -> None:
    """The parent is gone, or wants this process to end."""
    tree.end_all()
    os._exit(0)


def serve(connection: Connection) -> None:
    if sys.platform == "linux":
        tree.adopt_orphans()
    end_with_parent(leave)
    while True:
        command = pickle.loads(connection.recv_bytes())
        try:
            reply: Any = run(command)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            reply = f"{type(error).__name__}: {error}"
        connection.send_bytes(pickle.dumps(reply))


def main() -> None:
    with contextlib.suppress(EOFError, ConnectionError):
        serve(Connection(int(sys.argv[1])))
    leave()
