"""Start a Python process that imports what this one does, and talk to it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import IO

__all__ = ["python_path", "start_python"]


def python_path() -> str:
    """The value of ``PYTHONPATH`` with which another Python finds the modules of this one."""
    return os.pathsep.join(path or os.getcwd() for path in sys.path)


def start_python(
    words: list[str], *, printed: IO[bytes] | int, environment: Mapping[str, str] | None = None
) -> tuple[subprocess.Popen[bytes], Connection]:
    """Run ``python WORDS... N`` in a session of its own, N being the descriptor of its end of the connection.

    Its standard input is a pipe to which nothing is written: the end of it is the end of this process.

    Parameters
    ----------
    printed
        Where standard output and standard error go.
    environment
        What is added to that of this process.
    """
    ours, theirs = Pipe()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-P", *words, str(theirs.fileno())],
            stdin=subprocess.PIPE,
            stdout=printed,
            stderr=printed,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
            env={**os.environ, **(environment or {}), "PYTHONPATH": python_path()},
        )
    return process, ours
