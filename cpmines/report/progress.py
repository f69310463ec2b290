"""How far a campaign is: a live table for a terminal, lines elsewhere, an overview at the end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from cpmines.campaign.gates import Finding, FindingKind
from cpmines.campaign.record import Category
from cpmines.campaign.run import Progress
from cpmines.campaign.statistics.costs import GROUP, run_costs
from cpmines.campaign.store import Store
from cpmines.numerals import plural
from cpmines.quoting import printable
from cpmines.report.tables import table, titled
from cpmines.report.text import seconds_text

if TYPE_CHECKING:
    import pandas

__all__ = ["finding_block", "followed", "overview_table"]

EVERY = 60.0
"""Seconds between two lines where there is no terminal."""

REFRESHES = 4
"""Times a second that the live table is drawn."""

MOST_FINDINGS = 10
"""Findings of a kind that are listed; of the others only the number."""


@contextmanager
def followed() -> Iterator[Callable[[Progress], None]]:
    """A function that shows on standard error how far things are, when it is called often."""
    notes = Console(stderr=True)
    if not notes.is_terminal:
        last = time.monotonic()

        def say(progress: Progress) -> None:
            nonlocal last
            if time.monotonic() - last >= EVERY:
                last = time.monotonic()
                notes.print(progress_line(progress), highlight=False, soft_wrap=True)

        yield say
        return
    with Live(console=notes, refresh_per_second=REFRESHES, transient=True) as live:
        yield lambda progress: live.update(progress_table(progress))


def progress_line(progress: Progress) -> str:
    """The state in a line of text."""
    left = "" if progress.left is None else f", about {duration_text(progress.left)} left"
    conflicts = f", {len(progress.conflicts)} in conflict" if progress.conflicts else ""
    return (
        f"{progress.done} of {plural(progress.total, 'run')}, {progress.rate:.2g} a second{left}{conflicts}"
    )


def progress_table(progress: Progress) -> Table:
    """The state as a small table with a bar."""
    made = Table.grid(padding=(0, 2))
    made.add_row("runs", f"{progress.done} of {progress.total}, {progress.running} under way")
    made.add_row("", ProgressBar(max(1, progress.total), progress.done, width=40))
    left = "" if progress.left is None else f", about {duration_text(progress.left)} left"
    made.add_row("rate", f"{progress.rate:.2g} a second{left}")
    made.add_row("so far", ", ".join(f"{progress.counts[kind]} {kind}" for kind in Category))
    conflicts = len(progress.conflicts)
    made.add_row("conflicts", f"[red]on {plural(conflicts, 'instance')}[/]" if conflicts else "none")
    return made


def duration_text(seconds: float) -> str:
    """Hours, minutes or seconds, without fractions."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def overview_table(frame: pandas.DataFrame, store: Store, running: Sequence[str] = ()) -> Group:
    """One line for each question of a problem and backend: planned and made runs, and what they are worth.

    Parameters
    ----------
    running
        Keys of runs that are being made.
    """
    tasks = store.planned()
    proved = ("proved",) * any(task.certificate_limit for task in tasks)
    counted = ("planned", "made", "running", "solved", *Category, *proved)
    columns = ("problem", "question", "backend", *counted, "CPU time")
    made = table(*columns, numbers=columns[3:])
    planned = Counter((task.problem, task.question, task.backend) for task in tasks)
    busy = Counter((task.problem, task.question, task.backend) for task in tasks if task.key in running)
    rows = dict(iter(frame.groupby([*GROUP, "backend"], sort=False)))
    for group in dict.fromkeys([*planned, *rows]):
        part = rows.get(group, frame.iloc[:0])
        counts = part["category"].value_counts()
        verdicts = [str(int(np.isfinite(run_costs(part)).sum()) or "")]
        verdicts += [str(counts.get(kind, 0) or "") for kind in Category]
        verdicts += [str(part["certificate"].eq("accepted").sum() or "") for _ in proved]
        numbers = (str(planned[group] or ""), str(len(part)), str(busy[group] or ""))
        made.add_row(*group, *numbers, *verdicts, seconds_text(part["cpu"].sum()) if len(part) else "")
    missing = len(store.missing())
    state = f"{missing} of {plural(len(tasks), 'planned run')} missing" if missing else "complete"
    return titled(f"{store.path}: {plural(len(frame), 'run')}, {state}", made)


def finding_block(findings: Sequence[Finding]) -> str:
    """The findings, a line each, with the command that shows a conflict again; empty if there are none."""
    lines = []
    for kind in FindingKind:
        found = [finding for finding in findings if finding.kind is kind]
        for finding in found[:MOST_FINDINGS]:
            lines.append(f"{kind.upper()} {finding.message}")
            lines += [f"  {finding.command}"] if finding.command else []
        if len(found) > MOST_FINDINGS:
            lines.append(f"{kind.upper()} and {len(found) - MOST_FINDINGS} more of this kind")
    return "\n".join(map(printable, lines))
