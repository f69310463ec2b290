"""Turns by several processes, and what came of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from benchmarks.soak import Turn, plan_of
from cpmines import registry
from cpmines.fuzz.save import again_command, save
from cpmines.fuzz.session import Session, profiles
from cpmines.process.spread import by_processes
from cpmines.report.finds import find_text
from cpmines.run import warm_up

__all__ = ["Record", "TurnReport", "soaked"]

LOOKED_AT = 10
"""Of the instances, the size of every so manieth is noted: they are drawn again for it."""


@dataclass(frozen=True)
class TurnReport:
    """What came of a turn; ``cells`` are the least and the largest size of its instances."""

    number: int
    problem: str
    size: str
    rounds: int
    pairs: int
    cells: tuple[int, int]
    finds: tuple[str, ...]
    versions: dict[str, str]


def soaked(turns: Iterable[Turn], workers: int, folder: Path, until: float) -> Iterator[TurnReport]:
    """Do turns until a time as by `time.time`, in their order."""
    waiting = takewhile(lambda turn: time.time() < until, turns)
    yield from by_processes(partial(one_turn, folder=folder, until=until), waiting, workers)


def one_turn(turn: Turn, folder: Path, until: float) -> TurnReport:
    """Do a turn, as far as the time is there for it; finds are shrunk, saved and told."""
    plan = plan_of(turn)
    left = min(plan.seconds, until - time.time())
    plan = replace(plan, seconds=left, rounds=plan.rounds if left > 0 else 0)
    for name in plan.backends if left > 0 else ():
        warm_up(plan.problem, name, plan.asked)
    session = Session(plan)
    found = []
    for find in session.finds():
        path = save(find, folder / plan.problem, plan)
        found.append(find_text(find, str(path), again_command(find, path)))
    sizes = [0]
    if session.rounds:
        draw, size = profiles(plan.problem)[plan.size], registry.problem(plan.problem).size
        sizes = [size(draw(plan.draws(plan.start + k))) for k in range(0, session.rounds, LOOKED_AT)]
    versions: dict[str, str] = {}
    for name in plan.backends:
        versions |= registry.versions(plan.problem, name)
    return TurnReport(
        turn.number,
        plan.problem,
        plan.size,
        session.rounds,
        session.pairs,
        (min(sizes), max(sizes)),
        tuple(found),
        versions,
    )


@dataclass
class Record:
    """The line of a log: a problem in a soak."""

    problem: str
    rounds: int = 0
    pairs: int = 0
    finds: int = 0
    sizes: dict[str, list[int]] = field(default_factory=dict)
    """By the name of a size: rounds, least and largest number of cells."""
    versions: dict[str, str] = field(default_factory=dict)

    def add(self, report: TurnReport) -> None:
        if not report.rounds:
            return
        self.rounds += report.rounds
        self.pairs += report.pairs
        self.finds += len(report.finds)
        self.join(report.size, [report.rounds, *report.cells])
        self.versions |= report.versions

    def join(self, size: str, seen: list[int]) -> None:
        rounds, least, most = self.sizes.get(size, [0, seen[1], seen[2]])
        self.sizes[size] = [rounds + seen[0], min(least, seen[1]), max(most, seen[2])]

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))

    def extend(self, line: dict[str, Any]) -> None:
        """Add the line of another soak."""
        self.rounds += line["rounds"]
        self.pairs += line["pairs"]
        self.finds += line["finds"]
        for size, seen in line["sizes"].items():
            self.join(size, seen)
        self.versions |= line["versions"]
