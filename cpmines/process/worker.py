"""The process in which a solver runs: it reads requests from a connection, and answers on it.

``python worker.py FILE N`` serves the functions that FILE offers as ``METHODS``, by name, on the socket with
the descriptor N. Each takes a request, blocks of clauses and a function that sends a reply, and returns the
result. A request is a message with a dict, which has the bytes of the blocks if they are few, and else one
with the bytes of each block; replies are tuples, the last one of a request is ``("done", ...)`` or
``("memory", ...)``. A function that wants to hear more before it is done gets the next message by
``request["listen"]()``.

The modules that FILE names as ``LOADED`` are imported before memory is limited: the limit may be less than
loading takes. Nothing of cpmines is imported here, so that a FILE without it starts at once.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import runpy
import signal
import sys
from array import array
from collections.abc import Callable, Iterator
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

__all__ = ["Block", "Reply", "Request"]

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
def ended_at(seconds: float | None) -> Iterator[None]:
    """End with the deadline, where the system can do that."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0 if seconds is None else seconds + GRACE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def give_memory_back() -> None:
    """What earlier requests have freed goes back to the system, where its library can do that.

    Else the next request could use it again, beyond a limit that counts what is asked of the system.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def limit_memory(size: int) -> None:
    """Of the address space, where the system can do that; a hard limit that is lower stays."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        soft = size if hard == resource.RLIM_INFINITY else min(hard, size)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def end_with_parent(end: Any = signal.SIG_DFL) -> None:
    """Linux: a signal, handled by `end`, when the parent ends, who holds the other end of standard input.

    Unlike PR_SET_PDEATHSIG this does not depend on the thread that started the process, which may end sooner.
    """
    if sys.platform != "linux":
        return
    import fcntl
    import select

    signal.signal(signal.SIGIO, end)
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
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


def read_blocks(connection: Connection, request: Request) -> list[Block]:
    blocks, together = [], request["blocks"]
    for k, width in enumerate(request["widths"]):
        literals = array("i")
        literals.frombytes(connection.recv_bytes() if together is None else together[k])
        blocks.append((width, literals))
    return blocks


def main(file: str, connection: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()

    def reply(*message: Any) -> None:
        connection.send_bytes(pickle.dumps(message))

    def listen() -> Any:
        return pickle.loads(connection.recv_bytes())

    served = runpy.run_path(file)
    for name in (*served["LOADED"], "resource"):
        with contextlib.suppress(ImportError):
            import_module(name)
    loaded = address_space()
    while True:
        request = {**listen(), "listen": listen}
        try:
            give_memory_back()
            limit_memory(request["memory"])
            blocks = read_blocks(connection, request)
            with ended_at(request["seconds"]):
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
    with contextlib.suppress(EOFError, ConnectionError):
        main(sys.argv[1], Connection(int(sys.argv[2])))
