"""One run of a campaign as it is stored and evaluated.

Three fields say three things: `status` is the backend's claim, `category` the verdict on it, `reason` why the
run ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

__all__ = ["Category", "Conditions", "Instrument", "Record", "Result", "StopReason"]


class Category(StrEnum):
    """What the claim is worth: by the judge, the expected answer, and the other backends."""

    RIGHT = "right"
    WRONG = "wrong"
    UNKNOWN = "unknown"
    ERROR = "error"


class StopReason(StrEnum):
    """Why the run ended."""

    FINISHED = "finished"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"
    DECLINED = "declined"
    EXCEPTION = "exception"
    CRASHED = "crashed"
    KILLED = "killed"


class Instrument(StrEnum):
    """What measures runs and keeps their limits."""

    OWN = "own"
    """`cpmines.campaign.watch`, by what ``/proc`` says of their processes."""
    RUNEXEC = "runexec"
    """BenchExec, by cgroups."""


@dataclass(frozen=True)
class Conditions:
    """What is run, and under which limits.

    Attributes
    ----------
    instance
        Name of the instance; `instance_key` is the hash of its text, under which the text is stored.
    family, size
        Where the instance comes from (folder or generator), and the number of its cells.
    version
        Versions of the backend's packages, as ``name version, ...``.
    time_limit, wall_limit
        Seconds of processor time and of wall time.
    memory_limit
        Bytes.
    certificate_limit
        Seconds of processor time for proving the answer and checking the proof, after the run; 0 for neither.
    instrument
        Which `Instrument` measures.
    """

    problem: str
    instance: str
    instance_key: str
    family: str
    size: int
    backend: str
    version: str
    seed: int
    repeat: int
    time_limit: float
    wall_limit: float
    memory_limit: int
    certificate_limit: float
    instrument: str = field(default=Instrument.OWN.value, kw_only=True)


@dataclass(frozen=True)
class Result:
    """What a run comes to, or what is noted of one that was ended.

    Attributes
    ----------
    cpu_user, cpu_system, wall
        Seconds of the whole run after start-up: build, solve and check together.
    build, solve, check
        Wall seconds of each part.
    peak_memory
        Bytes more than at the start.
    counters
        The backend's own: conflicts, deterministic time and the like.
    value
        The fields of the JSON value that all right answers share, and the objective.
    faults, error
        What the judge found; what stopped the run.
    certificate
        What came of proving the answer: ``accepted``, ``in part: `` with what is not proved, ``rejected: ``
        with the check's reason, ``none: `` with the reason why there is no proof; empty if none was asked
        for, or there was nothing to prove.
    """

    status: str
    category: Category
    reason: StopReason
    cpu_user: float = 0.0
    cpu_system: float = 0.0
    wall: float = 0.0
    build: float = 0.0
    solve: float = 0.0
    check: float = 0.0
    peak_memory: int = 0
    counters: Mapping[str, float] = field(default_factory=dict)
    value: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    error: str = ""
    note: str = ""
    certificate: str = ""


@dataclass(frozen=True, kw_only=True)
class Record(Result, Conditions):
    """One run: its conditions and its result.

    Attributes
    ----------
    key
        Hash of instance, backend, versions, seed, repeat and limits, in hexadecimal.
    environment
        Key of the stored environment.
    started
        Seconds since the epoch.
    """

    key: str
    environment: str
    started: float
