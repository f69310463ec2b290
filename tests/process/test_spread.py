"""Work on several cores: order, laziness, ends; no result depends on how many."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cpmines.analysis.bot import play_all
from cpmines.analysis.game import Game
from cpmines.errors import CpminesError, EngineError, InputError, LimitError, UsageError
from cpmines.process.spread import by_processes, cores


def square(number: int) -> int:
    time.sleep(0.01 if number % 3 == 0 else 0.0)
    return number * number


def process(_: int) -> int:
    return os.getpid()


def fail(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_come_in_order(workers: int) -> None:
    assert list(by_processes(square, range(40), workers)) == [n * n for n in range(40)]


def test_items_are_taken_as_they_are_needed() -> None:
    taken = []

    def items() -> Iterator[int]:
        for number in range(10_000):
            taken.append(number)
            yield number

    results = by_processes(square, items(), 2)
    assert next(results) == 0
    assert len(taken) < 20
    results.close()


def test_several_processes_do_it_and_none_is_left() -> None:
    pids = set(by_processes(process, range(200), 2))
    assert 1 <= len(pids) <= 2
    assert os.getpid() not in pids
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_errors_come_in_their_place() -> None:
    results = by_processes(fail, range(9), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="three"):
        next(results)


def die(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    return number


def test_the_end_of_a_process_is_said() -> None:
    with pytest.raises(EngineError, match=r"^a process that shared the work ended with SIGKILL$"):
        list(by_processes(die, range(9), 2))


@pytest.mark.parametrize(("items", "workers"), [(5, 1), (1, 4), (0, 4)])
def test_nothing_is_started_for_one(items: int, workers: int) -> None:
    assert list(by_processes(process, range(items), workers)) == [os.getpid()] * items


def test_no_more_processes_are_started_than_there_are_items() -> None:
    found = by_processes(process, range(2), 50)
    next(found)
    assert len(multiprocessing.active_children()) == 2
    found.close()


SLEEPING = """
import time
from cpmines.process.spread import by_processes
def work(n):
    time.sleep(600)
print("begun", flush=True)
list(by_processes(work, range(4), 2))
"""


def test_an_interrupt_ends_all() -> None:
    # A background shell ignores interrupts, and what it starts inherits that.
    handled = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    running = subprocess.Popen(
        [sys.executable, "-c", handled + SLEEPING],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == b"begun\n"
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    while len(pids := children.read_text().split()) < 2:
        time.sleep(0.01)
    running.send_signal(2)
    running.wait(60)
    assert b"KeyboardInterrupt" in (running.stderr.read() if running.stderr else b"")
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


AT_A_FORK = """
import os, signal
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked")
def test_an_interrupt_while_processes_are_started_ends_all() -> None:
    handled = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    words = [sys.executable, "-c", handled + AT_A_FORK + SLEEPING]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        try:
            _, said = running.communicate(timeout=60)
        finally:
            running.kill()
    assert said.endswith("KeyboardInterrupt\n")


@pytest.mark.parametrize(
    "error",
    [InputError("x", "a number", "file", 2, 3), LimitError("time limit", "too slow"), UsageError("no")],
)
def test_errors_come_whole_from_another_process(error: CpminesError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_cores_are_counted() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)


def test_games_go_the_same_with_any_number_of_workers() -> None:
    played = [
        [
            replace(each, seconds=0.0)
            for each in play_all((Game(9, 9, 10, seed) for seed in range(12)), workers)
        ]
        for workers in (1, 2)
    ]
    assert played[0] == played[1]
