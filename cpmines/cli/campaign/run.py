"""``cpmines campaign run``: make the runs that a store lacks."""

from __future__ import annotations

import shlex
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cpmines import interrupts
from cpmines.cli._inputs import workers_option
from cpmines.cli._say import say
from cpmines.cli.campaign._outcome import show
from cpmines.errors import UsageError
from cpmines.numerals import plural
from cpmines.report.text import seconds_text

if TYPE_CHECKING:
    from cpmines.campaign.executors import Workers
    from cpmines.campaign.plan import Plan
    from cpmines.campaign.task import Task

__all__ = ["command"]


def show_plan(planned: Plan, store: Path) -> None:
    """What would be made, by problem and question."""
    from cpmines.campaign.record import Instrument
    from cpmines.campaign.store import Store

    missing = len(planned.tasks)
    if store.is_file():
        with Store.open(store) as opened:
            missing -= len({task.key for task in planned.tasks} & opened.keys())
    groups: dict[str, list[Task]] = {}
    for task in planned.tasks:
        groups.setdefault(f"{task.problem} ({task.question})", []).append(task)
    for name, tasks in groups.items():
        kinds = ("instance", "backend")
        counts = (plural(len({getattr(task, kind) for task in tasks}), kind) for kind in kinds)
        each = len({(task.seed, task.repeat) for task in tasks})
        times = f" x {each} times" if each > 1 else ""
        say(f"{name}: {', '.join(counts)}{times}: {plural(len(tasks), 'run')}")
    limit = planned.tasks[0]
    seconds = f"{seconds_text(limit.time_limit)} of CPU time, {seconds_text(limit.wall_limit)} of wall time"
    proof = f"; {seconds_text(limit.certificate_limit)} for its proof" if limit.certificate_limit else ""
    by = "" if limit.instrument == Instrument.OWN else f"; measured by {limit.instrument}"
    say(f"limits of a run: {seconds}, {limit.memory_limit >> 20} MiB{proof}{by}")
    say(f"{missing} of {plural(len(planned.tasks), 'run')} missing in {store}")


def executing(kind: str, workers: int | None, address: str | None) -> AbstractContextManager[Workers]:
    """The executor that the options ask for."""
    from cpmines.campaign.executors import dask, local

    if kind == "dask":
        if address is None:
            raise UsageError("--executor dask needs --address, such as tcp://127.0.0.1:8786")
        return dask(address)
    if address is not None:
        raise UsageError("--address is for --executor dask")
    return local(workers or 1)


@click.command(name="run")
@click.argument("spec", metavar="SPEC")
@click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File of the records.  [default: the spec's name with .db, in this folder]",
)
@workers_option("1")
@click.option(
    "--executor",
    "kind",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Where runs are made.",
)
@click.option("--address", help="Of the Dask scheduler.")
@click.option("--dry-run", is_flag=True, help="Only say what would be made.")
def command(
    spec: str, store: Path | None, workers: int | None, kind: str, address: str | None, dry_run: bool
) -> int:
    """Make the runs of SPEC that the store lacks: a TOML file, or the name of a shipped one.

    A campaign that was interrupted, or whose spec has grown, is continued by the same command. Shipped:
    direct-vs-exact, encodings, engines. The least that a spec has (see README for the rest):

    \b
      [[group]]
      instances = ["boards/consistency"]
      ask = "placement"
      backends = ["direct", "sat:glucose4/totalizer"]

    \b
    Example:
      cpmines campaign run encodings --workers 2
      cpmines campaign run mine.toml --store results/mine.db
      cpmines campaign run mine.toml --executor dask --address tcp://10.0.0.1:8786
    """
    from cpmines.campaign.frame import require_tables
    from cpmines.campaign.plan import plan
    from cpmines.campaign.run import run
    from cpmines.campaign.spec import find, load
    from cpmines.campaign.store import Store
    from cpmines.report.progress import followed

    source = find(spec)
    planned = plan(load(source))
    for said in planned.left_out:
        say(f"cpmines: left out: {said}", err=True)
    path = store or Path(f"{source.stem}.db")
    if dry_run:
        show_plan(planned, path)
        return 0
    require_tables()
    with Store.open(path, create=True) as opened:

        def say_how_to_go_on() -> None:
            again = f"cpmines campaign run {shlex.quote(spec)} --store {shlex.quote(str(path))}"
            say(f"{plural(len(opened), 'run')} in {path}; to go on: {again}", err=True)

        with (
            interrupts.orderly(say_how_to_go_on),
            executing(kind, workers, address) as (executor, width),
            followed() as watch,
        ):
            progress = run(planned, opened, executor, width=width, watch=watch)
        for loss in progress.lost:
            say(f"cpmines: not made: {loss}", err=True)
        return show(opened)
