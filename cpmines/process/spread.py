"""Work that falls apart by itself, by several processes; the results do not depend on how many."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

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

    `work`, items and results are pickled. If it is left before its end, also by an interrupt, the processes
    are killed, with all that they have started.
    """
    with _processes(workers) as pool:
        yield from _in_order(pool, work, items, workers)


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

    # Forked, a worker has all that is loaded at once; elsewhere than on Linux, libraries do not bear it.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, context, _begin)
    try:
        yield pool
    except BaseException:
        for child in set(multiprocessing.active_children()) - before:
            child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """An interrupt is for the parent alone, which ends this process; it does not outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        from cpmines.process.tree import die_with_parent

        die_with_parent()
