"""``cpmines explain``: why a board contradicts itself, why a cell is certain, how a board is solved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cpmines import files, interrupts, outputs, registry
from cpmines.answer import Limits
from cpmines.cli._inputs import Named, instances, limit_options, patience, sources, style_option
from cpmines.cli._outputs import output_option
from cpmines.cli._progress import progress_bar
from cpmines.cli._say import document, say
from cpmines.errors import InputError, UsageError
from cpmines.numerals import plural

if TYPE_CHECKING:
    from rich.text import Text

    from cpmines.explain import Explainable
    from cpmines.report.explanation.telling import Told

__all__ = ["command"]

PLACE = re.compile(r"\s*(\d{1,18})\s*,\s*(\d{1,18})\s*")


def problem_of(name: str) -> str:
    """The problem of a board: that of the folder above it, else the first whose boards are explained."""
    from cpmines.explain import explained

    try:
        return files.problem_of(Path(name), registry.problem_names())
    except (UsageError, InputError):
        return explained()[0]


def read(name: str, problem: str) -> Named:
    """The only board that the argument names."""
    found = list(sources(problem, [name]))
    if len(found) == 1 and isinstance(found[0], InputError):
        raise found[0]
    boards = [named for source in found if not isinstance(source, InputError) for named in instances(source)]
    if len(boards) != 1:
        raise UsageError(
            f"{name} holds {plural(len(boards), 'board')}, expected one; file#k is the k-th board of a file"
        )
    return boards[0]


class Place(click.ParamType):  # type: ignore[type-arg]
    """``R,C``: row and column from 1."""

    name = "R,C"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        found = PLACE.fullmatch(str(value))
        if found is None:
            self.fail(f"{value!r:.80} is not a row and a column, as in 3,7.", param, ctx)
        return int(found[1]), int(found[2])


class Output:
    """Standard output, or a file.

    Parameters
    ----------
    growing
        There is more to come: what is written stays there if the command is interrupted.
    """

    def __init__(self, path: Path | None, growing: bool) -> None:
        self.path = path
        if path is not None and growing:
            self.add = click.get_current_context().with_resource(outputs.growing(path))
        elif path is not None:
            outputs.make_room(path)
            self.add = partial(outputs.write, path)

    def write_lines(self, lines: Iterable[Text]) -> None:
        """In colour on a terminal, plain elsewhere."""
        from cpmines.report.tables import console

        screen = console()
        if self.path is None and screen.is_terminal:
            for line in lines:
                screen.print(line)
        else:
            self.write("\n".join(line.plain for line in lines))

    def write(self, said: str) -> None:
        if self.path is None:
            document(said)
        else:
            self.add(f"{said}\n")


@click.command(name="explain")
@click.argument("board", default="-", metavar="[FILE|-]")
@click.option("--problem", help="What the file holds; by default as its folder is named.")
@click.option("--cell", type=Place(), help="Explain this unknown cell; row and column from 1.")
@click.option("--smallest", is_flag=True, help="A contradiction: with the fewest clues.")
@click.option("--all", "every", is_flag=True, help="A contradiction: all minimal sets of clues.")
@click.option("--limit", type=click.IntRange(1), metavar="K", help="With --all: stop after so many.")
@limit_options(seed=False)
@style_option("text", "json", "html", help="For a terminal, for programs (one object a line), for a browser.")
@output_option()
def command(
    board: str,
    problem: str | None,
    cell: tuple[int, int] | None,
    smallest: bool,
    every: bool,
    limit: int | None,
    time_limit: float | None,
    memory_limit: int,
    style: str,
    output: Path | None,
) -> int:
    """Explain one BOARD: which clues contradict each other; if none do, its solution step by step.

    Every set of clues is checked by a second method before it is shown: it is contradictory, or forces what
    it is said to force, and no longer so without any one of its clues. The number of mines counts as a clue.

    \b
    Example:
      printf '2 3\\n.1.\\n.2.\\n' | cpmines explain
      cpmines explain game.txt --cell 3,7
      cpmines explain puzzle.txt --problem mosaic --format html -o puzzle.html
    """
    from cpmines.explain import Explainable, explain_cell, explain_conflict, solve_stepwise
    from cpmines.report.explanation.telling import tell_cell, tell_conflict, tell_none, tell_solution

    if sum((cell is not None, smallest, every)) > 1:
        raise UsageError("more than one of --cell, --smallest and --all, expected at most one")
    if limit is not None and not every:
        raise UsageError("--limit without --all")
    problem = problem or problem_of(board)
    named = read(board, problem)
    subject = Explainable.of(named.instance, problem)
    with patience("getting the explanations ready"):
        get_ready(problem)
    limits = Limits(time_limit, memory_limit << 20).begin()
    target = Output(output, growing=every and style != "html")
    if every:
        show_all(named.label, subject, limit, limits, style, target)
        return 0
    if cell is not None:
        with progress_bar(limits, named.label) as watched:
            found = explain_cell(subject, cell[0] - 1, cell[1] - 1, limits=watched)
        show(tell_cell(named.label, subject.board, found), style, target)
        return 0
    with progress_bar(limits, named.label) as watched:
        conflict = explain_conflict(subject, fewest=smallest, limits=watched)
        solution = None if conflict or smallest else solve_stepwise(subject, limits=watched)
    if conflict is not None:
        show(tell_conflict(named.label, subject.board, conflict), style, target)
        return 3 if smallest and not conflict.smallest else 0
    none = tell_none(named.label, subject.board)
    show(none if solution is None else tell_solution(named.label, solution), style, target)
    return 0


def get_ready(problem: str) -> None:
    """Explain the problem's small examples, which loads all that takes time."""
    from cpmines.explain import Explainable, explain_conflict, solve_stepwise

    for example in registry.problem(problem).warm_up:
        for instance in registry.problem(problem).parse(example, "warm-up"):
            subject = Explainable.of(instance, problem)
            if explain_conflict(subject) is None:
                solve_stepwise(subject)


