"""Runs that spin, allocate, fork, crash: what is recorded of them, and that nothing of them is left."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cpmines import registry
from cpmines.answer import Status
from cpmines.campaign.record import Category, Record, Result, StopReason
from cpmines.campaign.runner import end_servers, perform, versions
from cpmines.campaign.store import Store
from cpmines.campaign.task import Instance, Task
from cpmines.campaign.watch import Watch
from cpmines.process import tree
from tests.campaign.planted import BAD, MEGABYTE

CPU, WALL, MEMORY = 2.0, 600.0, 300 * MEGABYTE
WITHIN = 0.1
"""Part of a limit by which it may be missed."""
SPUN, SLEPT = 1.0, 1.0
"""Limits of what would spin, and of what would sleep, for ten minutes."""
LATE = 1.0
"""Seconds of wall time by which a busy machine may notice it later."""


@pytest.fixture(autouse=True)
def nothing_left(planted: Path) -> Iterator[None]:
    """Below the processes that are kept for later runs there are at most idle solvers after a run."""
    yield
    kept = ("campaign.server", "worker", "forks.py")
    assert [line for line in below() if not any(name in line for name in kept)] == []


def below() -> list[str]:
    """The command lines of all processes that this one has started."""
    return [Path(f"/proc/{pid}/cmdline").read_text() for pid in tree.descendants(os.getpid())]


def made(backend: str, text: str = BAD, problem: str = "maxmines", **limits: float) -> Record:
    instance = Instance(problem, "one", "planted", 77, f"{text}\n")
    chosen = {
        "time_limit": CPU,
        "wall_limit": WALL,
        "memory_limit": MEMORY,
        "certificate_limit": 0.0,
        **limits,
    }
    about = {"question": registry.problem(problem).questions[0].name, "options": "{}", "backend": backend}
    about |= {"version": versions(problem, backend)}
    task = Task(problem, "one", instance.key, "planted", 77, seed=0, repeat=0, **about, **chosen)  # type: ignore[arg-type]
    return perform(task, instance).record


@pytest.mark.parametrize("backend", ["spin", "ignoring", "fork"])
def test_cpu_time_is_kept(backend: str) -> None:
    found = made(backend, time_limit=SPUN)
    assert (found.status, found.category, found.reason) == (
        Status.UNKNOWN,
        Category.UNKNOWN,
        StopReason.TIME_LIMIT,
    )
    assert SPUN * (1 - WITHIN) <= found.cpu_user + found.cpu_system <= SPUN * (1 + 2 * WITHIN)
    assert "CPU time" in found.note
    assert not found.error


def test_wall_time_is_kept() -> None:
    found = made("sleep", wall_limit=SLEPT)
    assert found.reason is StopReason.TIME_LIMIT
    assert SLEPT <= found.wall <= SLEPT + LATE
    assert found.cpu_user + found.cpu_system < 0.2


@pytest.mark.parametrize("backend", ["allocate", "allocate-in-children"])
def test_memory_is_kept(backend: str) -> None:
    found = made(backend)
    assert (found.category, found.reason) == (Category.UNKNOWN, StopReason.MEMORY_LIMIT), found
    assert MEMORY <= found.peak_memory <= MEMORY * (1 + WITHIN)


def test_too_much_memory_at_once_is_refused() -> None:
    found = made("allocate-at-once")
    assert (found.category, found.reason) == (Category.UNKNOWN, StopReason.MEMORY_LIMIT), found
    assert found.peak_memory < MEMORY


def test_shared_memory_counts_once() -> None:
    found = made("share")
    assert found.category is Category.RIGHT
    assert 200 * MEGABYTE <= found.peak_memory < 300 * MEGABYTE


def test_time_of_what_is_left_behind_counts() -> None:
    found = made("leaving")
    assert found.category is Category.RIGHT
    assert found.cpu_user + found.cpu_system == pytest.approx(0.3, abs=0.05)


@pytest.mark.parametrize(
    ("backend", "reason", "word"),
    [
        ("fail", StopReason.EXCEPTION, "ZeroDivisionError: on purpose"),
        ("exit", StopReason.CRASHED, "exit code 7"),
        ("segv", StopReason.CRASHED, "SIGSEGV"),
        ("abort", StopReason.CRASHED, "SIGABRT: a last word"),
        ("kill", StopReason.KILLED, "from outside"),
        ("real-time", StopReason.CRASHED, f"ended with signal {signal.SIGRTMIN + 1}"),
        ("kill-watcher", StopReason.KILLED, "the process that watches the run"),
    ],
)
def test_a_failure_is_a_result(backend: str, reason: StopReason, word: str) -> None:
    found = made(backend)
    assert (found.status, found.category, found.reason) == (Status.UNKNOWN, Category.ERROR, reason)
    assert word in found.error
    assert made("good").category is Category.RIGHT


def test_what_is_said_is_stored_in_short(tmp_path: Path) -> None:
    found = made("say-anything")
    assert found.error.startswith("ValueError: \\udc80xxx")
    assert len(found.error) < 3000
    with Store.open(tmp_path / "runs.db", create=True) as store:
        assert store.add(found)
        assert list(store.records()) == [found]


def test_counters_that_are_no_numbers_are_left_out() -> None:
    assert made("count-anything").counters == {"\\udc80": 1.0}


def test_a_clock_that_tells_nothing_is_an_error(tmp_path: Path) -> None:
    found = made("stop-the-clock")
    assert found.category is Category.ERROR
    assert "no finite time" in found.error
    with Store.open(tmp_path / "runs.db", create=True) as store:
        assert store.add(found)


def test_folders_may_be_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    end_servers()
    try:
        assert [made("remove-folders").category for _ in range(2)] == [Category.RIGHT] * 2
    finally:
        end_servers()


def test_backends_of_one_module_get_ready_apart() -> None:
    """The one that can't does not speak for the others."""
    unready = made("tests.campaign.planted:UNREADY")
    assert unready.category is Category.ERROR
    assert "exit code 5" in unready.error
    assert made("tests.campaign.planted:GOOD").category is Category.RIGHT


