"""``cpmines campaign diff``: what has changed from one campaign to another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cpmines.cli._say import document, say_lines
from cpmines.errors import UsageError

if TYPE_CHECKING:
    import pandas

from cpmines.cli._inputs import style_option

__all__ = ["command"]


def runs(name: str) -> pandas.DataFrame:
    """The records of ``STORE``, or of ``STORE@TEXT`` those with versions that contain the text.

    Raises
    ------
    UsageError
        There are none.
    """
    from cpmines.campaign.frame import frame
    from cpmines.campaign.store import Store

    path, at, version = (name, "", "") if Path(name).exists() else name.partition("@")
    with Store.open(path) as store:
        found = frame(store)
    if at:
        found = found[found["version"].str.contains(version, regex=False)]
    if found.empty:
        raise UsageError(f"{name}: no runs" + (f" of a version with {version!r}" if at else ""))
    return found


@click.command(name="diff")
@click.argument("before", metavar="STORE[@VERSION]")
@click.argument("after", metavar="STORE[@VERSION]")
@click.option(
    "--by",
    default="cpu",
    show_default=True,
    help="Measure: cpu, wall, build, solve, check, peak_memory, or a counter.",
)
@style_option("text", "json")
def command(before: str, after: str, by: str, style: str) -> int:
    """Compare two campaigns by instance and backend: what is slower, faster, or ends otherwise.

    Exit code 1 if a status has become worse, or a backend slower on a problem by more than its interval and
    5 %. On a single instance it takes three runs on either side to call a change one.

    \b
    Example:
      cpmines campaign diff main.db branch.db
      cpmines campaign diff all.db@'cpmines 0.1' all.db@'cpmines 0.2' --format json
    """
    from cpmines.campaign.difference import difference
    from cpmines.report.difference import change_lines, difference_json, pace_table, verdict_text
    from cpmines.report.tables import console

    found = difference(runs(before), runs(after), by)
    if style == "json":
        document(json.dumps(difference_json(found)))
    else:
        console().print(pace_table(found))
        say_lines("\n".join(["", *change_lines(found), verdict_text(found)]))
    return 1 if found.regressed else 0
