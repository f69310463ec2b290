"""``cpmines list``: the problems and their backends."""

from __future__ import annotations

import json

import click

from cpmines import registry
from cpmines.cli._inputs import style_option
from cpmines.report.tables import backend_table, console

__all__ = ["command"]


@click.command(name="list")
@click.argument("problem", required=False)
@style_option("table", "json", help="Output.")
def command(problem: str | None, style: str) -> int:
    """List the problems and the backends of each: what they are worth and how they work.

    \b
    Example:
      cpmines list
      cpmines list maxmines --format json
    """
    names = [problem] if problem else registry.problem_names()
    out = console()
    for name in names:
        if style == "json":
            click.echo(json.dumps(_record(name)))
        else:
            out.print(backend_table(name))
    return 0


def _record(name: str) -> dict[str, object]:
    backends = [(backend, registry.backend(name, backend)) for backend in registry.backend_names(name)]
    statement = registry.modelling(name)
    return {
        "problem": name,
        "question": registry.problem(name).question,
        "backends": [
            {"name": backend, "trust": str(found.trust), "method": found.summary}
            for backend, found in backends
        ],
        "formulations": [] if statement is None else list(statement.formulations),
    }
