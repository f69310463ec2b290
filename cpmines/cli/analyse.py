"""``cpmines analyse``: one page on one board."""

from __future__ import annotations

import json
import time
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cpmines import outputs
from cpmines.cli._inputs import Source, limit_options, sources, style_option
from cpmines.cli._outputs import output_option
from cpmines.cli._say import document, say
from cpmines.errors import InputError, UsageError
from cpmines.numerals import plural
from cpmines.quoting import printable

if TYPE_CHECKING:
    from cpmines.analysis.analysis import Analysis
    from cpmines.board import Position

__all__ = ["command"]

ANALYSIS = "analysis"
"""What stands for the problem: any position can be analysed."""
WARM_UP = "2 3 1\n.1.\n.1.\n"


def read(name: str) -> Position:
    """The only board that the argument names."""
    from cpmines.board import Position

    found = list(sources(ANALYSIS, [name]))
    if len(found) != 1:
        raise UsageError(f"{name} holds {plural(len(found), 'board')}, expected one")
    (source,) = found
    if isinstance(source, InputError):
        raise source
    assert isinstance(source, Source)
    return Position.parse(source.read(), source.name)


def record(name: str, analysis: Analysis | None, seconds: float) -> str:
    """One JSON object, laid out like the answers of ``cpmines solve``."""
    from importlib.metadata import version

    from cpmines.report.analysis.summary import value_json

    status = {"status": "infeasible" if analysis is None else "solved", "stop": "finished"}
    value = {} if analysis is None else {"value": value_json(analysis)}
    versions = {package: version(package) for package in ("cpmines", "numpy")}
    rest = {"seconds": {"solve": round(seconds, 6)}, "versions": versions}
    return json.dumps({"schema": 1, "problem": ANALYSIS, "instance": name, **status, **value, **rest})


def picture(name: str, analysis: Analysis, style: str) -> str:
    from cpmines.report.analysis import html, svg

    return html.document(name, analysis) if style == "html" else svg.document(name, analysis)


@click.command(name="analyse")
@click.argument("board", default="-", metavar="[FILE|-]")
@click.option(
    "--mines", type=click.IntRange(0), help="Mines on the board, in place of the number in the file."
)
@click.option(
    "--density",
    help="Without a number of mines: the chance of one in each cell by itself, a number or a fraction.",
)
@limit_options(seed=False)
@style_option("text", "json", "html", "svg", help="For a terminal, for programs, for a browser.")
@output_option()
def command(
    board: str,
    mines: int | None,
    density: str | None,
    time_limit: float | None,
    memory_limit: int,
    style: str,
    output: Path | None,
) -> int:
    """Say everything about one BOARD: certain cells, chances, number of layouts, the safest cell.

    \b
    Example:
      printf '3 5 3\\n.....\\n12221\\n00000\\n' | cpmines analyse
      cpmines analyse game.txt --mines 99 --format html -o game.html
    """
    from cpmines.analysis.analyser import analyse
    from cpmines.positions.problem import density_of

    chance = None if density is None else density_of(density)
    position = read(board)
    analyse(WARM_UP)  # what is loaded by that is not counted
    start = time.perf_counter()
    memory = memory_limit << 20
    analysis = analyse(position, mines, density=chance, time_limit=time_limit, memory_limit=memory)
    seconds = time.perf_counter() - start
    if style == "json":
        write(record(board, analysis, seconds), output)
    elif analysis is None:
        told = f"{board}: infeasible, no layout of mines fits this board"
        if style == "text":
            write(printable(told), output)
        else:
            say(told)  # there is nothing to draw
    elif style == "text":
        show(board, analysis, output)
    else:
        write(picture(board, analysis, style), output)
    return 0


def show(name: str, analysis: Analysis, output: Path | None) -> None:
    """The page in text: in colour and no wider than it on a terminal, plain and in full width elsewhere."""
    from rich.console import Console

    from cpmines.report.analysis.text import FULL, page
    from cpmines.report.tables import console

    screen = console()
    if output is None and screen.is_terminal:
        screen.print(page(name, analysis, screen.width))
        return
    buffer = StringIO()
    plain = Console(file=buffer, width=FULL, color_system=None, highlight=False, markup=False)
    plain.print(page(name, analysis, FULL))
    lines = [line.rstrip() for line in buffer.getvalue().splitlines()]
    write("\n".join(lines), output)


def write(text: str, output: Path | None) -> None:
    if output is None:
        document(text.rstrip("\n"))
    else:
        outputs.write(output, text.rstrip("\n") + "\n")
