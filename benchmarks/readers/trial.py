"""Readers on damaged inputs: what they take and refuse, and how long and how much memory it takes."""

from __future__ import annotations

import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from benchmarks.readers.damage import damaged
from cpmines.errors import InputError, UsageError

__all__ = ["Fault", "Reader", "Sample", "Tried", "attempt", "try_reader"]

MOST_SECONDS, MOST_MEMORY = 5.0, 768 << 20
"""Beyond these an input is at fault, however small it is: seconds, and bytes more than before it."""

Read = Callable[[bytes], object]


@dataclass(frozen=True)
class Sample:
    """A valid input, and what reads it."""

    data: bytes
    read: Read


@dataclass(frozen=True)
class Reader:
    """One way for data from outside into the package.

    Attributes
    ----------
    modules
        Those of the package by which it reads.
    refusals
        What it raises for what it does not take.
    """

    name: str
    modules: tuple[str, ...]
    samples: tuple[Sample, ...]
    refusals: tuple[type[Exception], ...] = (InputError, UsageError)


@dataclass(frozen=True)
class Fault:
    """An input that was neither taken nor refused, or not within bounds."""

    reader: str
    what: str
    data: bytes


@dataclass
class Tried:
    """What became of the inputs of a reader."""

    name: str
    taken: int = 0
    refused: int = 0
    slowest: float = 0.0
    memory: int = 0
    worst: bytes = b""
    """The input that took longest."""
    faults: list[Fault] = field(default_factory=list)

    @property
    def inputs(self) -> int:
        return self.taken + self.refused + len(self.faults)


def attempt(reader: Reader, sample: Sample, data: bytes, tried: Tried) -> None:
    """Let the reader of a sample read other data."""
    before, start = _peak(), time.perf_counter()
    what = ""
    try:
        with ended():
            sample.read(data)
        tried.taken += 1
    except reader.refusals:
        tried.refused += 1
    except (Exception, Endless) as error:
        what = f"{type(error).__name__}: {error}"
    seconds, memory = time.perf_counter() - start, _peak() - before
    if seconds > tried.slowest:
        tried.slowest, tried.worst = seconds, data
    tried.memory = max(tried.memory, memory)
    if not what and seconds > MOST_SECONDS:
        what = f"{seconds:.1f} s"
    elif not what and memory > MOST_MEMORY:
        what = f"{memory >> 20} MB"
    if what:
        tried.faults.append(Fault(reader.name, what, data))


class Endless(BaseException):
    """It was still read when the time was up; no reader expects this."""


@contextmanager
def ended() -> Iterator[None]:
    """Raise `Endless` inside after three times `MOST_SECONDS`."""

    def end(*_: object) -> None:
        raise Endless(f"more than {3 * MOST_SECONDS:.0f} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, 3 * MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def try_reader(reader: Reader, inputs: int, seed: int = 0) -> Tried:
    """Damage the samples so many times; those that are whole must be taken."""
    random, tried = Random(f"{reader.name} {seed}"), Tried(reader.name)
    for sample in reader.samples:
        sample.read(sample.data)
    for _ in range(inputs):
        sample = random.choice(reader.samples)
        attempt(reader, sample, damaged(sample.data, random), tried)
    return tried


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
