"""Kernels that are missing, or older than their sources, are found, and what to run is said."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from cpmines import kernels
from cpmines.errors import InstallationError

SOURCE = "x = 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of kernels of a package of its own, compiled."""
    package = tmp_path / "cpmines"
    here = package / "room" / "kernels"
    here.mkdir(parents=True)
    for name in ("__init__.py", f"search{EXTENSION_SUFFIXES[0]}", f"trail{EXTENSION_SUFFIXES[0]}"):
        (here / name).write_text("# as long as any\n")
    for name in ("search.py", "trail.py", "trail.pxd"):
        (here / name).write_text(SOURCE)
    record = package / "kernels" / "compiled.txt"
    record.parent.mkdir()
    digest = sha256(SOURCE.encode()).hexdigest()
    names = ("search.py", "trail.pxd", "trail.py")
    record.write_text("".join(f"{digest} room/kernels/{name}\n" for name in names))
    monkeypatch.setattr(kernels, "HERE", str(record.parent))
    monkeypatch.setattr(kernels, "PACKAGE", str(package))
    monkeypatch.setattr(kernels, "RECORD", str(record))
    return here


def touch(path: Path) -> None:
    """Make a file newer than everything."""
    os.utime(path, (2**31, 2**31))


def check(folder: Path) -> None:
    kernels.check(str(folder / "__init__.py"))


def test_compiled_kernels_pass(folder: Path) -> None:
    check(folder)
    touch(folder / "trail.py")  # by a checkout, say: it is the same
    check(folder)


@pytest.mark.parametrize("name", ["trail.py", "trail.pxd"])
def test_an_older_kernel_is_named(folder: Path, name: str) -> None:
    (folder / name).write_text("x = 2\n")
    touch(folder / name)
    with pytest.raises(
        InstallationError, match=rf"cpmines.room.kernels are older than {name}: run pip install"
    ):
        check(folder)


def test_a_new_kernel_is_named(folder: Path) -> None:
    (folder / "more.py").write_text(SOURCE)
    with pytest.raises(InstallationError, match="not compiled"):
        check(folder)


@pytest.mark.parametrize("shipped", [False, True], ids=["with sources", "as in a wheel"])
def test_a_kernel_that_is_not_there(folder: Path, shipped: bool) -> None:
    if shipped:
        for path in (*folder.glob("[a-z]*.py"), *folder.glob("*.pxd")):
            path.unlink()
        check(folder)
    (folder / f"trail{EXTENSION_SUFFIXES[0]}").unlink()
    with pytest.raises(InstallationError, match="not compiled for this Python and machine, or not all there"):
        check(folder)


def test_nothing_was_compiled(folder: Path) -> None:
    Path(kernels.RECORD).unlink()
    with pytest.raises(InstallationError, match="are not compiled: run pip install"):
        check(folder)


def test_it_is_an_error_of_the_installation_and_no_conflict(tmp_path: Path) -> None:
    """Exit code 2 and one line, also where a backend meets it."""
    program = (
        "import sys, cpmines.kernels as kernels; from cpmines.errors import InstallationError\n"
        "def broken(init): raise InstallationError('no kernels: run this')\n"
        "kernels.check = broken; sys.argv = ['cpmines', 'solve', 'consistency']\n"
        "from cpmines.__main__ import main; main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], input="1 1\n.\n", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "cpmines: no kernels: run this\n")
