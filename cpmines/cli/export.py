"""``cpmines export``: an instance as a file for another solver."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from cpmines.answer import Limits
from cpmines.cli._asked import ProblemCommand, ask_option
from cpmines.cli._inputs import Named, instances, sources
from cpmines.cli._outputs import output_option
from cpmines.cli._say import say
from cpmines.errors import InputError, UsageError
from cpmines.numerals import plural
from cpmines.question import Asked

__all__ = ["command"]


def only_instance(problem: str, name: str, asked: Asked) -> Named:
    """The one instance that `name` means. Raises `InputError` or `UsageError`."""
    found = list(sources(problem, [name]))
    if isinstance(found[0], InputError):
        raise found[0]
    if len(found) > 1:
        raise UsageError(f"{name}: {plural(len(found), 'file')}, expected one")
    named = list(instances(found[0], asked))
    if len(named) > 1:
        raise UsageError(f"{name}: {plural(len(named), 'instance')}, expected one; name it by {name}#K")
    return named[0]


@click.command(name="export", cls=ProblemCommand)
@click.argument("problem")
@click.argument("instance", default="-", metavar="[FILE|-]")
@ask_option()
@click.option("--format", "kind", required=True, help="cnf, wcnf, opb, lp, mps, or cpsat (CP-SAT's proto).")
@output_option("File, gzip-compressed if named .gz.")
@click.option("--formulation", help="Of the problem's Model.  [default: the first]")
@click.option("--encoding", default="binomial", show_default=True, help="Of sums as clauses (cnf, wcnf).")
@click.option("--at-least", type=int, help="Turn the objective into a constraint: at least so much.")
@click.option(
    "--memory-limit",
    type=click.IntRange(1, 1 << 30),
    default=Limits.memory >> 20,
    show_default=True,
    metavar="MB",
    help="Memory that the file's content may take.",
)
def command(
    problem: str,
    instance: str,
    ask: str | None,
    kind: str,
    output: Path | None,
    formulation: str | None,
    encoding: str,
    at_least: int | None,
    memory_limit: int,
    **given: Any,
) -> int:
    """Write an instance of PROBLEM for another solver, with a map from its variables to the cells beside it.

    The map, FILE.map.json, is what `cpmines import-solution` needs; for standard output, FIFOs and devices
    there is none, but every format has the cells in its comments.

    \b
    Example:
      cpmines export maxmines maxmines/origin#1 --format opb -o three.opb
      cpmines export consistency board.txt --format cnf --encoding totalizer -o board.cnf.gz
      cpmines export reconstruction table.txt --ask fewest --format wcnf -o table.wcnf
    """
    from cpmines.export.statement import state, statement_asked
    from cpmines.export.writing import export, export_file, format_names

    asked = statement_asked(problem, ask, **given)
    if kind not in format_names():
        raise UsageError(f"no format {kind!r}; there are: {', '.join(format_names())}")
    named = only_instance(problem, instance, asked)
    limits = Limits(memory=memory_limit << 20)
    statement = state(problem, named.instance, formulation, asked=asked, at_least=at_least, limits=limits)
    if output is None:
        export(statement, kind, sys.stdout.buffer, encoding=encoding, limits=limits)
        return 0
    found = export_file(statement, kind, output, encoding=encoding, limits=limits)
    say(f"{output}: {plural(found.file_variables, 'variable')}, {len(found.cells)} of them cells", err=True)
    return 0
