"""The works, one file a room. A module offers ``works(scale)``; `instances` takes folders."""

from __future__ import annotations

import math
import pkgutil
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.paired import Work

__all__ = ["all_works", "shrunk"]

FOLDERS = "instances"
"""The one module whose works are files."""


def shrunk(side: int, scale: float, least: int = 12) -> int:
    """The side of a board with a part of the cells."""
    return max(least, round(side * math.sqrt(scale)))


def all_works(scale: float, folders: Sequence[Path]) -> dict[str, Work]:
    """Works of all rooms by their labels, those on boards shrunk to a part `scale` of their cells.

    Of works whose labels no longer differ then there is only one.
    """
    found: dict[str, Work] = {}
    for module in pkgutil.iter_modules(__path__):
        room = import_module(f"{__name__}.{module.name}")
        works = room.works(folders) if module.name == FOLDERS else room.works(scale)
        found |= {work.label: work for work in works}
    return found
