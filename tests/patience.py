"""Waiting for what will come, however busy the machine is: a condition is looked at again and again."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["PATIENCE", "exists", "within"]

PATIENCE = 120.0
"""Seconds for what takes a fraction of one on a machine with nothing else to do."""


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    """Does it become true in that time?"""
    end = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.05)
    return held


def exists(number: int) -> bool:
    """Is there a process of this number that has not ended?"""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
