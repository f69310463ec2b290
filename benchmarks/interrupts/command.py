"""``python -m benchmarks interrupts``: count how commands end that are interrupted at random moments."""

from __future__ import annotations

import random
import shlex
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
from rich.console import Group

from benchmarks.interrupts.cases import Case, cases, prepare
from benchmarks.interrupts.tries import Try, attempt, lifetime
from cpmines.report.tables import console, table, titled
from cpmines.report.text import seconds_text

__all__ = ["command"]

SIGNALS = (
    *((signal.SIGINT, False),) * 3,
    *((signal.SIGINT, True),) * 3,
    (signal.SIGTERM, False),
    (signal.SIGHUP, False),
    (signal.SIGKILL, False),
)
"""At random: to the process, as by kill; to its group, as by a terminal."""

EARLY = 0.6
"""Seconds of a life in which half of the signals come: while libraries are loaded."""

SLOW = 0.2
"""Seconds within which a command has to end."""

WORST = 20


def moments(life: float, count: int, rng: random.Random) -> list[float]:
    """Half of them early, half of them anywhere in a life; each in a part of its own, in any order."""
    early = min(life, EARLY)
    first = count // 2
    found = [(k + rng.random()) / first * early for k in range(first)]
    found += [(k + rng.random()) / (count - first) * life for k in range(count - first)]
    rng.shuffle(found)
    return found


def tries(case: Case, folder: Path, count: int, rng: random.Random) -> Iterator[Try]:
    place = folder / rng.randbytes(4).hex()
    place.mkdir()
    life, sizes = lifetime(case, place)
    for moment in moments(life, count, rng):
        number, group = rng.choice(SIGNALS)
        found = None
        while found is None:  # runs differ: a late moment may be after the end
            fresh = folder / rng.randbytes(4).hex()
            fresh.mkdir()
            found = attempt(case, fresh, number, group, moment, sizes)
            moment *= 0.9
        yield found


def result_table(done: Sequence[Try]) -> Group:
    """A line for each command, and the sums.

    How it ended: as it has to, or by itself just then, or otherwise; what it left: processes, processes that
    took longer than the grace, files; and the slowest end.
    """
    numbers = ("tries", "right", "over", "others", "traceback", "children", "late", "files", "slowest")
    made = table("command", *numbers, numbers=numbers)
    names = list(dict.fromkeys(one.case.name for one in done))
    for name in [*names, ""]:
        some = [one for one in done if not name or one.case.name == name]
        made.add_row(
            name or "all",
            str(len(some)),
            str(sum(one.expected for one in some)),
            str(sum(one.over for one in some)),
            str(sum(not (one.expected or one.over) for one in some)),
            str(sum(one.traceback for one in some)),
            str(sum(bool(one.children) for one in some)),
            str(sum(one.late for one in some)),
            str(sum(bool(one.leftovers) for one in some)),
            seconds_text(max(one.seconds for one in some)),
        )
    title = "interrupts: SIGINT, SIGTERM and SIGHUP are expected to end with 128 and their number"
    return titled(title, made)


def try_text(one: Try) -> str:
    whom = " to the group" if one.group else ""
    lines = [
        f"{shlex.join(one.case.words)}: {one.number.name}{whom} after {one.after:.3f} s, "
        f"end with {one.code} in {one.seconds:.3f} s"
    ]
    lines += [f"    left: {name:.200}" for name in (*one.children, *one.leftovers)]
    if not one.expected or one.traceback:
        lines += [f"    {line}" for line in one.said.splitlines()[-12:]]
    return "\n".join(lines)


@click.command(name="interrupts")
@click.option(
    "--scale", type=click.FloatRange(0, min_open=True), default=1.0, help="Part of 1,000 tries to make."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the moments.")
@click.option(
    "--at-once", type=click.IntRange(1), default=1, show_default=True, help="Commands that run at once."
)
@click.option("--only", default="", help="Commands with this in their names.")
def command(scale: float, seed: int, at_once: int, only: str) -> None:
    """Send signals at random moments of every command, and count how it ends and what it leaves.

    A try begins when cpmines has executed its first instructions: then the process takes SIGTERM, which
    the interpreter by itself leaves to the system. What comes before, while the interpreter starts, is the
    interpreter's. Linux only. Exit code 1 if a command ended otherwise than it has to, or left something.

    \b
    Example:
      python -m benchmarks interrupts --scale 0.1
    """
    every = cases()
    chosen = [case for case in every if only in case.name]
    if not chosen:
        raise click.UsageError(f"no command with {only!r} in its name")
    count = max(2, round(1000 * scale / len(every)))
    done: list[Try] = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # What is ignored here, as in the background of a script, would be ignored by the commands.
        signal.signal(number, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(at_once) as pool:
        folder = Path(name).resolve()
        prepare(folder)
        work = lambda k: list(tries(chosen[k], folder, count, random.Random(f"{seed} {k}")))  # noqa: E731
        for k, found in enumerate(pool.map(work, range(len(chosen)))):
            done += found
            bad = sum(one.bad for one in found)
            click.echo(f"{k + 1} of {len(chosen)}: {chosen[k].name}: {bad} of {len(found)} bad", err=True)
    console().print(result_table(done))
    worst = sorted(done, key=lambda one: (not one.bad, -one.seconds))
    shown = [one for one in worst if one.bad][:WORST] or worst[:5]
    click.echo("\nthe worst:\n" + "\n".join(map(try_text, shown)))
    late = sum(one.seconds > SLOW for one in done)
    click.echo(f"\n{len(done)} tries, {sum(one.bad for one in done)} bad, {late} slower than {SLOW} s")
    sys.exit(1 if any(one.bad for one in done) else 0)
