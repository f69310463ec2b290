"""Run a command under limits, and end it with all that it started, also if this process is killed."""

from __future__ import annotations

import os
import pickle
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from cpmines.answer import Limits, Stop
from cpmines.errors import EngineError, LimitError
from cpmines.process.ends import ending
from cpmines.process.keeper import Command, Ended
from cpmines.process.memory import memory_refused
from cpmines.process.pool import Child, Pool

__all__ = ["get_keeper_ready", "run_command"]

PROGRAM = "from cpmines.process.keeper import main; main()"

GRACE = 5.0
"""Seconds after the deadline at which a keeper that has not said so is given up."""

SAID = 300
"""Characters of what a failed command said that are shown."""


class Keeper(Child):
    """A process that runs commands, see `cpmines.process.keeper`."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind, ["-c", PROGRAM], subprocess.DEVNULL)

    def stop(self) -> None:
        """Have it end all that it runs, and itself: killed, it could not."""
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()

    def run(self, command: Command, patience: float | None) -> Ended:
        """What came of a command. Raises `EngineError` if it can't be started, or the keeper has ended."""
        self.free = False
        try:
            self.connection.send_bytes(pickle.dumps(command))
            if not self.connection.poll(patience):
                return Ended(None)
            reply: Ended | str = pickle.loads(self.connection.recv_bytes())
        except (OSError, EOFError):
            raise EngineError(f"the process that runs it ended with {ending(self.process.wait())}") from None
        self.free = True
        if isinstance(reply, str):
            raise EngineError(f"it can't be run: {reply}")
        return reply


KEEPERS = Pool(Keeper, kept=1)


def get_keeper_ready() -> None:
    """Have one that runs, so that the next command does not wait for it."""
    KEEPERS.give_back(KEEPERS.take(""))


def run_command(words: Sequence[str], given: bytes, limits: Limits) -> bytes:
    """What a command writes to standard output, with `given` as its standard input.

    What it has started, and is still there when it ends, is ended.

    Raises
    ------
    LimitError
    EngineError
        It failed: how it ended, and its last words.
    """
    left = limits.patience()
    command = Command(tuple(words), given, limits.memory, left, os.getcwd(), dict(os.environ))
    keeper = KEEPERS.take("")
    try:
        ended = keeper.run(command, None if left is None else left + GRACE)
    finally:
        KEEPERS.give_back(keeper)
    if ended.code is None:
        raise LimitError(Stop.TIME_LIMIT)
    if ended.code:
        last = ended.said.decode("utf-8", "replace").strip()[-SAID:]
        if memory_refused(last, code=ended.code):
            raise LimitError(Stop.MEMORY_LIMIT, last.splitlines()[-1] if last else "")
        raise EngineError(f"{ending(ended.code)}: {last or 'it said nothing'}")
    return ended.output
