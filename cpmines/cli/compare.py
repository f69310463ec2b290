"""``cpmines compare``: several backends on the same instances, their agreement and their times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cpmines import files, interrupts, registry
from cpmines.answer import Limits, Status, Stop
from cpmines.cli._asked import ProblemCommand, ask_option, several_asked
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
from cpmines.cli._say import document, say, say_lines
from cpmines.errors import InputError, UsageError
from cpmines.numerals import plural
from cpmines.program import names_program
from cpmines.question import Asked
from cpmines.quoting import printable
from cpmines.run import Run, chosen

if TYPE_CHECKING:
    from rich.progress import Progress

    from cpmines.compare import Comparison

__all__ = ["command"]

TIME_LIMIT = 60.0


class Wanted(NamedTuple):
    """A question of a problem, and the backends that it is put to."""

    asked: Asked
    backends: list[str]


def named_backends(problem: str, named: Sequence[str]) -> list[str]:
    """Those of the named backends that the problem has. Raises `UsageError`."""
    there = registry.backend_names(problem)
    found = [name for name in named if name.partition(":")[0] in there or registry.by_place(name)]
    for name in found:
        registry.backend(problem, name)
    return found


def wanted(problem: str, named: Sequence[str], ask: Sequence[str], given: Mapping[str, Any]) -> list[Wanted]:
    """The questions of a problem, each with the backends that are compared on it.

    Without a named backend, all exact ones that answer the question. Without a named question, the first one
    that all named backends answer. Raises `UsageError`.
    """
    backends = named_backends(problem, named)
    asked = several_asked(problem, ask, given)
    if not asked and not ask and (backends or not named):
        asked = [chosen(problem, backends)]
    found = [
        Wanted(one, backends if named else registry.default_backends(problem, one.question)) for one in asked
    ]
    return [one for one in found if one.backends]


def check_backends(named: Sequence[str], problems: Sequence[str]) -> None:
    """Each named backend exists for at least one of the problems. Raises `UsageError`."""
    there = sorted({name for problem in problems for name in registry.backend_names(problem)})
    for name in named:
        base = name.partition(":")[0]
        if base in registry.engine_names(missing=True):
            registry.engine(base)
        if base not in there and not registry.by_place(name):
            raise UsageError(f"no backend named {name!r}; there are: {', '.join(there)}")


def check_questions(ask: Sequence[str], problems: Sequence[str]) -> None:
    """At least one of the problems has each question. Raises `UsageError`."""
    known = dict.fromkeys(one.name for each in problems for one in registry.problem(each).questions)
    for name in ask:
        if problems and name not in known:
            raise UsageError(f"no question {name!r} of {', '.join(problems)}; there are: {', '.join(known)}")


def listed(paths: Sequence[str], problem: str | None, everything: bool) -> list[Source | InputError]:
    """The sources that the arguments name; without any, of those that ship with the package.

    These are all of a named problem, else a sample, or `everything`.

    Those of a problem that can't be loaded, of which a warning says why, come as an error.
    """
    if problem is not None:
        registry.problem(problem)
    folder = files.shipped()
    if paths:
        names = list(paths)
    elif problem or everything:
        names = [str(folder / problem if problem else folder)]
    else:
        names = [str(path) for path in files.sample()]
    sound = [problem] if problem else registry.sound_problems()
    return [
        source
        if isinstance(source, InputError) or source.problem in sound
        else InputError(
            f"an instance of {source.problem}", "one of a problem that can be loaded", source.name
        )
        for source in sources(problem, names)
    ]


def run_all(
    found: Sequence[Source | InputError],
    plans: Mapping[str, Sequence[Wanted]],
    limits: Limits,
    repeat: int,
    progress: Progress,
    sampled: bool,
) -> Iterator[Comparison | InputError]:
    """Compare on every instance of every source, in order; a bad source comes as its error.

    Parameters
    ----------
    plans
        What is wanted, by problem.
    sampled
        A few instances of a source, from all over it.
    """
    from cpmines import compare as comparing

    task = progress.add_task("", total=len(found), completed=-1)
    for source in found:
        progress.advance(task)
        if isinstance(source, InputError):
            yield source
            continue
        for asked, backends in plans[source.problem]:
            for name in backends:
                progress.update(task, description=printable(f"warming up {name} on {source.problem}"))
                make_ready(source.problem, name, asked)
            progress.update(task, description=printable(files.short_name(Path(source.name))))
            try:
                every = instances(source, asked)
                for one in files.spread(list(every)) if sampled else every:
                    yield comparing.compare(
                        one.problem,
                        one.instance,
                        backends,
                        limits,
                        asked,
                        label=files.short_name(Path(one.label)),
                        repeat=repeat,
                        expected=one.expected,
                    )
            except InputError as error:
                yield error
                break


def show_tables(done: Sequence[Comparison], baseline: str | None, brief: bool) -> None:
    """A table for each question of each problem, and the totals."""
    from cpmines.report.tables import comparison_table, console, total_table

    out = console()
    parts: dict[tuple[str, Asked], list[Comparison]] = {}
    for part in done:
        parts.setdefault((part.problem, part.asked), []).append(part)
    baselines = {}
    for key, alike in parts.items():
        backends = [found.backend for found in alike[0].runs]
        baselines[key] = baseline or ("cpsat" if "cpsat" in backends else backends[0])
        if not brief:
            out.print(comparison_table(alike, baselines[key]))
    out.print(total_table(parts, baselines))
    out.print()


def stopped(found: Run[Any]) -> bool:
    """Was it a program, which is what is tried, that a limit left without an answer?"""
    by_limit = found.answer.stop in (Stop.TIME_LIMIT, Stop.MEMORY_LIMIT)
    return found.status is Status.UNKNOWN and by_limit and names_program(found.backend)


def summary(done: Sequence[Comparison], refused: int) -> str:
    """One line on all of them, and on the inputs that could not be read."""
    return agreement(done) + (f"; {plural(refused, 'input')} refused" if refused else "")


def agreement(done: Sequence[Comparison]) -> str:
    if not done:
        return "nothing was compared"
    asked = Counter((part.problem, part.asked) for part in done)
    by_problem: dict[str, int] = {}
    for (problem, _), number in asked.items():
        by_problem[problem] = max(by_problem.get(problem, 0), number)
    count = sum(by_problem.values())
    checked = plural(count, "instance")
    if len(done) > count:
        checked = f"{len(done)} questions on {checked}"
    failed = sum(bool(part.failed) for part in done)
    failures = f", a backend failed on {failed}" if failed else ""
    late = Counter(found.backend for part in done for found in part.runs if stopped(found))
    failures += "".join(f", {name} reached a limit on {count}" for name, count in late.items())
    if disputed := sum(bool(part.conflicts) for part in done):
        return f"conflicts on {disputed} of {checked}{failures}"
    unanswered = sum(not part.answered for part in done)
    alone = sum(part.alone for part in done)
    return (
        f"agreement on {checked}"
        + (f", {unanswered} without any answer" if unanswered else "")
        + failures
        + (f", {alone} with one answer alone, compared with nothing" if alone else "")
    )


@click.command(name="compare", cls=ProblemCommand)
@click.argument("paths", nargs=-1, metavar="[FILE|FOLDER|-]...")
@click.option("--problem", help="Problem of the instances; else the nearest folder named like one.")
@ask_option(several=True)
@click.option("--backend", "named", multiple=True, help=f"{BACKEND}; may be given several times.")
@limit_options(default_seconds=TIME_LIMIT)
@click.option(
    "--repeat", type=click.IntRange(1, 1000), default=1, show_default=True, help="Times to run each."
)
@click.option("--baseline", help="Backend that speed-ups refer to.  [default: cpsat, else the first]")
@click.option("--brief", is_flag=True, help="Only totals and conflicts.")
@click.option("--all", "everything", is_flag=True, help="All shipped instances, and a line for each.")
@style_option("table", "jsonl", help="Output.")
def command(
    paths: tuple[str, ...],
    problem: str | None,
    ask: tuple[str, ...],
    named: tuple[str, ...],
    time_limit: float,
    memory_limit: int,
    seed: int,
    repeat: int,
    baseline: str | None,
    brief: bool,
    everything: bool,
    style: str,
    **given: Any,
) -> int:
    """Run backends on the same instances, check that they agree, and time them.

    Without a path: on a sample of the instances that ship with the package, and only the totals are shown; on
    all of them, each on a line of its own, with --all, and on those of a problem with --problem. Without
    --backend: all exact backends that answer the question. Each question is compared by itself; without --ask
    it is the first one of the problem that all named backends answer.

    \b
    Example:
      cpmines compare
      cpmines compare --all
      cpmines compare --problem maxmines --backend direct --backend published
      cpmines compare boards/ --problem consistency --backend direct --backend sat:glucose4 --repeat 5
      cpmines compare --problem mosaic --ask board --ask count
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from cpmines.report.jsonl import comparison_lines
    from cpmines.report.tables import conflict_block, failure_block

    named = tuple(dict.fromkeys(named))
    if everything and (paths or problem):
        raise UsageError(
            "--all with a path or --problem, expected it alone: it stands for all shipped instances"
        )
    sampled = not (paths or problem or everything)
    found = listed(paths, problem, everything)
    problems = list(dict.fromkeys(source.problem for source in found if isinstance(source, Source)))
    check_backends(named, [problem] if problem else list(registry.sound_problems()))
    check_questions(ask, problems)
    plans = {each: wanted(each, named, ask, given) for each in problems}
    compared = dict.fromkeys(name for plan in plans.values() for one in plan for name in one.backends)
    if baseline is not None and baseline not in compared:
        raise UsageError(f"--baseline {baseline}: expected one that is compared: {', '.join(compared)}")
    limits = Limits(time_limit, memory_limit << 20, seed)
    done: list[Comparison] = []
    refused: list[InputError] = []
    notes = Console(stderr=True)
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )

    def conclude() -> None:
        if style == "table" and done:
            show_tables(done, baseline, brief or sampled)
        for block in (conflict_block(done), failure_block(done)):
            if block:
                say_lines(block, err=style == "jsonl")
        say(summary(done, len(refused)), err=style == "jsonl")
        if sampled and done:
            say("a sample; --all takes all shipped instances and shows a line for each", err=style == "jsonl")

    bar = Progress(*columns, console=notes, transient=True, disable=not notes.is_terminal)
    with interrupts.concluding(conclude), bar as progress, interrupts.leaving(progress.stop):
        for result in run_all(found, plans, limits, repeat, progress, sampled):
            if isinstance(result, InputError):
                report_error(result)
                refused.append(result)
                continue
            done.append(result)
            if style == "jsonl":
                document("\n".join(comparison_lines(result)))
    if not done and not refused:
        raise UsageError("no instance has one of these backends, or one of these questions")
    late = any(stopped(found) for part in done for found in part.runs)
    return exit_code(
        conflict=any(part.conflicts for part in done),
        bad_input=bool(refused),
        unanswered=late or any(part.failed or not part.answered for part in done),
    )
