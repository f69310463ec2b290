"""``cpmines import-solution``: another solver's answer, decoded and judged."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cpmines import registry
from cpmines.cli._inputs import style_option
from cpmines.cli._say import document, say, say_lines
from cpmines.report.text import asked_text

__all__ = ["command"]

UNANSWERED = 3


@click.command(name="import-solution")
@click.argument("exported", type=click.Path(path_type=Path))
@click.argument("solution", type=click.Path(path_type=Path))
@click.option("--complete", is_flag=True, help="The solution's assignments are all that there are.")
@style_option("text", "json")
def command(exported: Path, solution: Path, complete: bool, style: str) -> int:
    """Read what a solver printed for EXPORTED, a file of `cpmines export` or its map, and judge it.

    Understood are the outputs of SAT, MaxSAT and pseudo-Boolean competitions, lists of literals, names with
    values, and CP-SAT's responses. Exit code 0: right; 1: wrong; 3: nothing that could be judged.

    \b
    Example:
      cpmines export maxmines maxmines/origin#1 --format opb -o three.opb
      cpmines import-solution three.opb answer.txt
    """
    from cpmines.export.importing import import_solution
    from cpmines.export.mapping import read_map

    found = import_solution(read_map(exported), solution, complete=complete)
    for fault in found.faults:
        say(f"cpmines: {solution}: {fault}", err=True)
    if style == "json":
        document(json.dumps(found.to_json()))
    elif not found.faults:
        question = registry.problem(found.problem)
        headline = "" if found.value is None else f": {question.headline(found.value)}"
        note = f" ({found.note})" if found.note else ""
        say(f"{solution}: {asked_text(found.problem, found.asked)}{found.status}{headline}{note}")
        if found.value is not None:
            say_lines(question.draw(found.instance, found.value))
    if found.faults:
        return 1
    return 0 if found.value is not None else UNANSWERED
