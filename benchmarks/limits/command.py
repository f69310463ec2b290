"""``python -m benchmarks limits``: which runs and commands end too late, or take too much memory?"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby

import click
from rich.console import Group

from benchmarks.limits.cases import Work, works
from benchmarks.limits.measured import Limited, Measured, Row
from benchmarks.options import scale_option
from cpmines.report.tables import console, table, titled
from cpmines.report.text import seconds_text

__all__ = ["command"]

TIMES, SIZES = (0.1, 1.0, 10.0), (50, 200, 1000)
ENOUGH_SECONDS, ENOUGH_BYTES = 10.0, 4 << 30
"""The limit that is not tried."""
SAID = 60
"""Characters of an answer that are shown."""


@click.command(name="limits")
@click.option("--seconds", "times", type=float, multiple=True, help="Time limit to try; repeatable.")
@click.option("--memory", "sizes", type=int, multiple=True, help="Memory limit to try, in MB; repeatable.")
@click.option("--only", multiple=True, help="Works whose names hold this; repeatable, all must hold.")
@scale_option("the works")
@click.option("--worst", type=click.IntRange(1), default=20, show_default=True, help="Lines to print.")
def command(
    times: tuple[float, ...], sizes: tuple[int, ...], only: tuple[str, ...], scale: float, worst: int
) -> None:
    """Run commands, backends and questions under limits; print the worst, and all that exceed a limit.

    By default under 0.1, 1 and 10 s and 50, 200 and 1000 MB, which takes hours. Time is wall time of a run,
    or of a whole command, in a process in which all is loaded. Memory is what that process and those that it
    starts have of their own at the most, looked at every 10 ms, beyond what they had before; on Linux. Exit
    code 1 if a limit is exceeded by more than a tenth and 0.2 s, or a tenth and 50 MB.

    \b
    Example:
      python -m benchmarks limits --seconds 0.1 --only counting
      python -m benchmarks limits --memory 50 --scale 0.1
    """
    if not times and not sizes:
        times, sizes = TIMES, SIZES
    limits = [Limited(seconds, ENOUGH_BYTES, True) for seconds in times]
    limits += [Limited(ENOUGH_SECONDS, size << 20, False) for size in sizes]
    chosen = [work for work in works() if all(word in work.name for word in only)]
    if not chosen:
        raise click.UsageError(f"no work has {' and '.join(only)} in its name")
    rows: list[Row] = []
    try:
        rows.extend(measured(chosen[:: round(1 / scale)], limits))
    finally:
        console().print(row_table(rows, worst))
    sys.exit(1 if any(row.beyond > 1 for row in rows) else 0)


def measured(chosen: Sequence[Work], limits: Sequence[Limited]) -> Iterator[Row]:
    """One row for each work and limit, said as they come."""
    done = 0
    with tempfile.TemporaryDirectory() as folder:
        for _, group in groupby(chosen, key=lambda work: work.place):
            process = Measured(folder)
            try:
                for work in group:
                    done += 1
                    for limited in limits:
                        if limited.concerns(work):
                            row = process.row(work, limited)
                            mark = "EXCEEDS " if row.beyond > 1 else ""
                            click.echo(f"{done}/{len(chosen)} {mark}{'  '.join(cells(row))}", err=True)
                            yield row
            finally:
                process.end()


def cells(row: Row) -> tuple[str, ...]:
    taken, beyond = f"{row.taken >> 20} MB", f"{row.beyond:.2f}"
    return row.work.name, str(row.limits), seconds_text(row.spent), taken, beyond, row.answer[:SAID]


def row_table(rows: Sequence[Row], worst: int) -> Group:
    """The worst rows, and all that exceed their limits."""
    ordered = sorted(rows, key=lambda row: -row.beyond)
    exceeding = sum(row.beyond > 1 for row in rows)
    numbers = ("limit", "time", "memory", "of what is allowed")
    made = table("work", *numbers, "answer", numbers=numbers)
    for row in ordered[: max(worst, exceeding)]:
        made.add_row(*cells(row))
    return titled(f"limits: {len(rows)} runs, {exceeding} exceed a limit", made)
