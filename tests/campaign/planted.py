"""Backends of maxmines that misbehave, each in its way, on one size of board; on others they are right."""

from __future__ import annotations

import ctypes
import mmap
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from cpmines.answer import Answer, Limits
from cpmines.problem import Function, Trust
from cpmines.problems.maxmines.problem import MaxMines, Rectangle
from cpmines.question import Asked

BAD = "7 11 8"
"""The instance on which they misbehave."""

MEGABYTE = 1 << 20


def right(instance: Rectangle) -> Answer[MaxMines]:
    """With M = 8 there is a mine wherever the empty cells leave one: one empty cell in each 3x3 block."""
    board = np.ones((instance.rows, instance.cols), np.bool_)
    board[rows_of(instance.rows)[:, None], rows_of(instance.cols)] = False
    return Answer.solved(MaxMines(int(board.sum()), board))


def rows_of(side: int) -> np.ndarray:
    return np.minimum(np.arange(1, side + 2, 3)[: -(-side // 3)], side - 1)


def planted(misbehave: Callable[[], object]) -> Function[Rectangle, MaxMines]:
    def solve(instance: Rectangle, limits: Limits) -> Answer[MaxMines]:
        if (instance.rows, instance.cols) != (7, 11):
            return Answer.declined("small")
        found = misbehave()
        return found if isinstance(found, Answer) else right(instance)

    return Function(solve, "planted", Trust.UNRELIABLE)


def spin(seconds: float = 600.0) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def ignore_signals() -> None:
    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGXCPU, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    spin()


def fork() -> None:
    """Two processes in sessions of their own, the parent of one of which ends at once, use the time."""
    if os.fork() == 0:
        os.setsid()
        spin()
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            spin()
        os._exit(0)
    os.wait()
    time.sleep(600)


def fork_and_leave() -> None:
    """Answers, and leaves a process behind that has used time and whose parent has ended."""
    ours, theirs = os.pipe()
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            spin(0.3)
            os.write(theirs, b".")
            time.sleep(600)
        os._exit(0)
    os.wait()
    os.read(ours, 1)


def allocate() -> None:
    """Memory that the limit of the system does not count, a megabyte at a time."""
    taken = []
    while True:
        taken.append(mmap.mmap(-1, MEGABYTE))
        taken[-1].write(b"x" * MEGABYTE)
        time.sleep(0.003)


def allocate_at_once() -> None:
    np.ones(4 << 30, np.int8)


def allocate_in_children() -> None:
    """Three processes have a third of it each."""
    for _ in range(3):
        if os.fork() == 0:
            own = bytearray()
            for _ in range(120):
                own += b"x" * MEGABYTE
                time.sleep(0.005)
            time.sleep(600)
    time.sleep(600)


def share() -> None:
    """Two hundred megabytes that four processes share are two hundred megabytes."""
    shared = np.ones(200 * MEGABYTE, np.int8)
    children = []
    for _ in range(3):
        if (pid := os.fork()) == 0:
            shared.sum()
            time.sleep(0.3)
            os._exit(0)
        children.append(pid)
    for pid in children:
        os.waitpid(pid, 0)


def count(seconds: float = 0.2) -> None:
    """A byte in a file for each run, if there is one; then it waits."""
    if path := os.environ.get("PLANTED_COUNT"):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(file, b".")
        os.close(file)
    time.sleep(seconds)


def kill_watcher_once() -> None:
    """The process that watches, unless there is a file, which is made."""
    marker = Path(os.environ["PLANTED_MARKER"])
    if not marker.exists():
        marker.touch()
        os.kill(os.getppid(), signal.SIGKILL)


def print_much() -> None:
    for _ in range(50):
        os.write(1, b"x" * MEGABYTE)
    sys.stderr.write("the end\n")


def fail() -> None:
    raise ZeroDivisionError("on purpose")


def wrong() -> Answer[MaxMines]:
    board = np.zeros((7, 11), np.bool_)
    board[3, 3] = True
    return Answer.solved(MaxMines(1, board))


def rejected() -> Answer[MaxMines]:
    return Answer.solved(MaxMines(77, np.ones((7, 11), np.bool_)))


def in_certificates(name: str, function: Callable[..., object]) -> Callable[[], None]:
    """Answers, and puts a function into the place of another one where the answer is to be proved."""

    def misbehave() -> None:
        from cpmines import certificate

        setattr(certificate, name, function)

    return misbehave


def say_anything() -> None:
    """What UTF-8 can't hold, and much of it."""
    raise ValueError("\udc80" + "x" * 100_000)


def count_anything() -> Answer[MaxMines]:
    statistics = {"\udc80": 1.0, "nan": float("nan"), "inf": float("inf")}
    return replace(right(Rectangle(7, 11, 8)), statistics=statistics)


def stop_the_clock() -> None:
    time.perf_counter = lambda: float("nan")


def remove_folders() -> None:
    """The temporary folders of all campaigns below ``TMPDIR``."""
    for folder in Path(tempfile.gettempdir()).glob("cpmines-*"):
        shutil.rmtree(folder)


def kill(name: signal.Signals) -> Callable[[], None]:
    def end() -> None:
        sys.stderr.write("a last word\n")
        sys.stderr.flush()
        os.kill(os.getpid(), name)

    return end


BACKENDS = {
    "good": planted(lambda: None),
    "spin": planted(spin),
    "ignoring": planted(ignore_signals),
    "sleep": planted(lambda: count(600)),
    "fork": planted(fork),
    "leaving": planted(fork_and_leave),
    "allocate": planted(allocate),
    "allocate-at-once": planted(allocate_at_once),
    "allocate-in-children": planted(allocate_in_children),
    "share": planted(share),
    "print": planted(print_much),
    "fail": planted(fail),
    "wrong": planted(wrong),
    "rejected": planted(rejected),
    "exit": planted(lambda: os._exit(7)),
    "segv": planted(lambda: ctypes.string_at(0)),
    "abort": planted(kill(signal.SIGABRT)),
    "kill": planted(kill(signal.SIGKILL)),
    "real-time": planted(lambda: os.kill(os.getpid(), signal.SIGRTMIN + 1)),
    "say-anything": planted(say_anything),
    "count-anything": planted(count_anything),
    "stop-the-clock": planted(stop_the_clock),
    "remove-folders": planted(remove_folders),
    "kill-watcher": planted(lambda: os.kill(os.getppid(), signal.SIGKILL)),
    "kill-watcher-once": planted(kill_watcher_once),
    "slow": planted(count),
    "unproved-digest": planted(in_certificates("digest", lambda data: "0" * 64)),
    "unproved-spin": planted(in_certificates("evidence_for", lambda *_: spin())),
    "unproved-exit": planted(in_certificates("evidence_for", lambda *_: os._exit(7))),
    "unproved-fail": planted(in_certificates("evidence_for", lambda *_: fail())),
}


OBJECTS = SimpleNamespace(**{name.replace("-", "_"): backend for name, backend in BACKENDS.items()})
"""Where entry points find them."""


class Unready:
    """Fails where it gets ready: on the small examples."""

    summary, trust, packages, questions = "unready", Trust.UNRELIABLE, (), ()

    def prepare(self, instance: Rectangle, asked: Asked, limits: Limits) -> Callable[[], Answer[MaxMines]]:
        os._exit(5)


UNREADY, GOOD = Unready(), BACKENDS["good"]
