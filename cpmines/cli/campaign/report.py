"""``cpmines campaign report``: one page with everything, and the figures as files."""

from __future__ import annotations

from pathlib import Path

import click

from cpmines.cli._outputs import STANDARD_OUTPUT, OutputFile, OutputFolder
from cpmines.cli._say import say
from cpmines.errors import UsageError
from cpmines.numerals import plural
from cpmines.outputs import write

__all__ = ["command"]


@click.command(name="report")
@click.argument("path", metavar="STORE", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=OutputFile(STANDARD_OUTPUT), help="The page, HTML.")
@click.option("--plots", type=OutputFolder(), help="Folder for SVG and PNG files.")
@click.option(
    "--by",
    default="cpu",
    show_default=True,
    help="Measure: cpu, wall, build, solve, check, peak_memory, or a counter, as conflicts or clauses.",
)
@click.option(
    "--scatter",
    "pair",
    nargs=2,
    metavar="BACKEND BACKEND",
    help="With --plots: these two against each other.  [default: the two best]",
)
def command(
    path: Path, output: Path | None, plots: Path | None, by: str, pair: tuple[str, str] | None
) -> int:
    """Write a report of a campaign: a page that needs no network, or its figures as files, or both.

    \b
    Example:
      cpmines campaign report encodings.db -o report.html
      cpmines campaign report encodings.db --plots figures --by clauses
      cpmines campaign report encodings.db --plots figures --scatter sat:glucose4 sat:cadical195
    """
    from cpmines.campaign.frame import frame
    from cpmines.campaign.statistics.summary import ranked
    from cpmines.campaign.store import Store
    from cpmines.report.campaign.figures import figures
    from cpmines.report.campaign.page import document
    from cpmines.report.campaign.plots import plot_files

    if output is None and plots is None:
        raise UsageError("nothing to write: give -o FILE, --plots FOLDER or both")
    if pair and plots is None:
        raise UsageError("--scatter without --plots: the page can show any two backends")
    with Store.open(path) as store:
        runs = frame(store)
        if output is not None:
            write(output, document(store, runs, by))
            say(f"{output}: {plural(len(runs), 'run')}", err=True)
        if plots is not None:
            for written in plot_files(list(figures(runs, by, pair)), plots, ranked(runs)):
                say(written, err=True)
    return 0
