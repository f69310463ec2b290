"""FIFOs, devices and file systems of a test's own; without the right to make them, the test is skipped."""

from __future__ import annotations

import os
import stat
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.patience import PATIENCE

FULL = os.makedev(1, 7)
"""The device ``/dev/full``: every write finds no space."""


def full_device(path: Path) -> Path:
    """A node of that device."""
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, FULL)
        os.close(os.open(path, os.O_WRONLY))
    except OSError as error:
        pytest.skip(f"no device node can be made here: {error}")
    return path


@contextmanager
def mounted(path: Path, options: str) -> Iterator[Path]:
    """A file system in memory at a new folder."""
    path.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", path], capture_output=True)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.decode()}")
    try:
        yield path
    finally:
        subprocess.run(["umount", path], check=True)


class Fifo:
    """A FIFO and a reader of it; `read` is what came until the writer closed it."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path, self.content = path, b""
        self.reader = threading.Thread(target=self._take, daemon=True)
        self.reader.start()

    def _take(self) -> None:
        self.content = self.path.read_bytes()

    def read(self) -> bytes:
        self.reader.join(PATIENCE)
        assert not self.reader.is_alive(), "nobody wrote"
        return self.content

    def there(self) -> bool:
        """Is it still one? Lets the reader go."""
        found = self.path.is_fifo()
        if self.reader.is_alive():
            os.close(os.open(self.path, os.O_WRONLY))
        return found
