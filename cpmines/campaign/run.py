"""Run what a campaign lacks: through any executor, stored one by one, together with other processes."""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from pathlib import Path

from cpmines import registry
from cpmines.campaign.plan import Plan, plan
from cpmines.campaign.record import Category, Record
from cpmines.campaign.runner import Done, perform
from cpmines.campaign.spec import Spec
from cpmines.campaign.store import Store
from cpmines.campaign.task import Task, asked_of
from cpmines.campaign.verdict import claims_of
from cpmines.compare import claim_conflicts
from cpmines.errors import UsageError
from cpmines.process.spread import cores

__all__ = ["Progress", "is_alive", "run"]

ATTEMPTS = 3
"""Times that a run is asked for whose worker is lost; a run that fails by itself is a result."""

PAUSE = 0.5
"""Seconds between two looks at what happens elsewhere."""


@dataclass
class Progress:
    """How far a campaign is.

    Attributes
    ----------
    total, done
        Planned runs, and those that have a record.
    fresh
        Those of them that were made by this call.
    running
        Runs that are being made now.
    counts
        Verdicts of the fresh records.
    conflicts
        Instances of fresh records with a wrong value or claims that do not fit together.
    lost
        What the executor said of runs that it could not make.
    """

    total: int
    done: int
    fresh: int = 0
    running: int = 0
    begun: float = field(default_factory=time.monotonic)
    counts: Counter[Category] = field(default_factory=Counter)
    conflicts: set[str] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)
    _records: dict[tuple[str, str], list[Record]] = field(default_factory=dict)

    def note(self, record: Record) -> None:
        """Take a new record into account."""
        self.done += 1
        self.fresh += 1
        self.counts[record.category] += 1
        same = self._records.setdefault((record.instance_key, record.question), [])
        same.append(record)
        wrong = record.category is Category.WRONG
        question = registry.problem(record.problem)
        if wrong or claim_conflicts(question, asked_of(record), claims_of(same)):
            self.conflicts.add(record.instance_key)

    @property
    def rate(self) -> float:
        """Fresh records a second."""
        return self.fresh / max(1e-9, time.monotonic() - self.begun)

    @property
    def left(self) -> float | None:
        """Seconds to the end at this rate, None before the first record."""
        return (self.total - self.done) / self.rate if self.fresh else None


def run(
    spec: Spec | Plan,
    store: Store,
    executor: Executor,
    *,
    width: Callable[[], int] | None = None,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Make the runs of `spec` that `store` lacks, and store each as it ends.

    Records are written by this process only; what the executor's workers do is `perform`. If other processes
    run the same campaign on the same store, each run is made by one of them, and all wait for the last.

    Parameters
    ----------
    width
        How many runs to have under way, asked again and again; default: the cores of this process.
    watch
        Called often, in this thread, with the state of things.

    Raises
    ------
    KeyboardInterrupt
        As it comes; what has ended by then is stored.
    """
    planned = plan(spec) if isinstance(spec, Spec) else spec
    store.add_instances(planned.instances.values())
    store.plan(planned.campaign, planned.tasks)
    known = store.keys()
    missing = [task for task in planned.tasks if task.key not in known]
    progress = Progress(len(planned.tasks), len(planned.tasks) - len(missing))
    coordinator = Coordinator(planned, store, executor, progress)
    try:
        coordinator.work(deque(missing), width or cores, watch)
    finally:
        for future in coordinator.running:
            future.cancel()
        store.release(coordinator.owner)
    return progress


class Coordinator:
    """Gives tasks to an executor and takes records from it."""

    def __init__(self, planned: Plan, store: Store, executor: Executor, progress: Progress) -> None:
        self.planned, self.store, self.executor, self.progress = planned, store, executor, progress
        self.owner = _owner(os.getpid())
        self.running: dict[Future[Done], Task] = {}
        self.attempts: Counter[str] = Counter()

    def work(self, waiting: deque[Task], width: Callable[[], int], watch: Callable[[Progress], None]) -> None:
        elsewhere: deque[Task] = deque()
        while waiting or elsewhere or self.running:
            while waiting and len(self.running) < max(1, width()):
                self._submit(waiting.popleft(), elsewhere)
            self.progress.running = len(self.running)
            watch(self.progress)
            if self.running:
                ended, _ = wait(self.running, PAUSE, FIRST_COMPLETED)
                for future in ended:
                    self._take(future, waiting)
            elif elsewhere:
                time.sleep(PAUSE)
            if not waiting:
                waiting, elsewhere = elsewhere, deque()
        self.progress.running = 0
        watch(self.progress)

    def _submit(self, task: Task, elsewhere: deque[Task]) -> None:
        """Start a run, unless it has been made or is being made by another process."""
        if self.store.has(task.key):
            self.progress.done += 1
            return
        holder = self.store.claim(task.key, self.owner)
        if holder != self.owner and not is_alive(holder):
            self.store.release(holder)
            holder = self.store.claim(task.key, self.owner)
        if holder != self.owner:
            elsewhere.append(task)
            return
        if self.store.has(task.key):
            self.progress.done += 1
            return
        future = self.executor.submit(perform, task, self.planned.instances[task.instance_key])
        self.running[future] = task

    def _take(self, future: Future[Done], waiting: deque[Task]) -> None:
        """Store what a run has come to; have it made again if its worker is lost."""
        task = self.running.pop(future)
        try:
            done = future.result()
        except UsageError:
            raise
        except Exception as error:
            self.attempts[task.key] += 1
            if self.attempts[task.key] < ATTEMPTS:
                waiting.appendleft(task)
            else:
                self.progress.lost.append(
                    f"{task.backend} on {task.instance}: {error or type(error).__name__}"
                )
            return
        self.store.add_environment(done.environment)
        if self.store.add(done.record):
            self.progress.note(done.record)
        else:
            self.progress.done += 1


def _owner(pid: int) -> str:
    """A process, told apart from others that have had or will have its number."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        start = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""
    return f"{boot} {pid} {start}"


def is_alive(owner: str) -> bool:
    """Is this process there? One of another machine, or from before a restart, is taken to be gone."""
    parts = owner.split()
    return len(parts) == 3 and parts[1].isdecimal() and _owner(int(parts[1])) == owner
