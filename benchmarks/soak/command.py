"""``python -m benchmarks soak``: the command line and its table."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import click
from rich.console import Group

from benchmarks.soak import Turn
from benchmarks.soak.turns import Record, TurnReport, soaked
from cpmines import registry
from cpmines.process.spread import cores
from cpmines.report.tables import console, table, titled

__all__ = ["command"]

LIMIT = 0.5
TELLING = 10.0
"""Seconds between two lines of progress."""
ORDER = ("tiny", "small", "medium")


@click.command(name="soak")
@click.option("--seconds", type=click.FloatRange(0), default=60.0, show_default=True, help="Wall time.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Decides on every round.")
@click.option("--start", type=click.IntRange(0), help="First turn.  [default: where the log says, or 0]")
@click.option("--turns", type=click.IntRange(1), help="End after so many.")
@click.option(
    "--problem",
    "problems",
    multiple=True,
    type=click.Choice(registry.problem_names()),
    help="All if none is named. Repeatable.",
)
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), default=LIMIT, show_default=True)
@click.option("--workers", type=click.IntRange(1), default=cores(), show_default="cores", help="Processes.")
@click.option(
    "--log", type=click.Path(path_type=Path), help="File for one JSON line a problem, after those of before."
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default="found", show_default=True, help="Of finds."
)
def command(
    seconds: float,
    seed: int,
    start: int | None,
    turns: int | None,
    problems: tuple[str, ...],
    time_limit: float,
    workers: int,
    log: Path | None,
    output: Path,
) -> None:
    """Do rounds of fuzz on every problem, question and size, by every exact backend that is here.

    What is found is made small, saved and printed, with the commands that show it again. With a log, a soak
    goes on where the last one with the same seed has ended, and the table tells of all of them. Exit code 1
    if anything was found.

    \b
    Example:
      python -m benchmarks soak --seconds 600 --log soak.jsonl
      python -m benchmarks soak --seconds 0 --log soak.jsonl
    """
    before = lines_of(log)
    if start is None:
        start = max((line["next"] for line in before if line["seed"] == seed), default=0)
    names = problems or tuple(registry.problem_names())
    records = {name: Record(name) for name in names}
    begun, reached = time.time(), start
    numbers = count(start) if turns is None else range(start, start + turns)
    waiting = (Turn(seed, number, names, time_limit) for number in numbers)
    try:
        for report in soaked(waiting, workers, output, begun + seconds):
            records[report.problem].add(report)
            reached = report.number + 1 if report.rounds else reached
            told(report, records.values(), begun)
    finally:
        spent = time.time() - begun
        done = [
            {
                **record.to_json(),
                "seed": seed,
                "start": start,
                "next": reached,
                "seconds": round(spent, 1),
                "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            }
            for record in records.values()
            if record.rounds
        ]
        if log is not None:
            with log.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(line) + "\n" for line in done)
        console().print(soak_table(list(joined([*before, *done]))))
        click.echo(f"go on with: --seed {seed} --start {reached}")
    sys.exit(1 if any(record.finds for record in records.values()) else 0)


def lines_of(log: Path | None) -> list[dict]:
    """The lines of a log that is there already."""
    if log is None or not log.exists():
        return []
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


last_told = 0.0


def told(report: TurnReport, records: Iterable[Record], begun: float) -> None:
    """Each find at once; now and then how far it is."""
    global last_told
    for find in report.finds:
        click.echo(find)
    if time.time() > last_told + TELLING:
        last_told = time.time()
        rounds, finds = (sum(getattr(record, name) for record in records) for name in ("rounds", "finds"))
        spent = max(time.time() - begun, 1e-9)
        told = f"turn {report.number}: {rounds} rounds, {rounds / spent:.0f} a second, {finds} found"
        click.echo(told, err=True)


def joined(lines: Sequence[dict]) -> Iterable[Record]:
    """The lines of a log by problem, in the order of the problems."""
    for name in registry.problem_names():
        record = Record(name)
        for line in lines:
            if line["problem"] == name:
                record.extend(line)
        if record.rounds:
            yield record


def soak_table(records: Sequence[Record]) -> Group:
    """One line a problem, then the sum, then the versions."""
    made = table(
        "problem", "rounds", "pairs", "finds", "cells (rounds)", numbers=("rounds", "pairs", "finds")
    )
    for record in records:
        sizes = ", ".join(
            f"{least}-{most} ({rounds:,})"
            for rounds, least, most in (record.sizes[name] for name in ORDER if name in record.sizes)
        )
        made.add_row(record.problem, f"{record.rounds:,}", f"{record.pairs:,}", str(record.finds), sizes)
    sums = [sum(getattr(record, name) for record in records) for name in ("rounds", "pairs", "finds")]
    made.add_row("all", *(f"{number:,}" for number in sums), "")
    versions = dict(sorted({name: v for record in records for name, v in record.versions.items()}.items()))
    told = ", ".join(f"{name} {version}" for name, version in versions.items())
    return Group(titled("soak: rounds of fuzz, pairs of answers compared", made), "", told)
