"""``cpmines generate``: random instances of a problem's families."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from cpmines import outputs, registry
from cpmines.answer import MOST_SEED
from cpmines.cli._outputs import OutputFolder
from cpmines.cli._say import document, say_lines
from cpmines.errors import UsageError
from cpmines.numerals import share_of

__all__ = ["command"]


def parameters(family: Callable[..., Any]) -> dict[str, Any]:
    """Names of a family's parameters and their defaults."""
    found = list(inspect.signature(family).parameters.values())[1:]
    return {parameter.name: parameter.default for parameter in found}


def convert(name: str, text: str, default: Any) -> Any:
    """`text` as a value of the type of `default`; None may become a whole number, a fraction is a share."""
    kind = int if default is None else type(default)
    if kind is float:
        try:
            return share_of(text)
        except ValueError as error:
            raise UsageError(f"{name}={error}") from None
    try:
        return {"true": True, "false": False}[text.lower()] if kind is bool else kind(text)
    except (ValueError, KeyError):
        raise UsageError(f"{name}={text}: expected {kind.__name__}") from None


def settings(family: Callable[..., Any], given: Sequence[str]) -> dict[str, Any]:
    """The ``name=value`` words as keyword arguments of the family; ``--name`` stands for ``name=true``."""
    known = parameters(family)
    chosen = {}
    for word in given:
        name, equals, text = word.partition("=")
        if not equals and isinstance(known.get(flag := name.removeprefix("--").replace("-", "_")), bool):
            name, equals, text = flag, "=", "true"
        if not equals or name not in known:
            there = ", ".join(f"{key}={value}" for key, value in known.items())
            raise UsageError(f"no parameter {word!r}; there are, with their defaults: {there}")
        chosen[name] = convert(name, text, known[name])
    return chosen


def overview(problem: str) -> str:
    lines = [f"families of {problem}, with their parameters:"]
    for name, family in registry.generators(problem).FAMILIES.items():
        words = " ".join(f"{key}={value}" for key, value in parameters(family).items())
        about = (inspect.getdoc(family) or "").partition("\n")[0]
        lines += [f"  {name} {words}", f"      {about}"]
    return "\n".join(lines)


@click.command(name="generate", context_settings={"ignore_unknown_options": True})
@click.argument("problem")
@click.argument("given", nargs=-1, metavar="[PARAMETER=VALUE]...")
@click.option("--family", help="Kind of instance.  [default: the problem's first]")
@click.option("--list", "listing", is_flag=True, help="List the families and their parameters.")
@click.option(
    "--seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True, help="Of the first one."
)
@click.option(
    "--count", type=click.IntRange(1, 10**6), default=1, show_default=True, help="With -o: how many."
)
@click.option("-o", "--output", type=OutputFolder(), help="Folder to write files to.")
def command(
    problem: str,
    given: tuple[str, ...],
    family: str | None,
    listing: bool,
    seed: int,
    count: int,
    output: Path | None,
) -> int:
    """Make random instances of PROBLEM. The same seed makes the same instance.

    \b
    Example:
      cpmines generate consistency --list
      cpmines generate validation rows=4 cols=8 wrong=1 --seed 7
      cpmines generate reconstruction --count 20 -o tables/reconstruction
      cpmines generate mosaic --minimal board=picture.txt
    """
    families = registry.generators(problem).FAMILIES
    if listing:
        say_lines(overview(problem))
        return 0
    name = next(iter(families)) if family is None else family
    if name not in families:
        raise UsageError(f"no family {name!r} of {problem}; there are: {', '.join(families)}")
    if count > 1 and output is None:
        raise UsageError("--count needs a folder to write to: -o FOLDER")
    chosen = settings(families[name], given)
    for number in range(seed, seed + count):
        text = make(problem, families[name], number, chosen)
        if output is None:
            document(text, end="")
        else:
            outputs.write(output / f"{name}-{number}.txt", text)
    return 0


def make(problem: str, family: Callable[..., Any], seed: int, chosen: dict[str, Any]) -> str:
    """Text of the instance; parameters outside the family's range are a `UsageError`."""
    import numpy as np

    try:
        return registry.problem(problem).render(family(np.random.default_rng(seed), **chosen))
    except (ValueError, MemoryError, OverflowError) as error:
        raise UsageError(f"no such instance: {error}") from None