@pytest.mark.parametrize(
    ("measure", "reason"),
    [
        ({"cpu_user": 1.2 * CPU}, StopReason.TIME_LIMIT),
        ({"wall": 1.2 * WALL}, StopReason.TIME_LIMIT),
        ({"peak_memory": 2 * MEMORY}, StopReason.MEMORY_LIMIT),
        ({"cpu_user": CPU, "peak_memory": MEMORY}, StopReason.FINISHED),
    ],
)
def test_an_answer_beyond_a_limit_is_none(measure: dict[str, Any], reason: StopReason) -> None:
    """However short the limit: also between two looks at the run."""
    task = Task("maxmines", "one", "", "", 77, "most", "{}", "good", "", 0, 0, CPU, WALL, MEMORY, 0.0)
    found = Watch(1, task, frozenset()).whole(
        Result("solved", Category.RIGHT, StopReason.FINISHED, **measure)
    )
    assert found.reason is reason
    assert {name: getattr(found, name) for name in measure} == measure
    assert (found.category is Category.RIGHT) == (reason is StopReason.FINISHED)


def test_a_run_whose_watcher_is_ended_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    end_servers()
    monkeypatch.setenv("PLANTED_MARKER", str(tmp_path / "marker"))
    assert made("kill-watcher-once").category is Category.RIGHT
    assert (tmp_path / "marker").exists()


def test_what_is_printed_does_not_stop_a_run() -> None:
    assert made("print").category is Category.RIGHT


def test_a_value_that_the_judge_rejects_is_wrong() -> None:
    found = made("rejected")
    assert (found.status, found.category, found.reason) == (
        Status.SOLVED,
        Category.WRONG,
        StopReason.FINISHED,
    )
    assert found.faults


def test_an_instance_that_can_not_be_read_is_an_error() -> None:
    found = made("good", "seven by eleven")
    assert found.category is Category.ERROR
    assert "InputError" in found.error


@pytest.mark.parametrize("backend", ["direct", "cpsat", "sat", "sat:glucose4/totalizer", "maxsat"])
def test_the_measure_of_a_run(backend: str) -> None:
    """Processes of solvers count, starting them does not."""
    found = made(backend, "5 5 3")
    assert (found.status, found.category, found.value) == (Status.SOLVED, Category.RIGHT, {"mines": 14})
    cpu = found.cpu_user + found.cpu_system
    assert 0.0 < cpu < 1.5
    assert found.build + found.solve + found.check <= found.wall
    assert 0 < found.peak_memory < MEMORY
    assert bool(found.counters) == (backend != "direct")
    assert found.version.startswith("cpmines ")


def test_solvers_in_other_processes_keep_the_limits() -> None:
    found = made("sat", "14 14 4", time_limit=SPUN)
    assert found.reason is StopReason.TIME_LIMIT
    assert SPUN * (1 - WITHIN) <= found.cpu_user + found.cpu_system <= SPUN * (1 + 2 * WITHIN)


def test_ending_the_servers_ends_their_runs() -> None:
    found: list[BaseException] = []

    def run() -> None:
        try:
            made("spin", time_limit=600.0)
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive() and not any("campaign.server" in line for line in below()):
        thread.join(0.05)
    while thread.is_alive():
        # Again and again: a run that had not reached its server yet gets a new one.
        end_servers()
        thread.join(1)
    assert [type(error).__name__ for error in found] == ["CancelledError"]
    assert not any("campaign.server" in line for line in below())
