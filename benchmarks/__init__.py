"""Benchmarks: rivals on the same work in the same run. One file a problem; its name is the benchmark's name.

A module offers ``cases(scale)``, which yields `Case` objects one by one; `scale` in (0, 1] shrinks the work
of cases that can be shrunk (1 is the documented size).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Case", "Measurement", "measure"]

ENOUGH_SECONDS = 1.0
REPEATS = 5


@dataclass(frozen=True)
class Case:
    """One piece of work.

    Attributes
    ----------
    rivals
        Name -> function that does the work once. The first is the one whose speed is in question.
    agree
        Says whether two rivals' results are the same answer; None if they can't be compared.
    units
        Cells (or the like) worked on, for the time per unit; 0 if that has no meaning.
    remark
        What a result says besides its time, in a few words; None if nothing.
    """

    name: str
    rivals: Mapping[str, Callable[[], Any]]
    agree: Callable[[Any, Any], bool] | None = None
    units: int = 0
    remark: Callable[[Any], str] | None = None


@dataclass(frozen=True)
class Measurement:
    """Median seconds and remarks by rival, and the names of rivals whose result differs from the first's."""

    case: Case
    seconds: dict[str, float] = field(default_factory=dict)
    differing: tuple[str, ...] = ()
    remarks: dict[str, str] = field(default_factory=dict)

    def ratio(self, rival: str) -> float:
        """How many times as fast the first rival is."""
        return self.seconds[rival] / self.seconds[next(iter(self.seconds))]


def measure(case: Case) -> Measurement:
    """Time every rival: a first run that is only a warm-up if it is short, then the median of `REPEATS`."""
    seconds, results = {}, {}
    for name, work in case.rivals.items():
        spent, results[name] = _timed(work)
        if spent < ENOUGH_SECONDS:
            spent = statistics.median(_timed(work)[0] for _ in range(REPEATS))
        seconds[name] = spent
    first = next(iter(results.values()))
    differing = [
        name for name, got in results.items() if case.agree is not None and not case.agree(first, got)
    ]
    remarks = {name: case.remark(got) for name, got in results.items()} if case.remark else {}
    return Measurement(case, seconds, tuple(differing), remarks)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result
