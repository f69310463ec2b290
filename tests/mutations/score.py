"""Is a planted bug found? Each is tried in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from tests.conftest import REPOSITORY
from tests.mutations.catalogue import CATALOGUE, Mutation

__all__ = ["Result", "try_out"]

SECONDS = 30
PATIENCE = 300
"""For a process with its compiling, where the machine is busy with other things."""


@dataclass(frozen=True)
class Result:
    """What ``cpmines fuzz``, or ``cpmines backends test``, made of a mutation.

    Attributes
    ----------
    find
        The first line of JSON output that is a find, None if there is none.
    errors
        The end of standard error.
    """

    mutation: Mutation
    code: int
    find: dict[str, object] | None
    errors: str

    @property
    def found(self) -> bool:
        return self.code in (1, 3) and self.find is not None and bool(self.find.get("minimal", True))

    def __str__(self) -> str:
        if not self.found:
            return f"MISSED  {self.mutation.name} (exit code {self.code}) {self.errors}"
        assert self.find is not None
        if self.mutation.test:
            fault = str(self.find["fault"]).partition("\n")[0]
            return f"found   {self.mutation.name} ({self.find['check']}: {fault:.60})"
        size = str(self.find["text"]).partition("\n")[0]
        return f"found   {self.mutation.name} ({self.find['conflict']:.60}; {size})"


def try_out(mutation: Mutation) -> Result:
    """Have the suite look for the bug, or ``cpmines fuzz`` for `SECONDS`, after what there is to compile."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
        number = str(CATALOGUE.index(mutation))
        fuzz = ["fuzz", *mutation.fuzz.split(), "--seconds", str(SECONDS), "--format", "jsonl", "-o", folder]
        suite = ["backends", "test", *mutation.test.split(), "--format", "json"]
        done = subprocess.run(
            [sys.executable, "-m", "tests.mutations.mutant", number, *(suite if mutation.test else fuzz)],
            cwd=REPOSITORY,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    records = [json.loads(line) for line in done.stdout.splitlines()]
    find = next((record for record in records if "conflict" in record or "fault" in record), None)
    return Result(mutation, done.returncode, find, done.stderr[-300:])
