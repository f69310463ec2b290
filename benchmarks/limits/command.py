"""``python -m benchmarks limits``: which runs and commands end too late, or take too much memory?"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import IO, Any

import click
from rich.console import Group

from benchmarks.limits.cases import MEMORY, TIME, Work, works
from benchmarks.limits.memory import own_memory
from cpmines.report.tables import console, table, titled
from cpmines.report.text import seconds_text

__all__ = ["command"]

MORE, MORE_SECONDS, MORE_BYTES = 1.1, 0.2, 50 << 20
"""What may be exceeded: a tenth, and so much."""
PATIENCE = 20.0
"""Seconds after a limit from which on a work is ended."""
EVERY = 0.01
"""Seconds between looks at the memory."""
ENOUGH = 10.0
"""Time limit in seconds where it is the memory that is limited."""


@dataclass(frozen=True)
class Row:
    """How a work kept a limit, of seconds or of bytes."""

    work: Work
    seconds: float | None
    memory: int | None
    spent: float
    taken: int
    answer: str

    @property
    def beyond(self) -> float:
        """How much of what is allowed it took: more than 1 exceeds the limit."""
        if self.memory is not None:
            return self.taken / (self.memory * MORE + MORE_BYTES)
        assert self.seconds is not None
        return self.spent / (self.seconds * MORE + MORE_SECONDS)


class Measured:
    """A process that does works and is looked at."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None

    def started(self) -> subprocess.Popen[str]:
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.limits.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        return self.process

    def end(self) -> None:
        """End it; what it has started ends with it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def row(self, work: Work, seconds: float | None, memory: int | None) -> Row:
        """Do a work under one of the limits."""
        process = self.started()
        assert process.stdin is not None and process.stdout is not None
        patience = seconds or ENOUGH
        more = [TIME, str(patience), MEMORY, str((memory or 4 << 30) >> 20)]
        words = [word for pair in zip(more[::2], more[1::2]) if pair[0] in work.limits for word in pair]
        if "--seconds" in work.limits:
            words = [str(patience)]
        request = {**work.request(), "seconds": patience, "memory": memory, "more": words}
        try:
            process.stdin.write(json.dumps({**request, "folder": self.folder}) + "\n")
            process.stdin.flush()
            process.stdout.readline()
            before = most = own_memory(process.pid)
            process.stdin.write("\n")
            process.stdin.flush()
        except BrokenPipeError:
            self.end()
            return Row(work, seconds, memory, 0.0, 0, "it ended by itself")
        start = time.perf_counter()
        latest = start + patience * MORE + PATIENCE
        while not select.select([process.stdout], [], [], EVERY)[0]:
            most = max(most, own_memory(process.pid))
            if time.perf_counter() > latest:
                self.end()
                return Row(work, seconds, memory, time.perf_counter() - start, most - before, "no end")
        line = process.stdout.readline()
        spent = time.perf_counter() - start
        if not line:
            code = process.wait()
            return Row(work, seconds, memory, spent, most - before, f"ended with {code}")
        done = json.loads(line)
        return Row(work, seconds, memory, done["seconds"], most - before, done["answer"])


@click.command(name="limits")
@click.option("--seconds", "times", type=float, multiple=True, help="Time limits.  [default: 0.1, 1, 10]")
@click.option("--memory", "sizes", type=int, multiple=True, help="In MB.  [default: 50, 200, 1000]")
@click.option("--only", multiple=True, help="Works whose names hold this; repeatable, all must hold.")
@click.option("--scale", type=click.FloatRange(0, 1, min_open=True), default=1.0, help="Part of the works.")
@click.option("--worst", type=click.IntRange(1), default=20, show_default=True, help="Lines to print.")
def command(
    times: tuple[float, ...], sizes: tuple[int, ...], only: tuple[str, ...], scale: float, worst: int
) -> None:
    """Run commands, backends and questions under limits; print the worst, and all that exceed a limit.

    Time is wall time inside of a process in which all is loaded, of the whole run or command. Memory is what
    that process and those that it starts have of their own, beyond what they had before. Exit code 1 if a
    limit was exceeded by more than a tenth and 0.2 s, or a tenth and 50 MB.

    \b
    Example:
      python -m benchmarks limits --seconds 0.1 --only counting
      python -m benchmarks limits --memory 50 --scale 0.1
    """
    if not times and not sizes:
        times, sizes = (0.1, 1.0, 10.0), (50, 200, 1000)
    chosen = [work for work in works() if all(word in work.name for word in only)]
    chosen = chosen[:: round(1 / scale)]
    rows: list[Row] = []
    try:
        for row in measured(chosen, times, sizes):
            rows.append(row)
    finally:
        console().print(row_table(rows, worst))
    sys.exit(1 if any(row.beyond > 1 for row in rows) else 0)


def measured(chosen: Sequence[Work], times: Sequence[float], sizes: Sequence[int]) -> Iterator[Row]:
    """One row for each work and limit, said as they come."""
    limits: list[tuple[float | None, int | None]] = [(seconds, None) for seconds in times]
    limits += [(None, size << 20) for size in sizes]
    done = 0
    with tempfile.TemporaryDirectory() as folder:
        for place, group in groupby(chosen, key=lambda work: work.place):
            process = Measured(folder)
            try:
                for work in group:
                    done += 1
                    for seconds, memory in limits:
                        if memory is not None and MEMORY not in work.limits:
                            continue
                        if seconds is not None and {TIME, "--seconds"}.isdisjoint(work.limits):
                            continue
                        row = process.row(work, seconds, memory)
                        mark = "EXCEEDS " if row.beyond > 1 else ""
                        click.echo(f"{done}/{len(chosen)} {mark}{' '.join(cells(row))}", err=True)
                        yield row
            finally:
                process.end()


def cells(row: Row) -> tuple[str, ...]:
    limit = f"{row.memory >> 20} MB" if row.memory is not None else f"{row.seconds:g} s"
    taken = f"{row.taken >> 20} MB"
    return row.work.name, limit, seconds_text(row.spent), taken, f"{row.beyond:.2f}", row.answer[:60]


def row_table(rows: Sequence[Row], worst: int) -> Group:
    """The worst rows, and all that exceed their limits."""
    ordered = sorted(rows, key=lambda row: -row.beyond)
    exceeding = sum(row.beyond > 1 for row in rows)
    made = table(
        *("work", "limit", "time", "memory", "of what is allowed", "answer"),
        numbers=("limit", "time", "memory", "of what is allowed"),
    )
    for row in ordered[: max(worst, exceeding)]:
        made.add_row(*cells(row))
    return titled(f"limits: {len(rows)} runs, {exceeding} exceed their limit", made)
