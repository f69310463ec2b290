"""``python -m benchmarks [NAME]...``: rivals on the same work in the same run; other tools by their names."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

import click

import benchmarks
from benchmarks import Measurement, measure
from benchmarks.options import scale_option
from benchmarks.report import measurement_table
from cpmines.report.tables import console

TOOLS = {
    "faults": "benchmarks.faults.command",
    "interrupts": "benchmarks.interrupts.command",
    "limits": "benchmarks.limits.command",
    "paired": "benchmarks.paired.command",
    "readers": "benchmarks.readers.command",
    "soak": "benchmarks.soak.command",
    "start": "benchmarks.start",
}
RIVALS = "rivals"
ROOMS = ("__main__", "certified", "options", "report", *TOOLS)
"""Modules here that are no benchmarks."""


class Tools(click.Group):
    """Tools are imported when they are named; what begins with no tool's name is for `RIVALS`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = args and args[0] in (*self.list_commands(ctx), "--help")
        return super().parse_args(ctx, args if named else [RIVALS, *args])

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [RIVALS, *TOOLS]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in TOOLS:
            return super().get_command(ctx, name)
        found: click.Command = import_module(TOOLS[name]).command
        return found


@click.group(cls=Tools)
def command() -> None:
    """Measure cpmines; without the name of a tool, `rivals`."""


def benchmark_names() -> list[str]:
    return sorted(
        found.name for found in pkgutil.iter_modules(benchmarks.__path__) if found.name not in ROOMS
    )


@command.command(name=RIVALS)
@click.argument("names", nargs=-1, metavar="[BENCHMARK]...")
@scale_option()
def rivals(names: tuple[str, ...], scale: float) -> None:
    """Run rivals on the same work and print how many times as fast the first one is.

    \b
    Example:
      python -m benchmarks validation --scale 0.01
      python -m benchmarks
    """
    there = benchmark_names()
    for name in names:
        if name not in there:
            raise click.UsageError(f"no benchmark named {name!r}; there are: {', '.join(there)}")
    differing = [name for name in names or there if differs(name, scale)]
    sys.exit(1 if differing else 0)


def differs(name: str, scale: float) -> bool:
    """Run one benchmark and print it. Have rivals given different results?"""
    measurements: list[Measurement] = []
    try:
        for case in import_module(f"{benchmarks.__name__}.{name}").cases(scale):
            click.echo(f"{name}: {case.name}", err=True)
            measurements.append(measure(case))
    except ImportError as error:
        raise click.UsageError(f"{name}: {error}; install the extra: pip install 'cpmines[bench]'") from None
    finally:
        if measurements:
            console().print(measurement_table(name, measurements))
    return any(measured.differing for measured in measurements)


if __name__ == "__main__":
    command(prog_name="python -m benchmarks")
