"""``cpmines compare``: several backends on the same instances, their agreement and their times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from cpmines import compare as comparing
from cpmines import files, registry
from cpmines.answer import Limits
from cpmines.cli._inputs import (
    BACKEND,
    Source,
    exit_code,
    instances,
    limit_options,
    make_ready,
    report_error,
    sources,
    style_option,
)
from cpmines.compare import Comparison
from cpmines.errors import InputError, UsageError
from cpmines.report.jsonl import comparison_lines
from cpmines.report.tables import comparison_table, conflict_block, console, total_table

__all__ = ["command"]

TIME_LIMIT = 60.0


@cache
def chosen_backends(problem: str, named: tuple[str, ...]) -> list[str]:
    """The named backends that the problem has, or all that are exact if none is named."""
    if not named:
        return registry.default_backends(problem)
    there = registry.backend_names(problem)
    found = [name for name in named if name.partition(":")[0] in there or registry.by_place(name)]
    for name in found:
        registry.backend(problem, name)
    return found


def check_names(named: Sequence[str], problems: Sequence[str]) -> None:
    """Each named backend exists for at least one of the problems. Raises `UsageError`."""
    there = sorted({name for problem in problems for name in registry.backend_names(problem)})
    for name in named:
        base = name.partition(":")[0]
        if base in registry.engine_names(missing=True):
            registry.engine(base)
        if base not in there and not registry.by_place(name):
            raise UsageError(f"no backend named {name!r}; there are: {', '.join(there)}")


def listed(paths: Sequence[str], problem: str | None) -> list[Source | InputError]:
    """The sources that the arguments name; without any, those that ship with the package."""
    if problem is not None:
        registry.problem(problem)
    folder = files.shipped()
    names = paths or [str(folder / problem if problem else folder)]
    return list(sources(problem, names))


def run_all(
    found: Sequence[Source | InputError],
    named: Sequence[str],
    limits: Limits,
    repeat: int,
    progress: Progress,
) -> Iterator[Comparison | InputError]:
    """Compare on every instance of every source, in order; a bad source comes as its error."""
    task = progress.add_task("", total=len(found), completed=-1)
    for source in found:
        progress.advance(task)
        if isinstance(source, InputError):
            yield source
            continue
        backends = chosen_backends(source.problem, tuple(named))
        if not backends:
            continue
        for name in backends:
            progress.update(task, description=f"warming up {name} on {source.problem}")
            make_ready(source.problem, name)
        progress.update(task, description=short_name(source.name))
        try:
            for one in instances(source):
                yield comparing.compare(
                    one.problem,
                    one.instance,
                    backends,
                    limits,
                    label=short_name(one.label),
                    repeat=repeat,
                    expected=one.expected,
                )
        except InputError as error:
            yield error


def short_name(label: str) -> str:
    """A shipped instance is named from its problem's folder on."""
    folder = files.shipped()
    path = Path(label)
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else label


def show_tables(done: Sequence[Comparison], baseline: str | None, brief: bool) -> None:
    out = console()
    baselines = {}
    for problem in dict.fromkeys(part.problem for part in done):
        parts = [part for part in done if part.problem == problem]
        backends = [found.backend for found in parts[0].runs]
        baselines[problem] = baseline or ("cpsat" if "cpsat" in backends else backends[0])
        if not brief:
            out.print(comparison_table(problem, parts, baselines[problem]))
    out.print(total_table(done, baselines))
    out.print()


def summary(done: Sequence[Comparison]) -> str:
    if not done:
        return "nothing was compared"
    checked = f"{len(done)} instance{'s' * (len(done) != 1)}"
    if disputed := sum(bool(part.conflicts) for part in done):
        return f"conflicts on {disputed} of {checked}"
    unanswered = sum(not part.answered for part in done)
    alone = sum(part.alone for part in done)
    return (
        f"agreement on {checked}"
        + (f", {unanswered} without any answer" if unanswered else "")
        + (f", {alone} with one answer alone, compared with nothing" if alone else "")
    )


@click.command(name="compare")
@click.argument("paths", nargs=-1, metavar="[FILE|FOLDER|-]...")
@click.option("--problem", help="Problem of the instances; else the nearest folder named like one.")
@click.option("--backend", "named", multiple=True, help=f"{BACKEND}; may be given several times.")
@limit_options(default_seconds=TIME_LIMIT)
@click.option(
    "--repeat", type=click.IntRange(1, 1000), default=1, show_default=True, help="Times to run each."
)
@click.option("--baseline", help="Backend that speed-ups refer to.  [default: cpsat, else the first]")
@click.option("--brief", is_flag=True, help="Only totals and conflicts.")
@style_option("table", "jsonl", help="Output.")
def command(
    paths: tuple[str, ...],
    problem: str | None,
    named: tuple[str, ...],
    time_limit: float,
    memory_limit: int,
    seed: int,
    repeat: int,
    baseline: str | None,
    brief: bool,
    style: str,
) -> int:
    """Run backends on the same instances, check that they agree, and time them.

    Without a path: on the instances that ship with the package. Without --backend: all exact backends.

    \b
    Example:
      cpmines compare --problem maxmines --backend direct --backend published
      cpmines compare boards/ --problem consistency --backend direct --backend sat:glucose4 --repeat 5
    """
    found = listed(paths, problem)
    check_names(named, [problem] if problem else registry.problem_names())
    limits = Limits(time_limit, memory_limit << 20, seed)
    done: list[Comparison] = []
    bad_input = False
    notes = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    try:
        with Progress(*columns, console=notes, transient=True, disable=not notes.is_terminal) as progress:
            for result in run_all(found, named, limits, repeat, progress):
                if isinstance(result, InputError):
                    report_error(result)
                    bad_input = True
                    continue
                done.append(result)
                if style == "jsonl":
                    click.echo("\n".join(comparison_lines(result)))
    finally:
        if style == "table" and done:
            show_tables(done, baseline, brief)
        if block := conflict_block(done):
            click.echo(block, err=style == "jsonl")
        click.echo(summary(done), err=style == "jsonl")
    if not done and not bad_input:
        raise UsageError("no instance has one of these backends")
    return exit_code(
        conflict=any(part.conflicts for part in done),
        bad_input=bad_input,
        unanswered=any(not part.answered for part in done),
    )
