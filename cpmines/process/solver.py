"""Start, ask and stop the processes of `cpmines.process.worker`, in which solvers run.

A solver that can't be interrupted, and many can't, is ended together with its process. Limits and Ctrl-C
then hold for every solver, and a solver that crashes takes nothing else with it.
"""

from __future__ import annotations

import math
import pickle
import re
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.errors import EngineError, LimitError
from cpmines.process import worker as program
from cpmines.process.ends import ending
from cpmines.process.memory import memory_refused
from cpmines.process.pool import Child, Pool

__all__ = ["EARLIER", "WORKERS", "Transcript", "Worker", "converse", "limits_told"]

TOGETHER = 1 << 16
"""Bytes of clauses that go with their request: each message for itself would wake the process."""

HELD = 1 << 16
"""Bytes that a connection takes without a reader."""

SAID = 300
"""Characters of what a process said that are shown."""

EXCEPTION = re.compile(r"[A-Za-z_][\w.]*(Error|Exception): ")

EARLIER = 0.9
"""Part of the time to tell what looks at the clock: it can then still say what it has."""

KEPT = 2
"""Idle processes of a kind that are kept for the next call."""


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
            case _:
                raise EngineError(f"the solver's process replied {message!r:.80}")
        return self.done is not None


def limits_told(request: program.Request, part: float = 1.0) -> Limits:
    """In the process: the limits of a request, the clock running, with a part of the time."""
    seconds = request["seconds"]
    own = None if seconds is None else max(seconds * part, 1e-9)
    return Limits(own, request["memory"], request["seed"]).begin()


def last_words(said: str) -> str:
    """The exception that a Python process ended with, or else the last that it said."""
    *_, last = said.splitlines() or [""]
    return last[:SAID] if EXCEPTION.match(last) else said[-SAID:]


class Worker(Child):
    """One process. It serves one request at a time, by the methods of a file: its kind."""

    def __init__(self, file: str) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        super().__init__(file, [program.__file__, file], self.errors)

    def send(self, message: Any) -> None:
        """A process that has ended is noticed where its reply is waited for: its last words say why."""
        self._send([pickle.dumps(message)])

    def _send(self, parts: Sequence[bytes | memoryview]) -> None:
        with suppress(ConnectionError):
            for part in parts:
                self.connection.send_bytes(part)

    def _send_in_time(self, parts: Sequence[bytes | memoryview], limits: Limits) -> None:
        """What is more than a pipe holds waits for its reader, who may still be starting.

        Raises
        ------
        LimitError
            Not all is sent when the time is up; the process has to be ended, which ends the sending, too.
        """
        if sum(memoryview(part).nbytes for part in parts) <= HELD or limits.patience() is None:
            self._send(parts)
            return
        sending = threading.Thread(target=self._send, args=[parts], daemon=True)
        sending.start()
        sending.join(limits.patience())
        if sending.is_alive():
            self.stop()
            sending.join()
            raise LimitError(Stop.TIME_LIMIT)

    def request(self, content: dict[str, Any], blocks: Sequence[NDArray[np.int32]], limits: Limits) -> None:
        """Send a request and the clauses for it, one array a width. Raises `LimitError`."""
        left = limits.left()
        conditions = {
            "memory": limits.memory,
            "seed": limits.seed,
            "seconds": None if left == math.inf else left,
        }
        self.free = False
        raw = [np.ascontiguousarray(block).data.cast("B") for block in blocks]
        together = sum(part.nbytes for part in raw) <= TOGETHER
        head = {
            **content,
            **conditions,
            "widths": [block.shape[1] for block in blocks],
            "blocks": [part.tobytes() for part in raw] if together else None,
        }
        self._send_in_time([pickle.dumps(head), *([] if together else raw)], limits)

    def receive(self, limits: Limits) -> tuple[Any, ...]:
        """The next reply to the request.

        Raises
        ------
        LimitError
            Time is up, or memory was refused.
        EngineError
            The process ended by itself.
        """
        if not self.connection.poll(limits.patience()):
            raise LimitError(Stop.TIME_LIMIT)
        try:
            message: tuple[Any, ...] = pickle.loads(self.connection.recv_bytes())
        except (OSError, EOFError):
            raise self._death() from None
        if message[0] == "memory":
            raise LimitError(Stop.MEMORY_LIMIT)
        self.free = message[0] == "done" and bool(message[-1])
        return message

    def _death(self) -> LimitError | EngineError:
        code = self.process.wait()
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace").strip()
        if memory_refused(said, code=code):
            return LimitError(Stop.MEMORY_LIMIT)
        return EngineError(
            f"the solver's process ended with {ending(code)}: {last_words(said) or 'it said nothing'}"
        )

    def let_go(self) -> None:
        super().let_go()
        self.errors.close()


WORKERS = Pool(Worker, KEPT)
"""Of the solvers, by the file that they serve."""


def converse(
    file: str, request: dict[str, Any], blocks: Sequence[NDArray[np.int32]], limits: Limits
) -> Transcript:
    """Have an idle process, or a new one, that serves `file` answer `request`; threads get one each.

    Raises
    ------
    EngineError
        The process ended by itself.
    """
    transcript = Transcript()
    worker = WORKERS.take(file)
    try:
        worker.request(request, blocks, limits)
        while not transcript.take(worker.receive(limits)):
            pass
    except LimitError as limit:
        transcript.stop = Stop(limit.stop)
    finally:
        WORKERS.give_back(worker)
    return transcript
