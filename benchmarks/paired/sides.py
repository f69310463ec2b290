"""The two processes of a paired run, from outside."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import benchmarks
from benchmarks.paired import child

__all__ = ["Side", "SideError"]

REPOSITORY = Path(benchmarks.__path__[0]).parent
ALIKE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""Settings that make processes do the same in the same way."""


class SideError(Exception):
    """A process has failed at a request, or has ended."""


class Side:
    """One interpreter at work.

    Parameters
    ----------
    python
        The interpreter.
    package
        Folder that cpmines is imported from; None for what the interpreter's environment has.
    arguments
        Scale and folders, see `child`.
    """

    def __init__(self, python: str, package: Path | None, arguments: list[str]) -> None:
        self.command = [python, "-P", child.__file__, str(REPOSITORY), *arguments]
        self.environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        self.environment |= ALIKE
        if package is not None:
            self.environment["PYTHONPATH"] = str(package.parent)
        self.begin()

    def begin(self) -> None:
        """Start the process, and learn which cpmines it has. Raises `SideError`."""
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(
                self.command, stdin=pipe, stdout=pipe, text=True, env=self.environment
            )
        except OSError as error:
            raise SideError(f"{self.command[0]}: {error.strerror}") from None
        self.cpmines = Path(self._answer()["cpmines"])

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request and wait for the answer. Raises `SideError`; the next request finds a process."""
        assert self.process.stdin is not None
        if self.process.poll() is not None:
            self.begin()
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SideError(f"ended with exit code {self.process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise SideError(answer["error"])
        return answer

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
