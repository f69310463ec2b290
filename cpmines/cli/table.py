"""``cpmines table``: what is known of every size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import click

from cpmines import registry
from cpmines.answer import Limits, Status
from cpmines.cli._inputs import limit_options, make_ready, style_option
from cpmines.errors import CpminesError, UsageError
from cpmines.problem import Trust
from cpmines.problems.maxmines import records as table
from cpmines.problems.maxmines.frontier import Reductions
from cpmines.problems.maxmines.problem import Rectangle
from cpmines.problems.maxmines.records import BoardRecord
from cpmines.run import run

__all__ = ["command"]

REDUCTIONS = ("dominance", "bounds", "meeting")
UNBOUNDED = "frontier:unbounded"
"""The frontier without bounds and closed forms, as another method to confirm values by."""


class ConflictError(CpminesError):
    """Two methods have proved different numbers."""

    exit_code = 1


def computed(
    wanted: list[Rectangle], limits: Limits, without: tuple[str, ...], jobs: int
) -> Iterator[BoardRecord]:
    """The records of `wanted`, one after the other or as they are ready."""
    kept = Reductions(**{name: name not in without for name in REDUCTIONS})
    work = partial(table.compute, limits=limits, kept=kept, theorems="theorems" not in without)
    if jobs == 1 or len(wanted) < 2:
        yield from map(work, wanted)
        return
    with ProcessPoolExecutor(jobs) as pool:
        try:
            for ready in as_completed([pool.submit(work, size) for size in wanted]):
                yield ready.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def proof_by(backend: str, record: BoardRecord, limits: Limits) -> tuple[bool, int] | None:
    """Whether `backend` has a proof, and how many mines it has found; None if it has no valid board."""
    if backend == UNBOUNDED:
        found = table.compute(record.size, limits, Reductions(bounds=False), theorems=False)
        return found.proved, found.mines
    result = run("maxmines", record.size, backend, limits)
    if result.value is None or not result.trusted:
        return None
    return result.status is Status.SOLVED, result.value.mines


def confirmed(record: BoardRecord, backend: str, limits: Limits) -> BoardRecord:
    """The record with `backend` among those that have proved it, if it can.

    Raises
    ------
    ConflictError
        The backend has proved another number, or has a better board.
    """
    proved = proof_by(backend, record, limits)
    if proved is None:
        return record
    solved, mines = proved
    if mines > record.bound or (solved and mines < record.mines):
        size = f"{record.rows}x{record.cols}, M = {record.M}"
        raise ConflictError(
            f"{size}: {record.proof} says {record.mines} to {record.bound}, {backend} {mines}"
        )
    if not solved or not record.proved or backend in record.confirmed:
        return record
    return replace(record, confirmed=(*record.confirmed, backend))


def learned(
    records: Mapping[Rectangle, BoardRecord],
    wanted: list[Rectangle],
    backends: tuple[str, ...],
    limits: Limits,
    without: tuple[str, ...],
    jobs: int,
) -> Iterator[BoardRecord]:
    """What is missing in `records`, and then all that `backends` confirm; `records` has them all by then."""
    lacking = list(table.missing(wanted, records))
    if lacking and jobs == 1:
        make_ready("maxmines", "direct")
    for found in computed(lacking, limits, without, jobs):
        yield note(found.joined(records.get(found.size)), found.proof)
    for size in wanted:
        for backend in backends:
            if backend not in records[size].confirmed:
                found = confirmed(records[size], backend, limits)
                if backend in found.confirmed:
                    yield note(found, backend)


def note(record: BoardRecord, what: str) -> BoardRecord:
    mines = f"{record.mines}" if record.proved else f"{record.mines} to {record.bound}"
    click.echo(f"{record.rows}x{record.cols} M={record.M}: {mines} ({what})", err=True)
    return record


def known_records(checkpoint: Path | None, shipped: bool) -> dict[Rectangle, BoardRecord]:
    """What need not be computed."""
    known = table.shipped_records() if shipped else {}
    if checkpoint is not None and checkpoint.exists():
        known |= table.read(checkpoint)
    return known


def show(records: list[BoardRecord], style: str, pictures: Path | None) -> None:
    from cpmines.report.records import board_pictures, detail_table, record_table, write_pictures
    from cpmines.report.tables import console

    if style == "jsonl":
        for record in records:
            click.echo(record.line())
    elif style == "boards":
        click.echo(board_pictures(records))
    else:
        console().print(record_table(records) if style == "text" else detail_table(records))
    if pictures is not None:
        click.echo(f"{write_pictures(records, pictures)} pictures in {pictures}", err=True)


def show_periods(sides: range, each_m: list[int], limits: Limits) -> None:
    """What is found is shown, too, where a limit or the user ends it."""
    from cpmines.problems.maxmines.periods import Period, period
    from cpmines.report.records import period_table
    from cpmines.report.tables import console

    make_ready("maxmines", "direct")
    limits = limits.begin()
    found: list[Period] = []
    try:
        for side, around in product(sides, each_m):
            found.append(period(side, around, limits))
    finally:
        if found:
            console().print(period_table(found))


def check_long(longest: int, **others: object) -> None:
    """Raise `UsageError` for what does not go with boards of any length."""
    from cpmines.problems.maxmines.periods import WIDEST_PERIOD

    if longest > WIDEST_PERIOD:
        raise UsageError(f"--max-side {longest}: with --long, sides are at most {WIDEST_PERIOD}")
    if given := [f"--{name}" for name, value in others.items() if value]:
        raise UsageError(f"{given[0]} does not go with --long")


def check_confirming(backend: str) -> None:
    """Raise `UsageError` for what is no backend, or confirms nothing."""
    if backend == UNBOUNDED:
        return
    if registry.backend("maxmines", backend).trust is not Trust.EXACT:
        raise UsageError(f"--confirm {backend}: its answers prove nothing, it is not labelled exact")
    if backend == "direct":
        raise UsageError("--confirm direct: that is what computes the values")


@click.command(name="table")
@click.argument("problem", type=click.Choice(["maxmines"]))
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
    type=click.IntRange(1, 8),
    multiple=True,
    metavar="M",
    help="Only this M.  [default: all]",
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
    help=f"Have each value proved by it as well; {UNBOUNDED} is the frontier without bounds and theorems.",
)
@click.option(
    "--without",
    multiple=True,
    type=click.Choice([*REDUCTIONS, "theorems"]),
    help="Switch a reduction off: the values stay, the states grow.",
)
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes.")
@click.option(
    "--long",
    "periods",
    is_flag=True,
    help="Instead: boards of any length with a side of up to 8, and their density.",
)
@click.option(
    "--pictures", type=click.Path(file_okay=False, path_type=Path), help="Folder for an SVG a board."
)
@style_option("text", "details", "boards", "jsonl")
@limit_options()
def command(
    problem: str,
    max_side: int,
    min_side: int,
    squares: bool,
    bounds: tuple[int, ...],
    shipped: bool,
    checkpoint: Path | None,
    confirm: tuple[str, ...],
    without: tuple[str, ...],
    jobs: int,
    periods: bool,
    pictures: Path | None,
    style: str,
    time_limit: float | None,
    memory_limit: int,
    seed: int,
) -> int:
    """The most mines of every size up to a side, for every M, and how each value is proved.

    \b
    Example:
      cpmines table maxmines --max-side 12 --shipped
      cpmines table maxmines --max-side 8 --checkpoint records.jsonl --confirm sat:tight
      cpmines table maxmines --squares --min-side 16 --max-side 16 --bound 4 --checkpoint records.jsonl
      cpmines table maxmines --long --max-side 4
    """
    limits = Limits(time_limit, memory_limit << 20, seed)
    chosen = sorted(set(bounds)) or list(range(1, 9))
    if min_side > max_side:
        raise UsageError(f"--min-side {min_side} is more than --max-side {max_side}")
    if periods:
        given = {"squares": squares, "shipped": shipped, "checkpoint": checkpoint, "confirm": confirm}
        more = {"without": without, "jobs": jobs > 1, "pictures": pictures, "format": style != "text"}
        check_long(max_side, **given, **more)
        show_periods(range(min_side, max_side + 1), chosen, limits)
        return 0
    for backend in confirm:
        check_confirming(backend)
    wanted = table.sizes(max_side, squares, min_side, chosen)
    records = known_records(checkpoint, shipped)
    prepare(checkpoint, pictures)
    for found in learned(records, wanted, confirm, limits, without, jobs):
        records[found.size] = found
        if checkpoint is not None:
            table.append(checkpoint, [found])
    shown = [records[size] for size in wanted]
    show(shown, style, pictures)
    return 0 if all(record.proved for record in shown) else 3


def prepare(checkpoint: Path | None, pictures: Path | None) -> None:
    """See that what is to be written can be, before hours are spent. Raises `UsageError`."""
    if checkpoint is not None:
        table.append(checkpoint, [])
    if pictures is not None:
        try:
            pictures.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{pictures}: {error.strerror}") from None
