"""Where runs are made: this machine, or a Dask cluster. Anything with the interface of `Executor` will do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cpmines.campaign.runner import end_servers
from cpmines.errors import EngineError, UsageError

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Workers", "dask", "local"]

Workers = tuple[Executor, Callable[[], int]]
"""An executor, and how many runs it can have under way."""

QUEUED = 2
"""Runs under way for each thread of a cluster, so that none waits for the next one to arrive."""

CONNECTING = "10s"
ADDRESS = re.compile(r"(tcp|tls|ucx|wss?)://.+:\d+")


@contextmanager
def local(workers: int) -> Iterator[Workers]:
    """So many runs at a time on this machine. Each thread waits for a process; the processes do the work."""
    executor = ThreadPoolExecutor(workers, thread_name_prefix="run")
    try:
        yield executor, lambda: workers
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        end_servers()
        executor.shutdown()


@contextmanager
def dask(address: str) -> Iterator[Workers]:
    """The workers of the Dask scheduler at `address`; they may come and go.

    Raises
    ------
    UsageError
        There is no scheduler, or the extra ``cluster`` is not installed.
    EngineError
        The scheduler was there, and is not any more.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise UsageError("dask needs the extra cluster: pip install 'cpmines[cluster]'") from None
    if not ADDRESS.fullmatch(address):
        raise UsageError(f"the address {address!r}, expected one such as tcp://127.0.0.1:8786")
    try:
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler at {address}: {error}") from None
    try:
        # Not "pure": the same run may be asked for again, and then has to be made again.
        yield client.get_executor(pure=False), lambda: QUEUED * _threads(client)
    except Exception as error:
        if client.status == "running":
            raise
        what_to_do = "what was made is stored, and the same command goes on from there"
        raise EngineError(f"the Dask scheduler at {address} is lost: {what_to_do}: {error}") from None
    finally:
        client.close()


def _threads(client: Client) -> int:
    return sum(client.ncores().values())
