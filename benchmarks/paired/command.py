"""``python -m benchmarks paired``: another version of cpmines at the same work in the same run."""

from __future__ import annotations

import math
import statistics
import sys
from pathlib import Path

import click
from rich.console import Group
from rich.text import Text

import cpmines
from benchmarks.options import scale_option
from benchmarks.paired import Work
from benchmarks.paired.race import SLOWER, Pair, race
from benchmarks.paired.sides import Side, SideError
from benchmarks.paired.works import all_works
from cpmines.report.tables import console, table, titled
from cpmines.report.text import seconds_text

__all__ = ["command"]


@click.command(name="paired")
@click.option(
    "--baseline",
    required=True,
    metavar="PYTHON",
    help="Interpreter of an environment with the other cpmines.",
)
@click.option("--repeat", type=click.IntRange(1), default=5, show_default=True, help="Turns of each work.")
@click.option("--only", multiple=True, metavar="NAME", help="Works whose line has this in it. Repeatable.")
@scale_option()
@click.option(
    "--instances",
    "folders",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="Also solve the files in this folder's folders of problems. Repeatable.",
)
@click.option("--list", "listed", is_flag=True, help="Only print the works.")
def command(
    baseline: str, repeat: int, only: tuple[str, ...], scale: float, folders: tuple[Path, ...], listed: bool
) -> None:
    """Run two versions of cpmines on the same work in turns, and print ratios of times, worst first.

    Time is the least processor time of one process. A ratio above 1 says that this version takes longer than
    the baseline. Exit code 1 if one answers otherwise or fails.

    \b
    Example:
      python -m benchmarks paired --baseline ../old/bin/python --only maxmines
    """
    works = [work for work in all_works(scale, folders).values() if chosen(work, only)]
    if not works:
        raise click.UsageError(f"no work has {' or '.join(map(repr, only))} in its line; see --list")
    if listed:
        click.echo("\n".join(work.label for work in works))
        return
    arguments = [str(scale), *map(str, folders)]
    pairs: list[Pair] = []
    sides: list[Side] = []
    try:
        sides.append(Side(baseline, None, arguments))
        sides.append(Side(sys.executable, Path(cpmines.__file__).parent, arguments))
        for number, work in enumerate(works, 1):
            pairs.append(race(work, sides[0], sides[1], repeat))
            click.echo(f"{number}/{len(works)} {line(pairs[-1])}", err=True)
    except SideError as error:
        raise click.UsageError(f"no cpmines to compare with: {error}") from None
    finally:
        for side in sides:
            side.end()
        if pairs:
            console().print(pair_table(pairs, sides))
    sys.exit(1 if any(pair.trouble for pair in pairs) else 0)


def chosen(work: Work, only: tuple[str, ...]) -> bool:
    return not only or any(part in work.label for part in only)


def line(pair: Pair) -> str:
    return f"{pair.work.label}: {pair.trouble or f'{pair.ratio:.3f}'}"


def pair_table(pairs: list[Pair], sides: list[Side]) -> Group:
    """All works; those that can't be compared first, then the worst ratio."""
    made = table("work", "size", "baseline", "here", "ratio", "", numbers=("baseline", "here", "ratio"))
    for pair in sorted(pairs, key=lambda pair: (not pair.trouble, -pair.ratio)):
        timed = not math.isnan(pair.ratio)
        made.add_row(
            pair.work.name,
            pair.work.size,
            seconds_text(pair.baseline) if timed else "",
            seconds_text(pair.here) if timed else "",
            f"{pair.ratio:.3f}" if timed else "",
            pair.trouble or ("slower" if pair.slower else ""),
        )
    return Group(titled(f"{sides[1].cpmines} against {sides[0].cpmines}", made), Text(summary(pairs)))


def summary(pairs: list[Pair]) -> str:
    ratios = [pair.ratio for pair in pairs if not math.isnan(pair.ratio)]
    mean = f", {statistics.geometric_mean(ratios):.3f} in the geometric mean" if ratios else ""
    return (
        f"{len(pairs)} works{mean}; {sum(pair.slower for pair in pairs)} beyond {SLOWER}, "
        f"{sum(bool(pair.trouble) for pair in pairs)} with another answer or none"
    )
