"""Running: only what is missing, through any executor, killed at any moment, by several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from cpmines.campaign import gates
from cpmines.campaign.executors import local
from cpmines.campaign.frame import frame
from cpmines.campaign.plan import Plan, plan
from cpmines.campaign.record import Category
from cpmines.campaign.run import Progress, run
from cpmines.campaign.runner import perform
from cpmines.campaign.spec import parse
from cpmines.campaign.store import Store
from cpmines.errors import UsageError
from cpmines.process import tree
from tests.campaign.planted import BAD
from tests.patience import PATIENCE, exists, within

SPEC = """
repeats = {repeats}
[limits]
cpu_time = 5
memory = 512
[[group]]
problem = "maxmines"
instances = ["one.txt"]
backends = {backends}
"""


@pytest.fixture
def folder(tmp_path: Path, planted: Path) -> Path:
    (tmp_path / "one.txt").write_text(f"{BAD}\n")
    return tmp_path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "runs.db", create=True) as opened:
        yield opened


def planned(folder: Path, *backends: str, repeats: int = 1) -> Plan:
    return plan(parse(SPEC.format(backends=list(backends), repeats=repeats), "test", folder=folder))


class Now(Executor):
    """Does what it is given at once, or says that its worker is lost."""

    def __init__(self, losses: int = 0) -> None:
        self.losses, self.calls = losses, 0

    def submit(self, work: Callable[..., Any], /, *args: Any, **settings: Any) -> Future[Any]:
        self.calls += 1
        future: Future[Any] = Future()
        if self.calls <= self.losses:
            future.set_exception(RuntimeError("the worker is lost"))
        else:
            future.set_result(work(*args, **settings))
        return future


def test_only_what_is_missing_is_run(folder: Path, store: Store) -> None:
    executor = Now()
    first = run(planned(folder, "good", "wrong"), store, executor)
    assert (first.total, first.done, first.fresh, executor.calls) == (2, 2, 2, 2)
    again = run(planned(folder, "good", "wrong"), store, executor)
    assert (again.total, again.done, again.fresh, executor.calls) == (2, 2, 0, 2)
    more = run(planned(folder, "good", "fail", repeats=2), store, executor)
    assert (more.total, more.done, more.fresh, executor.calls) == (4, 4, 3, 5)
    assert store.missing() == []
    assert store.claims() == {}
    assert len(store.environments()) == 1


def test_a_planted_wrong_backend_is_a_conflict(folder: Path, store: Store) -> None:
    done = run(planned(folder, "good", "direct", "wrong", "rejected", "exit"), store, Now())
    assert done.counts == Counter({Category.RIGHT: 3, Category.WRONG: 1, Category.ERROR: 1})
    assert len(done.conflicts) == 1
    made = frame(store)
    verdicts = dict(zip(made["backend"], made["category"], strict=True))
    assert verdicts == {
        "good": "unknown",
        "direct": "unknown",
        "wrong": "unknown",
        "rejected": "wrong",
        "exit": "error",
    }
    findings = gates.check(made, store)
    assert [finding.kind for finding in findings] == ["conflict", "conflict", "error"]
    assert "the judge rejects" in findings[0].message
    assert "mines differs" in findings[1].message
    assert set(findings[1].backends) == {"good", "direct", "wrong"}
    assert "--backend wrong" in findings[1].command


def test_the_expected_answer_decides(folder: Path, store: Store) -> None:
    expected = '{"instance": "one.txt", "status": "solved", "value": {"mines": 65}}\n'
    (folder / "expected.jsonl").write_text(expected)
    done = run(planned(folder, "good", "wrong"), store, Now())
    assert done.counts == Counter({Category.RIGHT: 1, Category.WRONG: 1})
    made = frame(store)
    assert dict(zip(made["backend"], made["category"], strict=True)) == {"good": "right", "wrong": "wrong"}
    (finding,) = gates.check(made, store)
    assert "differs from the expected answer" in finding.message


def test_a_lost_worker_is_asked_again(folder: Path, store: Store) -> None:
    done = run(planned(folder, "good"), store, Now(losses=2))
    assert (done.done, done.lost) == (1, [])
    lost = run(planned(folder, "exit"), store, Now(losses=3))
    assert lost.done == 0
    assert lost.lost == [f"exit on {folder}/one.txt: the worker is lost"]
    assert store.claims() == {}
    (finding,) = gates.check(frame(store), store)
    assert finding.message == "1 planned run of exit on maxmines (most) missing"


def test_other_versions_are_not_measured(folder: Path) -> None:
    from dataclasses import replace

    whole = planned(folder, "good")
    (instance,) = whole.instances.values()
    with pytest.raises(UsageError, match="good is planned with cpmines 0, installed is cpmines"):
        perform(replace(whole.tasks[0], version="cpmines 0"), instance)


def test_interrupted_and_continued(folder: Path, store: Store) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.fresh == 2:
            raise KeyboardInterrupt

    whole, others = planned(folder, "slow", repeats=6), tree.descendants(os.getpid())
    with pytest.raises(KeyboardInterrupt), local(2) as (executor, width):
        run(whole, store, executor, width=width, watch=interrupt)
    assert 2 <= len(store) < 6
    assert store.claims() == {}
    assert set(tree.descendants(os.getpid())) - set(others) == set()
    before = store.keys()
    with local(2) as (executor, width):
        done = run(whole, store, executor, width=width)
    assert done.fresh == 6 - len(before)
    assert store.keys() == {task.key for task in whole.tasks}


PROGRAM = """
import sys
from pathlib import Path
from cpmines.campaign.executors import local
from cpmines.campaign.plan import plan
from cpmines.campaign.run import run
from cpmines.campaign.spec import load
from cpmines.campaign.store import Store
with Store.open(sys.argv[2], create=True) as store, local(2) as (executor, width):
    print(run(plan(load(Path(sys.argv[1]))), store, executor, width=width).fresh)
