"""What means that memory was refused: engines, programs and campaigns say the same of each message."""

from __future__ import annotations

import shlex
import signal
from pathlib import Path

import pytest

from cpmines.answer import Limits, Stop
from cpmines.campaign.child import Started
from cpmines.campaign.record import StopReason
from cpmines.campaign.task import Task
from cpmines.campaign.watch import Watch
from cpmines.errors import EngineError, LimitError
from cpmines.process.command import run_command
from cpmines.process.memory import memory_refused
from cpmines.process.solver import converse
from cpmines.process.tree import Memory

REFUSED = [
    "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc",
    "terminate called after throwing an instance of 'Minisat::OutOfMemoryException'",
    'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\nMemoryError',
    "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 8.00 TiB for an array with shape (1,)",
    "sh: 1: Cannot fork: Cannot allocate memory",
    "OSError: [Errno 12] Cannot allocate memory",
    "cannot allocate memory for thread-local data: ABORT",
    "libexample.so: failed to map segment from shared object",
    "fatal error: runtime: out of memory",
    "cadical: fatal error: out-of-memory allocating 8 bytes",
    "kissat: fatal error: out of memory reallocating 8 bytes",
    "memory allocation of 1073741824 bytes failed",
    'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space',
    "# There is insufficient memory for the Java Runtime Environment to continue.",
    "Unhandled exception. System.OutOfMemoryException: Exception was thrown",
    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    "Fatal error: exception Out_of_memory",
    "Heap exhausted, game over.",
    "lua: not enough memory",
    "m4: memory exhausted",
    "cc1plus: virtual memory exhausted: Cannot allocate memory",
    "error: malloc failed",
    "could not allocate 64 bytes",
]
OTHERS = [
    "Segmentation fault",
    "IndexError: list index out of range",
    "out of time",
    "used 12 MB of memory",
    "memory limit not set, allocated 5 blocks",
    "AssertionError",
    "",
]
SERVED = """
import os, sys
LOADED = ()
def speak(request, blocks, reply):
    os.write(2, request["said"].encode())
    os._exit(3)
METHODS = {"speak": speak}
"""


def by_engine(said: str, folder: Path) -> bool:
    served = folder / "served.py"
    served.write_text(SERVED)
    try:
        stop = converse(str(served), {"method": "speak", "said": said}, [], Limits(60).begin()).stop
    except EngineError:
        return False
    return stop is Stop.MEMORY_LIMIT


def by_program(said: str) -> bool:
    script = f"printf %s {shlex.quote(said)} >&2; exit 3"
    with pytest.raises((LimitError, EngineError)) as caught:
        run_command(["sh", "-c", script], b"", Limits(60).begin())
    return isinstance(caught.value, LimitError) and caught.value.stop == Stop.MEMORY_LIMIT


def watched(said: str, peak: int = 0) -> Watch:
    task = Task("p", "i", "", "", 1, "q", "{}", "b", "", 0, 0, 60.0, 60.0, 1000, 0.0)
    return Watch(
        1, task, frozenset(), started=Started(Memory(frozenset(), 0, 0), 0), output=said.encode(), peak=peak
    )


def by_campaign(said: str) -> bool:
    return watched(said).died(3 << 8).reason is StopReason.MEMORY_LIMIT


@pytest.mark.parametrize("said", [*REFUSED, *OTHERS])
def test_all_agree(said: str, tmp_path: Path) -> None:
    expected = said in REFUSED
    assert memory_refused(said) is memory_refused(said.encode()) is expected
    assert (by_engine(said, tmp_path), by_program(said), by_campaign(said)) == (expected,) * 3


def test_the_last_words_count() -> None:
    assert not memory_refused("MemoryError was met and mended" + "\n." * 2000)


def test_a_death_near_the_limit_is_for_memory() -> None:
    assert watched("", peak=950).died(signal.SIGSEGV).reason is StopReason.MEMORY_LIMIT
    assert watched("", peak=850).died(signal.SIGSEGV).reason is StopReason.CRASHED
    assert watched("", peak=950).died(3 << 8).reason is StopReason.CRASHED
    assert not memory_refused("", code=-11)
