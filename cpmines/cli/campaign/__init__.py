"""``cpmines campaign``: many runs, measured in processes of their own. One file a subcommand."""

from __future__ import annotations

import click

from cpmines.cli import LazyGroup

__all__ = ["command"]


@click.group(name="campaign", cls=LazyGroup, package=__name__)
def command() -> None:
    """Measure backends on many instances: run, resume, look, evaluate.

    \b
    Example:
      cpmines campaign run encodings
      cpmines campaign status encodings.db
    """
