"""What a backend claims, why it stopped, and under which limits it ran."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Generic, TypeVar

from cpmines.errors import LimitError, UsageError
from cpmines.numerals import approximate

__all__ = ["LONGEST", "MOST_MEMORY", "MOST_SEED", "Answer", "Limits", "Status", "Stop"]

V = TypeVar("V")

LONGEST = 1e9
"""Seconds of a time limit, at most: clocks and waiting take no number of any size."""
LONGEST_WAIT = 2e6
"""Seconds that one wait takes, at most: the system counts milliseconds in 31 bits."""
MOST_MEMORY = 1 << 50
"""Bytes of a memory limit, at most, and the largest seed: systems and solvers take no more."""
MOST_SEED = 2**31 - 1


class Status(StrEnum):
    """The claim of a backend. `solved` is the full answer: witness, exact number or proved optimum."""

    SOLVED = "solved"
    INFEASIBLE = "infeasible"
    FEASIBLE = "feasible"
    UNKNOWN = "unknown"


class Stop(StrEnum):
    """Why a backend stopped."""

    FINISHED = "finished"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"
    DECLINED = "declined"


@dataclass(frozen=True)
class Answer(Generic[V]):
    """One claim. A value is present if the status is `solved` or `feasible`.

    With `infeasible` it may be there as well: the reason, where a problem can state one.
    """

    status: Status
    value: V | None = None
    stop: Stop = Stop.FINISHED
    note: str = ""
    statistics: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        needed = self.status in (Status.SOLVED, Status.FEASIBLE)
        if (self.value is None) if needed else (self.value is not None and self.status is Status.UNKNOWN):
            raise ValueError(f"{self.status} with value {self.value!r}")

    @classmethod
    def solved(cls, value: V) -> Answer[V]:
        return cls(Status.SOLVED, value)

    @classmethod
    def infeasible(cls, note: str = "", reason: V | None = None) -> Answer[V]:
        return cls(Status.INFEASIBLE, reason, note=note)

    @classmethod
    def feasible(cls, value: V, stop: Stop, note: str = "") -> Answer[V]:
        return cls(Status.FEASIBLE, value, stop, note)

    @classmethod
    def unknown(cls, stop: Stop, note: str = "") -> Answer[V]:
        return cls(Status.UNKNOWN, None, stop, note)

    @classmethod
    def declined(cls, why: str) -> Answer[V]:
        """The backend does not take this instance: too large for it, or outside its method."""
        return cls.unknown(Stop.DECLINED, why)


@dataclass(frozen=True)
class Limits:
    """The conditions of one run: wall time in seconds, memory in bytes, and the seed.

    `begin` starts the clock; loops of a backend call `check`, which raises `LimitError` once time is up.

    Raises
    ------
    UsageError
        Time is not more than 0 or more than `LONGEST`, memory not from 1 to `MOST_MEMORY`, or the seed not
        from 0 to `MOST_SEED`.
    """

    seconds: float | None = None
    memory: int = 4 << 30
    seed: int = 0
    deadline: float = math.inf
    progress: Callable[[float], None] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds <= LONGEST:
            expected = f"more than 0 and at most {LONGEST:.0f}"
            raise UsageError(f"a time limit of {self.seconds} seconds, expected {expected}")
        if not 1 <= self.memory <= MOST_MEMORY:
            raise UsageError(f"a memory limit of {self.memory} bytes, expected 1 to {MOST_MEMORY}")
        if not 0 <= self.seed <= MOST_SEED:
            raise UsageError(f"the seed {self.seed}, expected 0 to {MOST_SEED}")

    def begin(self) -> Limits:
        """These limits with the clock running from now; a clock that runs already runs on."""
        if self.seconds is None or self.deadline != math.inf:
            return self
        return replace(self, deadline=time.monotonic() + self.seconds)

    def left(self) -> float:
        """Seconds until the deadline, at least 0; infinite without a limit."""
        return max(0.0, self.deadline - time.monotonic())

    def patience(self) -> float | None:
        """Seconds that a wait for another process may take, None without a limit: see `LONGEST_WAIT`."""
        return None if self.deadline == math.inf else min(self.left(), LONGEST_WAIT)

    def check(self, done: float | None = None) -> None:
        """Look at the clock; `done` is the part of the work that is done, from 0 to 1, if that is known."""
        if done is not None and self.progress is not None:
            self.progress(done)
        if time.monotonic() > self.deadline:
            raise LimitError(Stop.TIME_LIMIT)

    def require(self, size: int, what: str) -> None:
        """Raise `LimitError` if `size` bytes are more than the limit; called before they are taken."""
        if size > self.memory:
            needed, limit = f"{approximate(-(-size // 2**20))} MiB", f"{self.memory >> 20} MiB"
            raise LimitError(Stop.MEMORY_LIMIT, f"{what} needs {needed}, the limit is {limit}")
