"""Work that falls apart by itself, by several processes; the results do not depend on how many."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from cpmines.errors import EngineError
from cpmines.process.ends import ending

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from multiprocessing.process import BaseProcess

__all__ = ["by_processes", "cores"]

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""Items under way for each worker, so that none waits while results are taken in order."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def by_processes(work: Callable[[T], R], items: Iterable[T], workers: int) -> Generator[R, None, None]:
    """The results in the order of the items, of which only some are taken ahead.

    `work`, items and results are pickled; a single worker, or item, is done in this process. If it is left
    before its end, also by an interrupt, the processes are killed, with all that they have started.

    Raises
    ------
    EngineError
        A process ended by itself.
    """
    waiting = iter(items)
    first = list(islice(waiting, workers)) if workers > 1 else []
    if len(first) < 2:
        yield from map(work, chain(first, waiting))
        return
    with _processes(len(first)) as pool:
        yield from _in_order(pool, work, chain(first, waiting), len(first))


def _in_order(pool: Executor, work: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    waiting: deque[Future[R]] = deque()
    for item in items:
        waiting.append(pool.submit(work, item))
        if len(waiting) > AHEAD * workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


@contextmanager
def _processes(workers: int) -> Iterator[Executor]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # Forked, a worker has all that is loaded at once; elsewhere than on Linux, libraries do not bear it.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, context, _begin, (os.getpid(),))
    children: set[BaseProcess] = set()
    try:
        with _uninterrupted():
            pool.submit(os.getpid)  # a first task starts them
            children |= set(multiprocessing.active_children()) - before
        yield pool
    except BrokenProcessPool:
        pool.shutdown()
        raise EngineError(f"a process that shared the work ended with {_first_end(children)}") from None
    except BaseException:
        for child in children | set(multiprocessing.active_children()) - before:
            child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Interrupts wait: amid the start of a process, one would leave it with nobody who ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _first_end(children: Iterable[BaseProcess]) -> str:
    """How the process ended on whose account the others were terminated."""
    codes = {child.exitcode for child in children if child.exitcode}
    code = min(codes - {-signal.SIGTERM} or codes, default=None)
    return "no word" if code is None else ending(code)


def _begin(parent: int) -> None:
    """An interrupt is for the parent alone, which ends this process; it does not outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if sys.platform == "linux":
        from cpmines.process.tree import die_with_parent

        die_with_parent()
        if os.getppid() != parent:  # it ended before
            os._exit(1)
