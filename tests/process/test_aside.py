"""Work in another thread: its results and errors, that the thread is kept, and what an interrupt does."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from cpmines.process import aside as room
from cpmines.process.aside import aside


def nothing() -> None:
    """Stops nothing."""


def test_it_is_another_thread_and_always_the_same() -> None:
    first = aside(threading.get_ident, nothing)
    assert first != threading.get_ident()
    assert {aside(threading.get_ident, nothing) for _ in range(20)} == {first}


def test_each_caller_has_one() -> None:
    assert aside(lambda: aside(threading.get_ident, nothing) != threading.get_ident(), nothing)
    together = threading.Barrier(2)
    found: list[int] = []

    def call() -> None:
        found.append(aside(lambda: (together.wait(10), threading.get_ident())[1], nothing))

    callers = [threading.Thread(target=call) for _ in range(2)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(20)
    assert len(set(found)) == 2


def test_an_error_comes_here_and_ends_nothing() -> None:
    def fail() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError, match="x"):
        aside(fail, nothing)
    assert aside(lambda: 3, nothing) == 3


def test_an_interrupt_stops_the_work_and_is_told() -> None:
    stopped = threading.Event()

    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        stopped.wait(10)

    with pytest.raises(KeyboardInterrupt):
        aside(work, stopped.set)
    assert stopped.is_set()
    assert aside(lambda: 3, nothing) == 3


def test_what_does_not_stop_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "STOPPING", 0.2)
    go_on = threading.Event()

    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        go_on.wait(10)

    kept = len(room.idle)
    with pytest.raises(KeyboardInterrupt):
        aside(work, nothing)
    assert len(room.idle) <= kept  # its thread is not given to others
    assert aside(lambda: 3, nothing) == 3
    go_on.set()


def test_a_forked_process_has_threads_of_its_own() -> None:
    aside(threading.get_ident, nothing)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os._exit(aside(lambda: 7, nothing))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