"""


def start(folder: Path, spec: str) -> subprocess.Popen[str]:
    (folder / "test.toml").write_text(spec)
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder / "test.toml"), str(folder / "runs.db")],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def test_killed_in_the_middle(folder: Path, store: Store) -> None:
    """What had ended is there, what was running is not, and its processes end by themselves."""
    process = start(folder, SPEC.format(backends=["slow", "leaving"], repeats=6))
    with process:
        while len(store) < 4:
            assert process.poll() is None
            time.sleep(0.05)
        below = tree.descendants(process.pid)
        process.send_signal(signal.SIGKILL)
    kept = {record.key: record for record in store.records()}
    assert 4 <= len(kept) < 12
    assert below
    again = start(folder, SPEC.format(backends=["slow", "leaving"], repeats=6))
    out, _ = again.communicate(timeout=PATIENCE)
    assert int(out) == 12 - len(kept)
    records = {record.key: record for record in store.records()}
    assert len(records) == len(store) == 12
    assert kept.items() <= records.items()
    assert store.claims() == {}


def test_what_runs_ends_with_the_process_that_waits_for_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = folder / "begun"
    monkeypatch.setenv("PLANTED_COUNT", str(begun))
    with start(folder, SPEC.format(backends=["sleep"], repeats=1)) as process:
        while not begun.exists():
            assert process.poll() is None
            time.sleep(0.05)
        # The process that watches, and the run.
        below = tree.descendants(process.pid)
        process.send_signal(signal.SIGKILL)
    assert len(below) == 2
    assert within(PATIENCE, lambda: not any(map(exists, below)))


def test_two_processes_at_once(folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run is made once, by one of them."""
    monkeypatch.setenv("PLANTED_COUNT", str(folder / "count"))
    with ExitStack() as stack:
        processes = [
            stack.enter_context(start(folder, SPEC.format(backends=["slow", "good"], repeats=8)))
            for _ in range(2)
        ]
        shares = [int(process.communicate(timeout=PATIENCE)[0]) for process in processes]
    assert sum(shares) == len(store) == len(store.keys()) == 16
    assert min(shares) > 0
    assert len((folder / "count").read_bytes()) == 8
    assert store.missing() == []
