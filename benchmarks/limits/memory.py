"""How much memory a process and its descendants have of their own, on Linux."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["own_memory"]

PAGE = os.sysconf("SC_PAGESIZE")


def descendants(process: int) -> Iterator[int]:
    """The process itself, and all that it has started, directly or not."""
    yield process
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError):
                for child in (thread / "children").read_text().split():
                    yield from descendants(int(child))


def own_memory(process: int) -> int:
    """Bytes in memory that are not of files, which libraries are: of it and of its descendants."""
    size = 0
    for one in descendants(process):
        with suppress(OSError, ValueError, IndexError):
            _, resident, shared, *_ = Path(f"/proc/{one}/statm").read_text().split()
            size += (int(resident) - int(shared)) * PAGE
    return size
