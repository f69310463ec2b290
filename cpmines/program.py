"""Programs as backends: an instance on standard input, what the origin's judge expects on standard output."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from cpmines.answer import Answer, Limits, Stop
from cpmines.errors import EngineError, LimitError, UsageError
from cpmines.problem import Problem, Solve, Trust
from cpmines.process.ends import ending
from cpmines.question import Asked

__all__ = ["PREFIX", "Program"]

PREFIX = "program"
"""A backend is named ``program:COMMAND``, the command with its arguments as in a shell."""

LEAST_MEMORY = 16 << 20
"""Bytes without which hardly any program begins."""

MOST_OUTPUT = 64 << 20
"""Bytes that a program may write."""

BLOCK = 512
"""Bytes that ``ulimit -f`` counts as one."""

NO_MEMORY = re.compile(r"bad_alloc|MemoryError|out of memory|cannot allocate memory", re.IGNORECASE)

SAID = 300
"""Characters of what a failed program said that are kept."""


@dataclass(frozen=True)
class Program:
    """A backend that runs a command for each instance.

    What it answers is a claim: it is compared, and judged as far as it shows a board.
    """

    problem: Problem[Any, Any]
    command: tuple[str, ...]
    trust: Trust = Trust.UNRELIABLE
    packages: tuple[str, ...] = ()

    @classmethod
    def named(cls, problem: Problem[Any, Any], command: str) -> Program:
        """The command as a shell would read it. Raises `UsageError` if there is no such program."""
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"{PREFIX}:{command}: {error}") from None
        if not words or shutil.which(words[0]) is None:
            found = repr(words[0]) if words else "nothing"
            raise UsageError(f"{PREFIX}:{command}: {found} is no program here, expected {PREFIX}:COMMAND")
        return cls(problem, tuple(words))

    @property
    def summary(self) -> str:
        return f"the program {shlex.join(self.command)}"

    @property
    def questions(self) -> tuple[str, ...]:
        return (self.problem.printed,)

    def prepare(self, instance: Any, asked: Asked, limits: Limits) -> Solve[Any]:
        text = self.problem.render(instance)

        def solve() -> Answer[Any]:
            limits.require(LEAST_MEMORY, "a program")
            with tempfile.TemporaryFile() as output:
                self.run(text, output, limits)
                output.seek(0)
                said = output.read().decode("utf-8", "replace")
            return self.problem.read_verdict(instance, said)

        return solve

    def run(self, text: str, output: IO[bytes], limits: Limits) -> None:
        """Raises `LimitError`, and `EngineError` with what the program said if it fails."""
        bounds = f"ulimit -v {-(-limits.memory >> 10)}; ulimit -f {MOST_OUTPUT // BLOCK}; ulimit -c 0"
        with subprocess.Popen(
            ["/bin/sh", "-c", f'{bounds}; exec "$@"', "sh", *self.command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            try:
                left = None if limits.seconds is None else limits.left()
                _, said = process.communicate(text.encode(), timeout=left)
            except subprocess.TimeoutExpired:
                raise LimitError(Stop.TIME_LIMIT) from None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        if code := process.returncode:
            words = said.decode("utf-8", "replace").strip()[-SAID:]
            if NO_MEMORY.search(words):
                raise LimitError(Stop.MEMORY_LIMIT, words.splitlines()[-1])
            raise EngineError(f"{ending(code)}: {words or 'it said nothing'}")
