"""``cpmines campaign status``: what is done, missing, in conflict."""

from __future__ import annotations

from pathlib import Path

import click

from cpmines.cli.campaign._outcome import show

__all__ = ["command"]


@click.command(name="status")
@click.argument("path", metavar="STORE", type=click.Path(path_type=Path))
def command(path: Path) -> int:
    """Say what of a campaign is done and what is missing, by backend, and all that is wrong with it.

    Exit code 1 for a conflict or a failure, 3 for missing runs, else 0.

    \b
    Example:
      cpmines campaign status encodings.db
    """
    from cpmines.campaign.run import is_alive
    from cpmines.campaign.store import Store

    with Store.open(path) as store:
        running = [key for key, owner in store.claims().items() if is_alive(owner)]
        return show(store, running)
