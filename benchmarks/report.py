"""Measurements as tables for people."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group

from benchmarks import Measurement
from cpmines.report.tables import ratio_text, table, titled
from cpmines.report.text import seconds_text

__all__ = ["measurement_table", "unit_text"]


def measurement_table(name: str, measurements: Iterable[Measurement]) -> Group:
    """Seconds of each rival, and how many times as fast the first one is."""
    measurements = list(measurements)
    remarks = ("result",) if any(measured.remarks for measured in measurements) else ()
    made = table(
        *("work", "rival", "time", "per unit", "ratio", *remarks), numbers=("time", "per unit", "ratio")
    )
    for measured in measurements:
        for number, (rival, seconds) in enumerate(measured.seconds.items()):
            units = measured.case.units
            differs = "  DIFFERS" if rival in measured.differing else ""
            made.add_row(
                measured.case.name if number == 0 else "",
                rival + differs,
                seconds_text(seconds),
                unit_text(seconds / units) if units else "",
                ratio_text(measured.ratio(rival)) if number else "",
                *([measured.remarks.get(rival, "")] if remarks else []),
            )
    return titled(name, made)


def unit_text(seconds: float) -> str:
    """Like `seconds_text`, in nanoseconds below a microsecond."""
    return f"{seconds * 1e9:.3g} ns" if seconds < 1e-6 else seconds_text(seconds)
