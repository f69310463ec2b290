"""A fork that runs a program does what the program does that is started."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.forks import Forks

PROGRAMS = {
    "what it is given": "import os, sys; print(sys.argv[1:], os.getcwd(), sys.stdin.read())",
    "its environment": "import os; print(os.environ['MARK'])",
    "a module of the path": "import mine; print(mine.NAME)",
    "a code": "import sys; sys.exit(3)",
    "last words": "import sys; sys.exit('no luck')",
    "an error": "raise ValueError('on purpose')",
    "a signal": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "an interrupt": "import os, signal; os.kill(os.getpid(), signal.SIGINT); input()",
    "what comes last": "import atexit; atexit.register(print, 'the end'); print('x' * 100_000)",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_the_same(name: str, forks: Forks, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("NAME = 'mine'\n")
    environment = {**os.environ, "MARK": name, "PYTHONPATH": str(tmp_path)}

    def outcome(*words: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [*words, "a", "b c"], cwd=tmp_path, env=environment, input="given", capture_output=True, text=True
        )
        return done.returncode, done.stdout, done.stderr.rpartition("\n")[0].rpartition("\n")[2]

    text = PROGRAMS[name]
    assert outcome(*forks.program(text)) == outcome(sys.executable, "-c", text)
