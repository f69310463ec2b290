"""``cpmines list``: the problems, their questions and their backends."""

from __future__ import annotations

import json

import click

from cpmines import registry
from cpmines.cli._inputs import style_option
from cpmines.cli._say import document, say
from cpmines.errors import UsageError

__all__ = ["command"]


@click.command(name="list")
@click.argument("problem", required=False)
@style_option("table", "json", help="Output.")
def command(problem: str | None, style: str) -> int:
    """List the problems, the questions of each, and its backends: what they are worth and how they work.

    \b
    Example:
      cpmines list
      cpmines list maxmines --format json
    """
    from cpmines.report.tables import console, problem_table

    names = [problem] if problem else list(registry.sound_problems())
    out = console()
    for name in names:
        try:
            if style == "json":
                document(json.dumps(_record(name)))
            else:
                out.print(problem_table(name))
        except UsageError as error:
            if problem:
                raise
            say(f"cpmines: {error}", err=True)
    return 0


def _record(name: str) -> dict[str, object]:
    found, statement = registry.problem(name), registry.sound_modelling(name)
    backends = [(backend, registry.backend(name, backend)) for backend in registry.backend_names(name)]
    return {
        "problem": name,
        "summary": found.summary,
        "questions": [
            {"name": one.name, "summary": one.summary, "options": [option.name for option in one.options]}
            for one in found.questions
        ],
        "backends": [
            {
                "name": backend,
                "trust": str(solver.trust),
                "method": solver.summary,
                "questions": [one.name for one in registry.answered(name, backend)],
            }
            for backend, solver in backends
        ],
        "formulations": [] if statement is None else statement.every_formulation(),
    }
