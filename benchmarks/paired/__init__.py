"""Paired benchmarks: two versions of cpmines, in two environments, at the same work in the same run.

Each version runs in a process of its own, `child`, for the whole run; `command` asks them in turns. The works
are files of `works`, and use functions that both versions have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Prepare", "Work"]

Prepare = Callable[[], Callable[[], Any]]


@dataclass(frozen=True)
class Work:
    """One line of the table.

    Attributes
    ----------
    name
        The room and what is done.
    size
        Of what it is done to.
    prepare
        Makes the instance, and returns the function that is timed. What that returns has to be the same in
        both versions, witnesses included: another witness is other work.
    """

    name: str
    size: str
    prepare: Prepare

    @property
    def label(self) -> str:
        """What the work is asked for by."""
        return f"{self.name}, {self.size}"
