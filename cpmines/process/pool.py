"""Start, ask, stop and reuse the processes of `cpmines.process.worker`.

A solver that can't be interrupted, and many can't, is ended together with its process. Limits and Ctrl-C
then hold for every solver, and a solver that crashes takes nothing else with it.
"""

from __future__ import annotations

import atexit
import contextlib
import math
import os
import pickle
import queue
import re
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.errors import EngineError
from cpmines.process import worker as program
from cpmines.process.ends import ending

__all__ = ["Transcript", "converse"]

KEPT = 2
"""Idle processes of a kind that are kept for the next call."""

OUT_OF_MEMORY = re.compile(
    r"bad_alloc|MemoryError|out[ -]?of[ -]?memory|(cannot|failed to) (re)?allocate|failed to map segment",
    re.IGNORECASE,
)
"""What the solvers, or the C++ runtime for them, write when memory is refused."""


@dataclass
class Transcript:
    """What a process replied to one request.

    Attributes
    ----------
    assignments
        One byte for each variable of the Model, in the order in which they were found.
    bound
        The last proved bound on the objective.
    done
        The result that ends the conversation, None if it was stopped before.
    """

    assignments: list[bytes] = field(default_factory=list)
    bound: int | None = None
    done: dict[str, Any] | None = None
    stop: Stop = Stop.FINISHED

    def take(self, message: tuple[Any, ...]) -> bool:
        """Note one reply. True if it is the last one."""
        match message:
            case ("assignment", values):
                self.assignments.append(values)
            case ("bound", value):
                self.bound = value
            case ("done", result, _):
                self.done = result
            case ("memory", _):
                self.stop = Stop.MEMORY_LIMIT
            case _:
                raise EngineError(f"the solver's process replied {message!r:.80}")
        return self.done is not None or self.stop is not Stop.FINISHED


class Worker:
    """One process. It serves one request at a time, by the methods of `file`."""

    def __init__(self, file: str) -> None:
        self.file = file
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, "-P", program.__file__, file],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": paths},
        )
        self.replies: queue.SimpleQueue[tuple[Any, ...] | None] = queue.SimpleQueue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        _workers.add(self)

    def _read(self) -> None:
        """Put replies in the queue, and None when there will be no more."""
        stream = self.process.stdout
        assert stream is not None
        try:
            # Unbuffered pipes return what is there; frames need all of it.
            with open(stream.fileno(), "rb", closefd=False) as buffered:
                while (message := program.read_frame(buffered)) is not None:
                    self.replies.put(message)
        except (OSError, ValueError, EOFError, pickle.UnpicklingError):
            pass
        self.replies.put(None)

    def send(self, request: dict[str, Any], blocks: Sequence[NDArray[np.int32]]) -> None:
        assert self.process.stdin is not None
        frame = pickle.dumps(request)
        _write(self.process.stdin.fileno(), len(frame).to_bytes(8, "little") + frame)
        for block in blocks:
            _write(self.process.stdin.fileno(), np.ascontiguousarray(block).tobytes())

    def converse(
        self, request: dict[str, Any], blocks: Sequence[NDArray[np.int32]], limits: Limits
    ) -> Transcript:
        """One request and its replies. Afterwards the process may be gone: see `alive`.

        Raises
        ------
        EngineError
            The process ended by itself.
        """
        transcript = Transcript()
        finished = False
        try:
            with contextlib.suppress(BrokenPipeError):
                self.send(request, blocks)
            # If it has ended, its last reply or the end of the replies says why.
            while True:
                left = limits.left()
                message = self.replies.get(timeout=None if left == math.inf else left)
                if message is None:
                    return self._crashed(transcript)
                if transcript.take(message):
                    finished = bool(message[-1])
                    return transcript
        except queue.Empty:
            transcript.stop = Stop.TIME_LIMIT
            return transcript
        finally:
            # Also on Ctrl-C: what is not finished can't be stopped in another way.
            if not finished:
                self.close()

    def _crashed(self, transcript: Transcript) -> Transcript:
        code = self.process.wait()
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace").strip()
        if OUT_OF_MEMORY.search(said):
            transcript.stop = Stop.MEMORY_LIMIT
            return transcript
        raise EngineError(
            f"the solver's process ended with {ending(code)}: {said[-300:] or 'it said nothing'}"
        )

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            if stream is not None:
                stream.close()


def _write(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


_workers: weakref.WeakSet[Worker] = weakref.WeakSet()
_idle: list[Worker] = []
_lock = threading.Lock()


def converse(
    file: str, request: dict[str, Any], blocks: Sequence[NDArray[np.int32]], limits: Limits
) -> Transcript:
    """Have an idle process, or a new one, that serves `file` answer `request`; threads get one each.

    `blocks` are the clauses; they follow the request as bytes. See `Worker.converse`.
    """
    header = {**request, "blocks": [(block.shape[1], len(block)) for block in blocks]}
    left = limits.left()
    header |= {"memory": limits.memory, "seed": limits.seed, "seconds": None if left == math.inf else left}
    worker = _take(file)
    transcript = worker.converse(header, blocks, limits)
    with _lock:
        if worker.alive and sum(other.file == file for other in _idle) < KEPT:
            _idle.append(worker)
            return transcript
    worker.close()
    return transcript


def _take(file: str) -> Worker:
    with _lock:
        for worker in [worker for worker in reversed(_idle) if worker.file == file]:
            _idle.remove(worker)
            if worker.alive:
                return worker
            worker.close()
    return Worker(file)


def _close_all() -> None:
    for worker in list(_workers):
        worker.close()


def _forget() -> None:
    """In a forked child: the processes belong to the parent, whose end they must still be able to notice."""
    global _lock
    _lock = threading.Lock()
    _idle.clear()
    for worker in list(_workers):
        for stream in (worker.process.stdin, worker.process.stdout):
            if stream is not None:
                stream.close()
        # Keeps Popen from waiting for what is not a child of this process.
        worker.process.returncode = 0
    _workers.clear()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
