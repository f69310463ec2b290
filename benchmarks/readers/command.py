"""``python -m benchmarks readers``: every reader on damaged inputs, and the worst of them."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Group

from benchmarks.options import scale_option
from benchmarks.readers.listed import readers
from benchmarks.readers.trial import Tried, try_reader
from cpmines.report.tables import console, table, titled
from cpmines.report.text import seconds_text

__all__ = ["command"]

INPUTS = 10_000
SHOWN = 60


@click.command(name="readers")
@click.argument("names", nargs=-1, metavar="[READER]...")
@scale_option(f"{INPUTS} inputs of each reader")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Other inputs.")
def command(names: tuple[str, ...], scale: float, seed: int) -> None:
    """Damage valid inputs of every reader, or of those whose name contains one of READER.

    Each is taken or refused with an error that says where and why, in bounded time and memory. Exit code 1
    if one is not.

    \b
    Example:
      python -m benchmarks readers --scale 0.01
      python -m benchmarks readers certificate .npy
    """
    done: list[Tried] = []
    with tempfile.TemporaryDirectory() as folder:
        for reader in readers(Path(folder)):
            if not names or any(name in reader.name for name in names):
                click.echo(reader.name, err=True)
                done.append(try_reader(reader, max(1, round(INPUTS * scale)), seed))
    if not done:
        raise click.UsageError(f"no reader is named like {' or '.join(names)}")
    console().print(reader_table(done))
    for tried in done:
        for fault in tried.faults:
            click.echo(f"{fault.reader}: {fault.what:.200}: {fault.data[:SHOWN]!r}, {len(fault.data)} bytes")
    sys.exit(1 if any(tried.faults for tried in done) else 0)


def reader_table(done: Sequence[Tried]) -> Group:
    """A line for each reader, those with faults and the slowest first."""
    numbers = ("inputs", "taken", "refused", "faults", "slowest", "memory")
    made = table("reader", *numbers, "slowest input", numbers=numbers)
    for tried in sorted(done, key=lambda one: (-len(one.faults), -one.slowest)):
        counts = map(str, (tried.inputs, tried.taken, tried.refused, len(tried.faults)))
        worst = f"{len(tried.worst)} bytes, {tried.worst[:12]!r}..."
        made.add_row(tried.name, *counts, seconds_text(tried.slowest), f"{tried.memory >> 20} MB", worst)
    return titled("readers: damaged inputs taken, refused, and neither; the slowest, the most memory", made)
