"""``cpmines table``: what is known of every size, of a problem that keeps a table of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cpmines import interrupts, outputs, registry
from cpmines.answer import Answer, Limits, Stop
from cpmines.cli._inputs import limit_options, make_ready, style_option, workers_option
from cpmines.cli._outputs import OutputFolder
from cpmines.cli._say import document, say, say_lines
from cpmines.errors import UsageError
from cpmines.numerals import plural
from cpmines.problem import Trust
from cpmines.run import run

if TYPE_CHECKING:
    from cpmines.table import Confirm, RecordTable, TableRecord

__all__ = ["command"]


def chosen(problem: str | None) -> tuple[str, RecordTable]:
    """The table of a problem; without a name, of the only one that keeps a table. Raises `UsageError`."""
    table = None if problem is None else registry.room(problem, "table", "TABLE")
    if problem is not None and table is not None:
        return problem, table
    tables = {name: registry.room(name, "table", "TABLE") for name in registry.sound_problems()}
    there = {name: table for name, table in tables.items() if table is not None}
    if problem is None and len(there) == 1:
        return there.popitem()
    what = "which table?" if problem is None else f"{problem} keeps no table;"
    raise UsageError(f"{what} there are: {', '.join(there) or 'none'}")


def confirming(problem: str, table: RecordTable, method: str, limits: Limits) -> Confirm:
    """What `method` says of a size. Raises `UsageError` if it is no backend, or confirms nothing."""
    if method in table.methods:
        return lambda size: table.methods[method](size, limits)
    if registry.backend(problem, method).trust is not Trust.EXACT:
        raise UsageError(f"--confirm {method}: its answers prove nothing, it is not labelled exact")
    if method == table.backend:
        raise UsageError(f"--confirm {method}: that is what computes the values")
    return partial(_answer, problem, method, limits)


def _answer(problem: str, backend: str, limits: Limits, size: Any) -> Answer[Any]:
    result = run(problem, size, backend, limits)
    return result.answer if result.trusted else Answer.unknown(Stop.FINISHED)


def show(table: RecordTable, records: list[TableRecord], style: str, pictures: Path | None) -> None:
    from cpmines.report.records import board_pictures, sheet_table, write_pictures
    from cpmines.report.tables import console

    if style == "jsonl":
        for record in records:
            document(record.line())
    elif style == "boards":
        say_lines(board_pictures(records))
    else:
        console().print(sheet_table(table.sheet(records, detailed=style == "details")))
    if pictures is not None:
        say(f"{plural(write_pictures(records, pictures), 'picture')} in {pictures}", err=True)


def show_endless(problem: str, table: RecordTable, sides: range, bounds: list[int], limits: Limits) -> None:
    """What is found is shown, too, where a limit or the user ends it."""
    from cpmines.report.records import sheet_table
    from cpmines.report.tables import console

    make_ready(problem, table.backend)
    limits = limits.begin()
    rows: list[tuple[str, ...]] = []

    def conclude() -> None:
        if rows:
            console().print(sheet_table(replace(table.endless, rows=rows)))

    with interrupts.concluding(conclude):
        for side, bound in product(sides, bounds):
            rows.append(table.period(side, bound, limits))


def check_endless(table: RecordTable, longest: int, **others: object) -> None:
    """Raise `UsageError` for what does not go with boards of any length."""
    if longest > table.longest_side:
        raise UsageError(f"--max-side {longest}: with --long, sides are at most {table.longest_side}")
    if given := [f"--{name}" for name, value in others.items() if value]:
        raise UsageError(f"{given[0]} does not go with --long")


def check_named(table: RecordTable, bounds: tuple[int, ...], without: tuple[str, ...]) -> None:
    """Raise `UsageError` for a bound or a reduction that the table does not have."""
    given = [("bound", bounds, table.bounds), ("without", without, table.reductions)]
    for option, values, there in given:
        for value in values:
            if value not in there:
                raise UsageError(
                    f"--{option} {value}, expected one of {', '.join(map(str, there)) or 'none'}"
                )


@click.command(name="table")
@click.argument("problem", required=False)
@click.option(
    "--max-side", type=click.IntRange(1, 40), default=6, show_default=True, help="The longest side."
)
@click.option(
    "--min-side", type=click.IntRange(1, 40), default=1, show_default=True, help="The shortest side."
)
@click.option("--squares", is_flag=True, help="Squares only.")
@click.option(
    "--bound",
    "bounds",
    type=int,
    multiple=True,
    metavar="M",
    help="Only this value of what a size has beside its sides.  [default: all]",
)
@click.option("--shipped", is_flag=True, help="Take what comes with the package; compute what it lacks.")
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write each record to at once; what is there already is not computed again.",
)
@click.option(
    "--confirm",
    multiple=True,
    metavar="BACKEND",
    help="Have each value proved by it as well: an exact backend, or another method of the table.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="REDUCTION",
    help="Switch a reduction off: the values stay, the effort grows.",
)
@workers_option("1")
@click.option(
    "--long",
    "endless",
    is_flag=True,
    help="Instead: boards of any length with a short side, and their density.",
)
@click.option("--pictures", type=OutputFolder(), help="Folder for an SVG a board.")
@style_option("text", "details", "boards", "jsonl")
@limit_options()
def command(
    problem: str | None,
    max_side: int,
    min_side: int,
    squares: bool,
    bounds: tuple[int, ...],
    shipped: bool,
    checkpoint: Path | None,
    confirm: tuple[str, ...],
    without: tuple[str, ...],
    workers: int | None,
    endless: bool,
    pictures: Path | None,
    style: str,
    time_limit: float | None,
    memory_limit: int,
    seed: int,
) -> int:
    """What is known of every size of a problem up to a side, and how each value is proved.

    PROBLEM may be left out where only one keeps a table.

    \b
    Example:
      cpmines table maxmines --max-side 12 --shipped
      cpmines table maxmines --max-side 8 --checkpoint records.jsonl --confirm sat:tight
      cpmines table maxmines --squares --min-side 16 --max-side 16 --bound 4 --checkpoint records.jsonl
      cpmines table maxmines --long --max-side 4
    """
    from cpmines.table import TableWork

    limits = Limits(time_limit, memory_limit << 20, seed)
    name, table = chosen(problem)
    check_named(table, bounds, without)
    wanted_bounds = sorted(set(bounds)) or list(table.bounds)
    if min_side > max_side:
        raise UsageError(f"--min-side {min_side} is more than --max-side {max_side}")
    if endless:
        given = {"squares": squares, "shipped": shipped, "checkpoint": checkpoint, "confirm": confirm}
        more = {"without": without, "workers": workers, "pictures": pictures, "format": style != "text"}
        check_endless(table, max_side, **given, **more)
        show_endless(name, table, range(min_side, max_side + 1), wanted_bounds, limits)
        return 0
    methods = {method: confirming(name, table, method, limits) for method in confirm}
    wanted = table.sizes(min_side, max_side, squares, wanted_bounds)
    records = table.known(shipped, checkpoint)
    if pictures is not None:  # seen to before hours are spent
        outputs.make_room(pictures / "board.svg")
    if table.missing(wanted, records):
        make_ready(name, table.backend)
    work = TableWork(limits, without, workers or 1, methods)
    for found, how in table.learn(wanted, records, checkpoint, work):
        say(f"{found} ({how})", err=True)
    shown = [records[size] for size in wanted]
    show(table, shown, style, pictures)
    return 0 if all(record.proved for record in shown) else 3
