"""A real Dask scheduler with two workers on this machine, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from cpmines.campaign.executors import dask, local
from cpmines.campaign.plan import plan
from cpmines.campaign.record import Category
from cpmines.campaign.run import Progress, run
from cpmines.campaign.spec import parse
from cpmines.campaign.store import Store
from cpmines.errors import EngineError, UsageError
from cpmines.process import tree
from tests.campaign.planted import BAD
from tests.campaign.test_run import SPEC
from tests.patience import PATIENCE, exists, within

pytest.importorskip("distributed")


def start(stack: ExitStack, *words: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process


@pytest.fixture
def cluster(tmp_path: Path, planted: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Address of a scheduler; two workers of one thread each, and the scheduler."""
    file = tmp_path / "scheduler.json"
    with ExitStack() as stack:
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        scheduler = start(stack, "scheduler", *words)
        while not file.exists() or not file.read_text().endswith("}"):
            assert scheduler.poll() is None
            time.sleep(0.05)
        settings = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(tmp_path))
        address = json.loads(file.read_text())["address"]
        yield address, [*(start(stack, "worker", address, *settings) for _ in range(2)), scheduler]


def test_a_worker_that_is_killed(tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]) -> None:
    """Nothing is lost, nothing is recorded twice."""
    address, workers = cluster
    (tmp_path / "one.txt").write_text(f"{BAD}\n")
    whole = plan(parse(SPEC.format(backends=["slow", "good"], repeats=7), "test", folder=tmp_path))
    below: list[int] = []

    def kill_one(progress: Progress) -> None:
        if progress.fresh >= 4 and not below:
            below.extend(tree.descendants(workers[0].pid))
            workers[0].send_signal(signal.SIGKILL)

    with Store.open(tmp_path / "runs.db", create=True) as store:
        with dask(address) as (executor, width):
            done = run(whole, store, executor, width=width, watch=kill_one)
        assert (done.done, done.fresh, done.lost) == (14, 14, [])
        assert done.counts == {Category.RIGHT: 14}
        assert len(store) == len(store.keys()) == 14
        assert store.missing() == []
    assert below, "the worker that was killed had begun"
    assert within(PATIENCE, lambda: not any(map(exists, below)))


def test_a_scheduler_that_is_killed(
    tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    """What was made is kept; it is said what happened, and the campaign can go on elsewhere."""
    address, (*_, scheduler) = cluster
    (tmp_path / "one.txt").write_text(f"{BAD}\n")
    whole = plan(parse(SPEC.format(backends=["slow", "good"], repeats=4), "test", folder=tmp_path))

    def kill(progress: Progress) -> None:
        if progress.fresh >= 2:
            scheduler.kill()

    with Store.open(tmp_path / "runs.db", create=True) as store:
        lost = pytest.raises(EngineError, match="is lost: what was made is stored, and the same command")
        with lost, dask(address) as (executor, width):
            run(whole, store, executor, width=width, watch=kill)
        made = len(store)
        assert 2 <= made < 8
        with local(2) as (executor, width):
            done = run(whole, store, executor, width=width)
        assert (done.done, done.fresh, len(store)) == (8, 8 - made, 8)


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpmines.campaign.executors.CONNECTING", "1s")
    with pytest.raises(UsageError, match="no Dask scheduler at"), dask("tcp://127.0.0.1:9"):
        pass


@pytest.mark.parametrize("address", ["", "nonsense", "tcp://", "http://x:1", "tcp://x"])
def test_no_address(address: str) -> None:
    with pytest.raises(UsageError, match="expected one such as tcp://"), dask(address):
        pass
