"""``python -m benchmarks start``: how long a new user waits for the installation and for first answers."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Group

import benchmarks
from cpmines import registry
from cpmines.report.tables import console, table, titled
from cpmines.report.text import seconds_text

__all__ = ["command"]

REPOSITORY = Path(benchmarks.__path__[0]).parent
INSTALL_SECONDS = 90.0
HELP, IMPORT, SOLVE = 1.5, 1.2, 2.5
"""Targets: times what the import of numpy takes."""
MEASURE = "import numpy"


@dataclass(frozen=True)
class Row:
    """One line: what took how long, and at most how many seconds it may take; None for no target."""

    what: str
    seconds: float
    most: float | None = None

    @property
    def missed(self) -> bool:
        return self.most is not None and self.seconds > self.most


class Environment:
    """An interpreter with cpmines installed, and where its commands are run.

    Parameters
    ----------
    fresh
        Is nothing imported that comes from elsewhere?
    """

    def __init__(self, python: Path, folder: Path, fresh: bool) -> None:
        self.python, self.folder = str(python), folder
        self.cpmines = str(python.with_name("cpmines" + python.suffix))
        left_out = ("PYTHONPATH", "PYTHONHOME") if fresh else ()
        self.variables = {key: value for key, value in os.environ.items() if key not in left_out}

    def seconds(self, command: Sequence[str], text: str = "") -> float:
        """Wall time of a command. Raises `click.ClickException` if it fails."""
        start = time.perf_counter()
        try:
            done = subprocess.run(
                command, input=text, cwd=self.folder, env=self.variables, capture_output=True, text=True
            )
        except OSError as error:
            raise click.ClickException(f"{command[0]}: {error.strerror}") from None
        spent = time.perf_counter() - start
        if done.returncode:
            raise click.ClickException(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
        return spent


@click.command(name="start")
@click.option(
    "--python",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Interpreter of an environment with cpmines; without it a fresh clone is installed into a new one.",
)
@click.option("--repeat", type=click.IntRange(1), default=7, show_default=True, help="Medians of so many.")
@click.option(
    "--problem",
    "problems",
    multiple=True,
    type=click.Choice(registry.problem_names()),
    help="Problems to solve; all if none is named. Repeatable.",
)
def command(python: Path | None, repeat: int, problems: tuple[str, ...]) -> None:
    """Time the installation of the last commit, first and later answers, --help and imports.

    A first answer is one after installation: with --python, it is the first one in this run. Exit code 1 if
    a target is missed.

    \b
    Example:
      python -m benchmarks start
      python -m benchmarks start --python .venv/bin/python
    """
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if python is None:
            python, seconds = installed(folder)
            rows.append(Row("pip install .", seconds, INSTALL_SECONDS))
        # A link to another interpreter is left as it is: it is what makes an environment.
        environment = Environment(python.absolute(), folder, fresh=bool(rows))
        rows += answer_rows(environment, problems or registry.problem_names(), repeat)
    console().print(row_table(rows))
    sys.exit(1 if any(row.missed for row in rows) else 0)


def installed(folder: Path) -> tuple[Path, float]:
    """The interpreter of a new environment, and the seconds that it took to install a clone into it."""
    clone, made = folder / "clone", folder / "environment"
    python = made / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    setting = Environment(Path(sys.executable), folder, fresh=True)
    click.echo("clone, environment, installation", err=True)
    setting.seconds(["git", "clone", "--quiet", str(REPOSITORY), str(clone)])
    setting.seconds([sys.executable, "-m", "venv", str(made)])
    return python, setting.seconds([str(python), "-m", "pip", "install", "--quiet", str(clone)])


def answer_rows(environment: Environment, problems: Sequence[str], repeat: int) -> list[Row]:
    """First answers, one after the other; then the medians of rounds in which each command is run once."""
    solving = {
        f"solve {name}": ([environment.cpmines, "solve", name, "-"], registry.problem(name).warm_up[0])
        for name in problems
    }
    first = {}
    for what, (words, text) in solving.items():
        click.echo(f"first {what}", err=True)
        first[what] = environment.seconds(words, text)
    others = {
        MEASURE: ([environment.python, "-c", MEASURE], ""),
        "import cpmines": ([environment.python, "-c", "import cpmines"], ""),
        "--help": ([environment.cpmines, "--help"], ""),
    }
    spent: dict[str, list[float]] = {what: [] for what in (*others, *solving)}
    for number in range(repeat):
        click.echo(f"round {number + 1} of {repeat}", err=True)
        for what, (words, text) in (others | solving).items():
            spent[what].append(environment.seconds(words, text))
    medians = {what: statistics.median(seconds) for what, seconds in spent.items()}
    unit = medians[MEASURE]
    targets = {"import cpmines": IMPORT * unit, "--help": HELP * unit} | dict.fromkeys(solving, SOLVE * unit)
    rows = [Row(what, seconds, targets.get(what)) for what, seconds in medians.items()]
    return [*rows, *(Row(f"first {what}", seconds, SOLVE * unit) for what, seconds in first.items())]


def row_table(rows: Sequence[Row]) -> Group:
    """Seconds, and how they compare with the import of numpy and the targets."""
    unit = next(row.seconds for row in rows if row.what == MEASURE)
    made = table("what", "time", "numpy", "target", "", numbers=("time", "numpy", "target"))
    for row in rows:
        ratio = f"{row.seconds / unit:.2f}x"
        target = "" if row.most is None else f"{row.most / unit:.3g}x"
        if row.what.startswith("pip"):
            ratio, target = "", seconds_text(INSTALL_SECONDS)
        made.add_row(row.what, seconds_text(row.seconds), ratio, target, "missed" if row.missed else "")
    return titled("start: wall time, and times what the import of numpy takes", made)