def show_all(
    label: str, subject: Explainable, limit: int | None, limits: Limits, style: str, target: Output
) -> None:
    """All conflicts as they come; a page of them at the end, whatever ended it."""
    from cpmines.explain import conflicts
    from cpmines.report.explanation.telling import Told, tell_conflict, tell_none

    told, ended = list[Told](), False

    def conclude() -> None:
        if told and style == "html":
            show(replace(told[0], parts=tuple(part for each in told for part in each.parts)), style, target)
        if told:
            sets = f"{plural(len(told), 'minimal set')} of clues"
            say(f"{label}: {sets}; {'these are all' if ended else 'there may be more'}", err=True)

    with interrupts.concluding(conclude):
        for found in islice(conflicts(subject, limits=limits), limit):
            told.append(tell_conflict(label, subject.board, found, len(told) + 1))
            if style != "html":
                show(told[-1], style, target, first=len(told) == 1)
        ended = len(told) != limit
    if not told:
        show(tell_none(label, subject.board), style, target)


def show(told: Told, style: str, target: Output, *, first: bool = True) -> None:
    """Write one explanation; in text, the heading only with the first of several."""
    from cpmines.report.explanation import html, text

    if style == "json":
        target.write(record(told))
    elif style == "html":
        target.write(html.document(told).rstrip("\n"))
    else:
        target.write_lines([*(text.heading(told) if first else ()), *text.body(told)])


def record(told: Told) -> str:
    """One JSON object, laid out like the answers of ``cpmines solve``."""
    from importlib.metadata import version

    versions = {package: version(package) for package in ("cpmines", "numpy", "python-sat")}
    head = {"schema": 1, "problem": "explanation", "instance": told.name, "status": str(told.status)}
    return json.dumps({**head, "stop": "finished", "value": told.value, "versions": versions})
