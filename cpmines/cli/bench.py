"""``cpmines bench``: rivals on the same work in the same run."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import click

from cpmines import bench
from cpmines.bench import Measurement, measure
from cpmines.errors import UsageError
from cpmines.report.tables import console, measurement_table

__all__ = ["command"]


def benchmark_names() -> list[str]:
    return sorted(found.name for found in pkgutil.iter_modules(bench.__path__))


@click.command(name="bench")
@click.argument("names", nargs=-1, metavar="[BENCHMARK]...")
@click.option(
    "--scale",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    show_default=True,
    help="Part of the work to do, for a quick look.",
)
def command(names: tuple[str, ...], scale: float) -> int:
    """Run rivals on the same work and print how many times as fast the first one is.

    \b
    Example:
      cpmines bench validation --scale 0.01
      cpmines bench
    """
    there = benchmark_names()
    for name in names:
        if name not in there:
            raise UsageError(f"no benchmark named {name!r}; there are: {', '.join(there)}")
    differing = False
    for name in names or there:
        measurements: list[Measurement] = []
        try:
            for case in import_module(f"{bench.__name__}.{name}").cases(scale):
                click.echo(f"{name}: {case.name}", err=True)
                measurements.append(measure(case))
        except ImportError as error:
            raise UsageError(f"{name}: {error}; install the extra: pip install 'cpmines[bench]'") from None
        finally:
            if measurements:
                console().print(measurement_table(name, measurements))
        differing |= any(measured.differing for measured in measurements)
    return 1 if differing else 0
