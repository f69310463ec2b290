"""What has changed between two campaigns, for people and for programs."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from rich.console import Group

from cpmines.campaign.difference import Change, ChangeKind, Difference, Pace
from cpmines.campaign.statistics.intervals import Interval
from cpmines.numerals import plural
from cpmines.quoting import printable
from cpmines.report.tables import table, titled

__all__ = ["change_lines", "difference_json", "factor_text", "pace_table", "verdict_text"]

MOST_CHANGES = 20
"""Changes of a kind that are listed; of the others only the number."""


def factor_text(factor: Interval) -> str:
    """A factor with its interval."""
    if math.isnan(factor.low):
        return f"{factor.value:.3g}"
    return f"{factor.value:.3g} ({factor.low:.3g} to {factor.high:.3g})"


def pace_table(found: Difference) -> Group:
    """One line for each question of a problem and backend."""
    columns = ("problem", "question", "backend", "instances", "cost after / before", "p", "")
    made = table(*columns, numbers=columns[3:6])
    for pace in found.paces:
        p = "" if math.isnan(pace.p) else f"{pace.p:.2g}"
        where = (pace.problem, pace.question, pace.backend)
        made.add_row(*where, str(pace.instances), factor_text(pace.factor), p, _word(pace))
    return titled("cost of what both solved, geometric means with intervals of 95 %", made)


def _word(pace: Pace) -> str:
    return "slower" if pace.slower else "faster" if pace.faster else ""


def change_lines(found: Difference) -> list[str]:
    """The changes on single instances, the gravest kind first."""
    lines = []
    for kind in (ChangeKind.WORSE, ChangeKind.SLOWER, ChangeKind.BETTER, ChangeKind.FASTER):
        changes = [change for change in found.changes if change.kind is kind]
        lines += [_line(change) for change in changes[:MOST_CHANGES]]
        if len(changes) > MOST_CHANGES:
            lines.append(f"{kind}: and {len(changes) - MOST_CHANGES} more")
    return lines


def _line(change: Change) -> str:
    where = f"{change.backend} on {change.problem} ({change.question}) {change.instance}"
    return printable(f"{change.kind}: {where}: {change.before} -> {change.after}")


def verdict_text(found: Difference) -> str:
    """The result in a line."""
    only = [(found.only_before, "only in the first"), (found.only_after, "only in the second")]
    apart = "".join(f", {count} {where}" for count, where in only if count)
    verdict = "a regression" if found.regressed else "no regression"
    return f"{verdict}; {plural(found.shared, 'pair')} of backend and instance in both{apart}"


def difference_json(found: Difference) -> dict[str, Any]:
    """The same as an object, schema 2; unknown ends of intervals are null."""
    paces = [asdict(pace) | {"slower": pace.slower, "faster": pace.faster} for pace in found.paces]
    record = {"schema": 2, "regressed": found.regressed, **asdict(found), "paces": paces}
    return {name: _finite(value) for name, value in record.items()}


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
