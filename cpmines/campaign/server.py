"""The process that runs are forked from: it has the imports, and it watches.

``python -m cpmines.campaign.server FOLDER N`` is asked through the socket with the descriptor N, for one run
at a time. It forks a process for the run (see `cpmines.campaign.child`), follows everything below that, and
ends all of it when the run is over, has used up a limit, or nobody waits for it any more. What runs write
goes to the folder, which is emptied after each.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NoReturn

from cpmines.campaign.child import Measured, Started, get_ready, get_ready_to_prove, live
from cpmines.campaign.record import Result, StopReason
from cpmines.campaign.task import Instance, Task
from cpmines.campaign.watch import KEPT_OUTPUT, Watch, failure
from cpmines.process import tree
from cpmines.process.worker import end_with_parent
from cpmines.program import PREFIX

__all__ = ["Kind", "Server", "kind_of", "main"]

Kind = tuple[str, str, str, bool]
"""Problem, question, what is loaded for the backend, whether answers are proved."""


def kind_of(task: Task) -> Kind:
    """What has to be ready for a run: a base, or ``package.module:OBJECT``, whatever its options are."""
    base, _, variant = task.backend.partition(":")
    backend = f"{base}:{variant.partition('/')[0]}" if "." in base else base
    loaded = task.backend if base == PREFIX else backend
    return task.problem, task.question, loaded, task.certificate_limit > 0


class Server:
    """Answers requests: a `Task` and its `Instance`. The reply is a `Result`."""

    def __init__(self, control: Connection, folder: Path) -> None:
        self.control, self.folder = control, folder
        self.ready: set[Kind] = set()
        self.unfit: dict[Kind, Result] = {}

    def serve(self) -> None:
        """Answer until nobody asks any more."""
        while True:
            task, instance = self.control.recv()
            self.control.send(self.answer(task, instance))

    def answer(self, task: Task, instance: Instance) -> Result:
        kind = kind_of(task)
        if kind not in self.ready and kind not in self.unfit:
            failed = self.get_ready(task, kind)
            if failed is None:
                self.ready.add(kind)
            else:
                self.unfit[kind] = failed
        result = self.unfit.get(kind) or self.run(task, instance)
        return result or failure(StopReason.CRASHED, "ended without a result")

    def get_ready(self, task: Task, kind: Kind) -> Result | None:
        """First in a process that may hang or crash; then here, for all that are forked later."""
        failed = self.run(task, None)
        if failed is None:
            get_ready(task)
            if task.certificate_limit:
                get_ready_to_prove(task, self.folder)
        return failed

    def run(self, task: Task, instance: Instance | None) -> Result | None:
        """Fork, watch, end. Without an instance: None if the process got ready."""
        gc.freeze()
        spared = frozenset(tree.descendants(os.getpid()))
        ours, theirs = Pipe()
        output, printed = os.pipe()
        pid = os.fork()
        if pid == 0:
            self.control.close()
            ours.close()
            os.close(output)
            live(theirs, printed, task, instance, self.folder)
        theirs.close()
        os.close(printed)
        try:
            return self.follow(Watch(pid, task, spared), ours, output)
        finally:
            tree.end_all(spared)
            self.clear()
            ours.close()
            os.close(output)

    def clear(self) -> None:
        """Empty the folder, which the run may have done anything with."""
        with suppress(OSError):
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(mode=0o700, exist_ok=True)

    def follow(self, watch: Watch, connection: Connection, output: int) -> Result | None:
        """Watch a run until there is a result, from it or instead of it."""
        sources: list[Any] = [connection, output, self.control]
        while True:
            for source in wait(sources, watch.interval):
                if source is self.control:
                    raise EOFError("nobody waits for this run any more")
                if source is output and not self.drain(watch, output):
                    sources.remove(output)
                if source is connection and (result := self.hear(watch, connection, sources)):
                    return result
            if limit := watch.look():
                return watch.ended(limit)
            ended, status = os.waitpid(watch.pid, os.WNOHANG)
            if ended:
                while connection.poll():
                    if result := self.hear(watch, connection, sources):
                        return result
                    if connection not in sources:
                        break
                self.drain(watch, output)
                return None if watch.started is None and status == 0 else watch.died(status)

    def hear(self, watch: Watch, connection: Connection, sources: list[Any]) -> Result | None:
        """Take one message."""
        try:
            message = connection.recv()
        except (EOFError, OSError):
            if connection in sources:
                sources.remove(connection)
            return None
        if isinstance(message, Started):
            watch.start(message)
            return None
        if isinstance(message, Measured):
            watch.measure_proof(message.result)
            return None
        assert isinstance(message, Result)
        return watch.whole(message)

    def drain(self, watch: Watch, output: int) -> bool:
        """Take what was printed; the end of it is kept. False if there will be no more."""
        os.set_blocking(output, False)
        with suppress(BlockingIOError):
            data = os.read(output, 1 << 16)
            watch.output = (watch.output + data)[-KEPT_OUTPUT:]
            return bool(data)
        return True


def _leave(*_: object) -> NoReturn:
    """End at once: an exception could be taken for one of a backend that is being made ready."""
    tree.end_all()
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    os._exit(0)


def main(server: type[Server] = Server) -> None:
    """Serve on the socket whose descriptor is the second argument; the first is the folder."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    tree.adopt_orphans()
    end_with_parent(_leave)  # also while something is loaded here, which may take seconds
    with suppress(EOFError, ConnectionError):
        server(Connection(int(sys.argv[2])), Path(sys.argv[1])).serve()
    tree.end_all()
    shutil.rmtree(sys.argv[1], ignore_errors=True)


if __name__ == "__main__":
    main()
