"""``cpmines problems``: does a problem offer what the others rely on?"""

from __future__ import annotations

import click

from cpmines.answer import MOST_SEED
from cpmines.cli._checks import show_checks
from cpmines.cli._inputs import style_option

__all__ = ["command"]


@click.group(name="problems", options_metavar="", subcommand_metavar="test NAME")
def command() -> None:
    """Test a problem, also one of your own; "cpmines list" names them, with their questions.

    \b
    Example:
      cpmines problems test validation
    """


@command.command()
@click.argument("name")
@click.option(
    "--count", type=click.IntRange(1, 10**6), default=100, show_default=True, help="Instances of a check."
)
@click.option("--seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True, help="Of them.")
@style_option("text", "json", help="Output.")
def test(name: str, count: int, seed: int, style: str) -> int:
    """Test a problem: its text and JSON, its judge, its generators, what its backends have in common.

    NAME is one of "cpmines list". What is wrong is shown with an instance.

    \b
    Example:
      cpmines problems test consistency
      cpmines problems test mosaic --count 500 --seed 7
    """
    from cpmines.conformance import Effort, problem_checks

    return show_checks(name, problem_checks(name, Effort(count, seed)), style)
