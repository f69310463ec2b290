"""The process in which a solver runs: reads requests from standard input, answers on standard output.

``python worker.py FILE`` serves the functions that FILE offers as ``METHODS``, by name. Each takes a
request, blocks of clauses and a function that sends a reply, and returns the result. A request is a frame
with a dict and then the bytes of the clauses; replies are frames with a tuple, the last one of a request is
``("done", ...)`` or ``("memory", ...)``. A frame is its length in eight bytes, little endian, and a pickle.

The modules that FILE names as ``LOADED`` are imported before memory is limited: the limit may be less than
loading takes. Nothing of cpmines is imported here, so that a FILE without it starts at once.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import runpy
import signal
import sys
from array import array
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import IO, Any

__all__ = ["Block", "Reply", "Request", "read_frame"]

Request = dict[str, Any]
Block = tuple[int, "array[int]"]
Reply = Callable[..., None]

GRACE = 5.0
"""Seconds after the deadline at which the process ends by itself, if its parent has not ended it."""

KEPT_MEMORY = 512 << 20
"""Bytes of address space above those after loading beyond which the process is not used again."""

ROOM = 32 << 20
"""Bytes of address space without which a failure is put down to memory."""


@contextlib.contextmanager
def guarded(request: Request) -> Iterator[None]:
    """End with the parent and at the deadline, where the system can do that."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(
            signal.ITIMER_REAL, request["seconds"] + GRACE if request["seconds"] is not None else 0
        )
    watch_parent(True)
    try:
        yield
    finally:
        watch_parent(False)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def limit_memory(size: int) -> None:
    """Of the address space, where the system can do that; a hard limit that is lower stays."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        soft = size if hard == resource.RLIM_INFINITY else min(hard, size)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def watch_parent(on: bool) -> None:
    """Linux: a signal at the end of the parent, who holds the other end of standard input.

    Unlike PR_SET_PDEATHSIG this does not depend on the thread that started the process, which may end sooner.
    """
    if sys.platform != "linux":
        return
    import fcntl
    import select

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(0, fcntl.F_GETFL)
    fcntl.fcntl(0, fcntl.F_SETFL, flags | os.O_ASYNC if on else flags & ~os.O_ASYNC)
    if on:
        poll = select.poll()
        poll.register(0, select.POLLHUP)
        if any(event & select.POLLHUP for _, event in poll.poll(0)):
            sys.exit(1)


def address_space() -> int:
    """Bytes of address space in use; 0 where that is not known."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


def read_frame(stream: IO[bytes]) -> Any:
    """The next frame, None at the end."""
    head = stream.read(8)
    return pickle.loads(stream.read(int.from_bytes(head, "little"))) if len(head) == 8 else None


def read_blocks(stream: IO[bytes], request: Request) -> list[Block]:
    blocks = []
    for width, count in request["blocks"]:
        literals = array("i")
        literals.frombytes(stream.read(4 * width * count))
        blocks.append((width, literals))
    return blocks


def main(file: str) -> None:
    # What solvers print must not get between the replies.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def reply(*message: Any) -> None:
        frame = pickle.dumps(message)
        replies.write(len(frame).to_bytes(8, "little") + frame)
        replies.flush()

    served = runpy.run_path(file)
    for name in (*served["LOADED"], "fcntl", "resource", "select"):
        with contextlib.suppress(ImportError):
            import_module(name)
    loaded = address_space()
    requests = sys.stdin.buffer
    while (request := read_frame(requests)) is not None:
        try:
            limit_memory(request["memory"])
            blocks = read_blocks(requests, request)
            with guarded(request):
                result = served["METHODS"][request["method"]](request, blocks, reply)
        except Exception as error:
            # Not every solver says that memory was refused; some only fail.
            if not isinstance(error, MemoryError) and address_space() + ROOM < request["memory"]:
                raise
            # Part of the request may be unread, so this can't go on.
            reply("memory", False)
            return
        blocks = []
        reply("done", result, address_space() < loaded + KEPT_MEMORY)


if __name__ == "__main__":
    main(sys.argv[1])
