"""``cpmines fuzz``: random instances until something does not fit together, and that made small."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from cpmines import interrupts, registry
from cpmines.answer import Limits
from cpmines.cli._asked import ProblemCommand, ask_option
from cpmines.cli._inputs import (
    BACKEND,
    SecondsType,
    exit_code,
    instances,
    limit_options,
    make_ready,
    sources,
    style_option,
    workers_option,
)
from cpmines.cli._outputs import OutputFolder
from cpmines.cli._say import document, say, say_lines
from cpmines.errors import InputError, UsageError
from cpmines.program import names_program
from cpmines.question import Asked
from cpmines.run import chosen

__all__ = ["command"]

TIME_LIMIT = 10.0
ROUNDS = 1000
REFERENCE, FAST = "brute", "direct"


def chosen_backends(problem: str, named: Sequence[str], asked: Asked, *, tiny: bool) -> tuple[str, ...]:
    """The named backends, all exact ones if there are none; one alone is set beside brute force.

    On larger instances brute force takes long, or declines them: then it only judges what is found, and one
    alone is set beside `FAST`. What is set beside it answers the question.
    """
    there = registry.backend_names(problem)
    names = list(dict.fromkeys(named))
    if not names:
        exact = registry.default_backends(problem, asked.question)
        names = [name for name in exact if tiny or name != REFERENCE] or exact
    if len(names) == 1:
        references = (REFERENCE, FAST) if tiny else (FAST, REFERENCE)
        others = [name for name in references if name in there and name != names[0]]
        names += [name for name in others if asked.question in registry.answered(problem, name)][:1]
    if not names:
        raise UsageError(f"{problem} has no exact backend that answers {asked.name}")
    return tuple(names)


def read_all(problem: str, names: Sequence[str], asked: Asked) -> list[Any]:
    """The instances of the files. Raises `InputError` or `UsageError`."""
    found = []
    for source in sources(problem, names):
        if isinstance(source, InputError):
            raise source
        found += [one.instance for one in instances(source, asked)]
    return found


@contextmanager
def shown_progress(session: Any) -> Iterator[None]:
    """Rounds, rate and finds on standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    notes = Console(stderr=True)
    columns = (SpinnerColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=notes, transient=True, disable=not notes.is_terminal) as progress:
        task, start = progress.add_task("round 0"), time.monotonic()

        def watch(now: Any) -> None:
            rate = now.rounds / max(time.monotonic() - start, 1e-9)
            told = f"round {now.number}, {rate:.0f} a second, {len(now.found)} found"
            progress.update(task, description=told)

        session.watch = watch
        yield


def hunt(session: Any, given: Sequence[Any] | None, folder: Path, style: str) -> None:
    """Print and save each find as it comes."""
    from cpmines.fuzz.save import again_command, save
    from cpmines.report.finds import find_json, find_text

    with shown_progress(session):
        for find in session.finds(given):
            path = save(find, folder, session.plan)
            shown = (find, str(path), again_command(find, path))
            if style == "jsonl":
                document(json.dumps(find_json(*shown)))
            else:
                say_lines(find_text(*shown))


@click.command(name="fuzz", cls=ProblemCommand)
@click.argument("problem")
@click.argument("paths", nargs=-1, metavar="[FILE]...")
@ask_option()
@click.option("--backend", "named", multiple=True, help=f"{BACKEND}; may be given several times.")
@click.option("--size", default="tiny", show_default=True, help="Of the instances: tiny, small or medium.")
@click.option(
    "--rounds", type=click.IntRange(1), help=f"How many.  [default: {ROUNDS}, no end with --seconds]"
)
@click.option("--seconds", type=SecondsType(), help="Wall time of the whole; a find gets up to 10 more.")
@click.option(
    "--start", type=click.IntRange(0), default=0, show_default=True, help="Number of the first round."
)
@click.option("--finds", type=click.IntRange(1), default=1, show_default=True, help="End with so many finds.")
@click.option("--keep-going", is_flag=True, help="End with the rounds or the time alone.")
@click.option(
    "--metamorphic/--no-metamorphic",
    default=True,
    show_default=True,
    help="Also turned, doubled, walled-in boards, and Models in other words.",
)
@limit_options(default_seconds=TIME_LIMIT)
@workers_option("1")
@click.option(
    "-o",
    "--output",
    type=OutputFolder(),
    help="Folder for what is found.  [default: found/PROBLEM]",
)
@style_option("text", "jsonl")
def command(
    problem: str,
    paths: tuple[str, ...],
    ask: str | None,
    named: tuple[str, ...],
    size: str,
    rounds: int | None,
    seconds: float | None,
    start: int,
    finds: int,
    keep_going: bool,
    metamorphic: bool,
    time_limit: float,
    memory_limit: int,
    seed: int,
    workers: int | None,
    output: Path | None,
    style: str,
    **options: Any,
) -> int:
    """Try backends of PROBLEM on random instances, and make small what does not fit together.

    Each round draws an instance, runs the backends on it, compares what they say, and has one of them solve
    it turned or changed so that the answer must follow. On a conflict the instance is made smaller as long as
    the same backends are at odds, and is saved. With files: the same on their instances, with every relation.
    Without --ask: the first question that all named backends answer. Without --backend: all exact ones. One
    alone is set beside brute, on files and larger sizes beside direct.

    \b
    Example:
      cpmines fuzz consistency --backend direct --backend published
      cpmines fuzz reconstruction --ask count --size small
      cpmines fuzz mosaic --backend direct --size small --seconds 60 --keep-going
      cpmines fuzz maxmines --backend sat:glucose4/totalizer --seed 3 --start 500 --rounds 100
    """
    from cpmines.compare import Failure
    from cpmines.fuzz.session import FuzzPlan, Session, profiles
    from cpmines.report.finds import summary_json, summary_text

    registry.problem(problem)
    if size not in profiles(problem):
        raise UsageError(f"{problem} has no size {size!r}; there are: {', '.join(profiles(problem))}")
    asked = chosen(problem, named, ask, **options)
    given = read_all(problem, paths, asked) if paths else None
    plan = FuzzPlan(
        problem,
        chosen_backends(problem, named, asked, tiny=size == "tiny" and given is None),
        Limits(time_limit, memory_limit << 20),
        asked,
        rounds=rounds or (math.inf if seconds else ROUNDS),
        seconds=seconds or math.inf,
        finds=math.inf if keep_going else finds,
        seed=seed,
        start=start,
        size=size,
        metamorphic=metamorphic,
        workers=workers or 1,
    )
    for name in plan.backends:
        make_ready(problem, name, asked)
    session, begun = Session(plan), time.perf_counter()

    def conclude() -> None:
        spent = time.perf_counter() - begun
        if style == "jsonl":
            document(json.dumps(summary_json(session, spent)))
        else:
            say_lines(summary_text(session, spent))

    def say_how_to_go_on() -> None:
        say(f"interrupted in round {session.number}; go on with: --start {session.number}", err=True)

    # Orderly, for a find that is being made smaller is shown and kept before the end.
    with interrupts.concluding(conclude), interrupts.orderly(say_how_to_go_on):
        hunt(session, given, output or Path("found") / problem, style)
    broken = [isinstance(find.conflict, Failure) for find in session.found.values()]
    late = [name for name, tally in session.tallies.items() if tally.limit and names_program(name)]
    return exit_code(conflict=not all(broken), bad_input=False, unanswered=any(broken) or bool(late))
