"""1 is for conflicts alone: whatever else goes wrong has a code of its own, and a word on what to do."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cpmines
from cpmines.answer import Answer
from cpmines.errors import EngineError
from cpmines.problem import Function
from tests.cli.conftest import Cpmines

PACKAGE = Path(cpmines.__path__[0])
BOARD = b"2 3\n.1.\n...\n"
raised: list[BaseException] = []


def planted(instance: Any, limits: Any, **options: Any) -> Answer[Any]:
    raise raised[0]


FAILING = Function(planted, "fails as it is told to")
NAME = "tests.cli.test_exit_codes:FAILING"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device", "x"),
            "No space left on device: 'x'; make room there",
        ),
        (OSError(errno.EROFS, "Read-only file system"), "; nothing can be written there"),
        (RuntimeError("can't start new thread"), "; no process or thread can be started"),
        (SystemExit(1), "SystemExit: 1\n"),
        (EngineError("a crash"), "EngineError: a crash\n"),
    ],
)
def test_what_the_system_refuses(cpmines: Cpmines, error: BaseException, told: str) -> None:
    """No answer, and a word on what to do."""
    raised[:] = [error]
    solved = cpmines("solve", "consistency", "--backend", NAME, stdin=BOARD)
    assert solved.code == 3
    assert f"{NAME} failed: " in solved.err
    assert told in solved.err


def test_memory_that_a_backend_lacks_is_a_limit(cpmines: Cpmines) -> None:
    for error in (MemoryError(), OSError(errno.ENOMEM, "Cannot allocate memory"), ImportError("MemoryError")):
        raised[:] = [error]
        solved = cpmines("solve", "consistency", "--backend", NAME, stdin=BOARD)
        assert (solved.code, "memory limit" in solved.out) == (3, True)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder with a package whose files are links to those of the real one."""
    shutil.copytree(
        PACKAGE, tmp_path / "cpmines", copy_function=os.symlink, ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path


def run_copy(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "cpmines", *words]
    return subprocess.run(command, input=BOARD, capture_output=True, env=environment, cwd=folder)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, libraries have other formats")
@pytest.mark.parametrize("size", [0, 10, 100, -1])
def test_a_kernel_that_is_cut_short(copied: Path, size: int) -> None:
    """Loading it would be an ImportError, or the end of the process."""
    (path,) = (copied / "cpmines" / "inference" / "kernels").glob("reduce.*so")
    whole = path.read_bytes()
    path.unlink()
    path.write_bytes(whole[:size])
    for command in ("solve", "compare --problem"):
        done = run_copy(copied, *command.split(), "consistency", *["-"] * (command != "solve"))
        assert done.returncode == 2, done
        assert b"the kernels of cpmines.inference.kernels are damaged: run pip install" in done.stderr


@pytest.mark.parametrize("text", ["import nothing_of_that_name", "x = ("])
def test_a_package_that_is_broken(copied: Path, text: str) -> None:
    path = copied / "cpmines" / "cli" / "__init__.py"
    path.unlink()
    path.write_text(text)
    done = run_copy(copied, "list")
    assert done.returncode == 2
    assert done.stderr.startswith(b"cpmines: the installation is broken, install it again: ")


def test_every_error_has_a_code_of_its_own() -> None:
    """Of the errors of the package, those that exit with 1 are about answers that contradict each other."""
    import cpmines.problems.maxmines.records  # noqa: F401
    from cpmines.errors import CpminesError

    def below(cls: type[CpminesError]) -> list[type[CpminesError]]:
        return [cls, *(deeper for child in cls.__subclasses__() for deeper in below(child))]

    assert {cls.__name__ for cls in below(CpminesError) if cls.exit_code == 1} == {
        "TableConflictError",
        "WrongAnswerError",
    }


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep no such limit")
def test_little_memory_is_enough_for_a_small_file(tmp_path: Path) -> None:
    """The largest that a file may be is not asked for when one is read."""
    (tmp_path / "board.txt").write_bytes(BOARD)
    command = f"ulimit -v 1000000; exec {sys.executable} -m cpmines solve consistency board.txt"
    done = subprocess.run(["sh", "-c", command], capture_output=True, cwd=tmp_path)
    assert (done.returncode, b"solved" in done.stdout) == (0, True), done


def test_a_library_without_memory_is_no_extra_that_is_missing(
    cpmines: Cpmines, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pandas.py").write_text("raise ImportError('x.so: failed to map segment from shared object')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "pandas", raising=False)
    monkeypatch.chdir(tmp_path)
    result = cpmines("campaign", "run", "encodings")
    assert (result.code, result.err) == (3, "cpmines: the machine has no more memory\n")
