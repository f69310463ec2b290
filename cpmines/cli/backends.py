"""``cpmines backends``: what engines there are and can do, and whether they do what they should."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from cpmines import registry
from cpmines.answer import MOST_SEED
from cpmines.cli._checks import show_checks
from cpmines.cli._inputs import style_option
from cpmines.cli._say import document

if TYPE_CHECKING:
    from cpmines.conformance import CheckResult, Effort

__all__ = ["command"]


class ListByDefault(click.Group):
    """A group that lists, with the words as they are, unless the first one is a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in {*self.commands, *self.get_help_option_names(ctx)}:
            args = ["list", *args]
        return super().parse_args(ctx, args)


@click.group(
    name="backends", cls=ListByDefault, options_metavar="", subcommand_metavar="[PROBLEM] | test NAME"
)
def command() -> None:
    """List engines with their versions and abilities, or test a backend: also one of your own.

    Without "test": the engines and the packages of others, or those of a PROBLEM, installed or not;
    --format json for programs; --variants also each solver that an engine can use.

    \b
    Example:
      cpmines backends
      cpmines backends counting --format json
      cpmines backends test clingo --problem consistency
      cpmines backends test mypackage.solvers:BACKEND --problem maxmines
    """


@command.command(name="list", hidden=True)
@click.argument("problem", required=False)
@click.option("--variants", is_flag=True, help="Also each solver that an engine can use.")
@style_option("table", "json", help="Output.")
def listing(problem: str | None, variants: bool, style: str) -> int:
    """List the engines and the packages of others, or those of a PROBLEM, installed or not."""
    from cpmines.conformance import capabilities
    from cpmines.report.engines import capability_table
    from cpmines.report.tables import console

    found = capabilities(problem, variants=variants)
    if style == "json":
        for one in found:
            document(json.dumps(one.to_json()))
    else:
        console().print(capability_table(found))
    return 0


@command.command()
@click.argument("name")
@click.option(
    "--problem", help="Only this problem; needed for a backend that is named package.module:OBJECT."
)
@click.option(
    "--count",
    type=click.IntRange(1, 10**6),
    default=100,
    show_default=True,
    help="Instances, or Models, of a check.",
)
@click.option("--seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True, help="Of them.")
@style_option("text", "json")
def test(name: str, problem: str | None, count: int, seed: int, style: str) -> int:
    """Test a backend or an engine: agreement with brute force, limits, repetition, what it says it can do.

    NAME is one of "cpmines list" or, from the current folder or what is installed, package.module:OBJECT, a
    Backend or an Engine. On a disagreement the smallest instance is shown that could be found. What an engine
    does not promise is named: its runs are then put in a process that can be ended, its optima are found by
    demanding more and more.

    \b
    Example:
      cpmines backends test clingo
      cpmines backends test published --problem maxmines
      cpmines backends test mypackage.solvers:ENGINE --count 500 --seed 7
    """
    from cpmines.conformance import Effort, problems_of
    from cpmines.engine import abilities_of

    problems = [problem] if problem is not None else problems_of(name)
    engine = getattr(registry.backend(problems[0], name), "engine", None)
    promised = None if engine is None else abilities_of(engine)
    return show_checks(name, verdicts(name, problems, engine, Effort(count, seed)), style, promised)


def verdicts(name: str, problems: Sequence[str], engine: Any, effort: Effort) -> Iterator[CheckResult]:
    """The checks of an engine by itself, then on each of the problems."""
    from cpmines.conformance import Subject, backend_checks, engine_checks

    if engine is not None:
        yield from engine_checks(engine, effort)
    for each in problems:
        yield from backend_checks(Subject(each, name), effort)
