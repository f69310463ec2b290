"""``python -m benchmarks``: every rival gives the same answer."""

from __future__ import annotations

import re
import subprocess
import sys

from .conftest import REPOSITORY


def benchmarks(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)


def test_rivals_agree() -> None:
    done = benchmarks("validation", "bot", "analysis", "--scale", "0.0005")
    assert done.returncode == 0, done.stderr
    assert "scipy convolve" in done.stdout
    assert "DIFFERS" not in done.stdout
    assert re.search(r"won \d+\.\d+% \(\d", done.stdout)


def test_an_unknown_name() -> None:
    done = benchmarks("nope")
    assert done.returncode == 2
    assert "no benchmark named 'nope'" in done.stderr
