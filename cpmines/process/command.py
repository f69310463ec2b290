"""Run a command under limits, and end it with all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from cpmines.answer import Limits, Stop
from cpmines.errors import EngineError, LimitError
from cpmines.process.ends import ending
from cpmines.process.memory import memory_refused

__all__ = ["run_command"]

MOST_OUTPUT = 64 << 20
"""Bytes that a command may write."""

BLOCK = 512
"""Bytes that ``ulimit -f`` counts as one."""

SAID = 300
"""Characters of what a failed command said that are kept."""


def run_command(words: Sequence[str], given: bytes, output: IO[bytes], limits: Limits) -> None:
    """Run a command with `given` as its standard input and `output` as its standard output.

    Raises
    ------
    LimitError
    EngineError
        It failed: how it ended, and its last words.
    """
    # By a shell: limits that this process set in a child before exec would need code between fork and exec.
    bounds = f"ulimit -v {-(-limits.memory >> 10)}; ulimit -f {MOST_OUTPUT // BLOCK}; ulimit -c 0"
    with subprocess.Popen(
        ["/bin/sh", "-c", f'{bounds}; exec "$@"', "sh", *words],
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            left = None if limits.seconds is None else limits.left()
            _, said = process.communicate(given, timeout=left)
        except subprocess.TimeoutExpired:
            raise LimitError(Stop.TIME_LIMIT) from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    if code := process.returncode:
        last = said.decode("utf-8", "replace").strip()[-SAID:]
        if memory_refused(said, code=code):
            raise LimitError(Stop.MEMORY_LIMIT, last.splitlines()[-1])
        raise EngineError(f"{ending(code)}: {last or 'it said nothing'}")
