"""The kernels with every index checked and the address and undefined-behaviour sanitizers compiled in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

PROBLEMS = ("maxmines", "reconstruction", "validation")
ROOMS = ("inference", "analysis", "sums", *(f"problems/{name}" for name in PROBLEMS))
"""Tests that spend their time in kernels."""
SOLVERS = "engine or definition or published_text or one_empty_cell or all_is_asked or nearest_of_a_puzzle"
"""Tests with processes of solvers: their address space is limited, and the sanitizer finds no room in it."""
BUILD = """
from pathlib import Path
from hatch_build import compile_kernels
root = Path.cwd()
compile_kernels(root, root / "build" / "checked", root)
"""


def library(name: str) -> str:
    """Where the compiler has a runtime of its sanitizers."""
    words = [os.environ.get("CC", "gcc"), f"-print-file-name={name}"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_kernels_touch_nothing_that_is_not_theirs(tmp_path: Path) -> None:
    for name in ("cpmines", "tests", "instances", "benchmarks"):
        skipped = shutil.ignore_patterns("*.so", "__pycache__")
        shutil.copytree(REPOSITORY / name, tmp_path / name, ignore=skipped)
    for name in ("hatch_build.py", "pyproject.toml", "README.md"):
        shutil.copy(REPOSITORY / name, tmp_path)
    environment = os.environ | {"CPMINES_CHECKED": "1", "PYTHONPATH": str(tmp_path)}
    subprocess.run(
        [sys.executable, "-c", BUILD], cwd=tmp_path, env=environment, check=True, capture_output=True
    )
    environment |= {
        "LD_PRELOAD": library("libasan.so"),
        # What Python keeps to its end is no leak; its own allocator hides writes beyond an end.
        "ASAN_OPTIONS": "detect_leaks=0:alloc_dealloc_mismatch=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
    }
    words = [
        "pytest",
        "-n2",
        "-W",
        "error::pytest.PytestUnraisableExceptionWarning",
        "-m",
        "not slow",
        "-k",
        f"not ({SOLVERS})",
    ]
    done = subprocess.run(
        [sys.executable, "-m", *words, *(f"tests/{room}" for room in ROOMS)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
