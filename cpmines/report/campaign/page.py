"""The report as one HTML page: it loads nothing, and is light or dark as the viewer is."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from cpmines.campaign import gates
from cpmines.campaign.gates import Finding, FindingKind
from cpmines.campaign.statistics.costs import GROUP, cost_table
from cpmines.campaign.statistics.growth import growth
from cpmines.campaign.statistics.intervals import Interval
from cpmines.campaign.statistics.pairs import SpeedUp, speed_ups
from cpmines.campaign.statistics.summary import ranked, summary
from cpmines.campaign.store import Store
from cpmines.errors import UsageError
from cpmines.report.campaign.figures import UNITS, cactus, group_name, growths
from cpmines.report.campaign.plots import COLOURS
from cpmines.report.text import seconds_text

if TYPE_CHECKING:
    import pandas

__all__ = ["document"]

MOST_PAIRS = 10
"""Backends of a problem that are all compared with each other; more are compared with the best one."""
LONGEST_TEXT = 6000
"""Characters of an instance that is drawn in the report."""
MOST_FINDINGS = 200
MOST_OPEN = 3
"""Findings of a kind that is not grave, beyond which they are folded."""
GRAVE = (FindingKind.CONFLICT, FindingKind.CERTIFICATE, FindingKind.ERROR)
DETAILS = (
    "problem", "question", "instance", "family", "size", "backend", "version", "seed", "repeat", "status",
    "category", "reason", "cpu", "cpu_user", "cpu_system", "wall", "build", "solve", "check", "peak_memory",
    "time_limit", "wall_limit", "memory_limit", "certificate_limit", "instrument", "started", "error", "note",
    "certificate", "key",
)  # fmt: skip
"""Columns of a run that the page has as they are."""


def document(store: Store, frame: pandas.DataFrame, by: str = "cpu") -> str:
    """The page.

    Parameters
    ----------
    frame
        The records of `store`, or some of them.
    by
        What costs are measured in, see `cpmines.campaign.statistics.costs.measures`.

    Raises
    ------
    UsageError
        There is no run, no such measure, or jinja2 is not installed.
    """
    if frame.empty:
        raise UsageError(f"{store.path}: no runs to report")
    try:
        from jinja2 import Environment, PackageLoader
    except ModuleNotFoundError:
        raise UsageError("this needs the extra campaign: pip install 'cpmines[campaign]'") from None
    environment = Environment(
        loader=PackageLoader(__package__, "."), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "seconds": _seconds,
        "cost": _cost,
        "factor": _factor,
        "share": _share,
        "anchor": _anchor,
    }
    findings = gates.check(frame, store)
    return environment.get_template("page.html.j2").render(
        title=store.path.stem,
        style=_resource("page.css"),
        script=_resource("page.js"),
        colours=COLOURS,
        unit=UNITS.get(by, by),
        is_time=by in UNITS and by != "peak_memory",
        findings=by_kind(findings[:MOST_FINDINGS]),
        more_findings=len(findings) - MOST_FINDINGS,
        most_open=MOST_OPEN,
        grave=GRAVE,
        certified=bool(frame["certificate"].ne("").any()),
        facts=facts(store, frame, findings),
        problems=problems(frame, by),
        environments=[_readable(one) for one in store.environments().values()],
        data=data(store, frame, by),
    )


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _readable(environment: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of a machine, its memory in GiB."""
    known = {name: value for name, value in environment.items() if value}
    return known | {"memory": f"{known['memory'] / 2**30:.1f} GiB"} if "memory" in known else known


def by_kind(findings: Sequence[Finding]) -> dict[FindingKind, list[Finding]]:
    """The findings of each kind that there are, in the order of the kinds."""
    groups = {kind: [finding for finding in findings if finding.kind is kind] for kind in FindingKind}
    return {kind: group for kind, group in groups.items() if group}


def facts(store: Store, frame: pandas.DataFrame, findings: Sequence[Finding]) -> list[tuple[str, str]]:
    """What was run, in pairs of a word and a number."""
    start, end = frame["started"].min(), frame["started"].max()
    days = [time.strftime("%Y-%m-%d", time.gmtime(moment)) for moment in (start, end)]
    limits = frame[["time_limit", "memory_limit"]].drop_duplicates()
    kinds = Counter(str(finding.kind) for finding in findings)
    certified = int(frame["certificate"].ne("").sum())
    proved = f"{frame['certificate'].eq('accepted').sum()} of {certified}"
    return [
        ("runs", str(len(frame))),
        ("instances", str(frame["instance_key"].nunique())),
        ("questions", str(len(frame[GROUP].drop_duplicates()))),
        ("backends", str(frame["backend"].nunique())),
        ("CPU time", seconds_text(float(frame["cpu"].sum()))),
        (
            "limits of a run",
            " or ".join(f"{seconds_text(row[0])}, {row[1] >> 20} MiB" for row in limits.itertuples(False)),
        ),
        ("made", days[0] if days[0] == days[1] else f"{days[0]} to {days[1]}"),
        *[("answers proved", proved)] * bool(certified),
        ("findings", ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "none"),
    ]


def problems(frame: pandas.DataFrame, by: str) -> list[dict[str, Any]]:
    """For each question of each problem: the summaries, the speed-ups, the exponents of growth."""
    lines = []
    for (problem, question), part in frame.groupby(GROUP, sort=True):
        line = {"name": group_name(problem, question), "summaries": summary(part, by), **_pairs(part, by)}
        line |= {"growth": {one.backend: one for one in growth(part, by)}, "proved": _proved(part)}
        lines.append(line)
    return lines


def _proved(part: pandas.DataFrame) -> dict[str, tuple[int, int]]:
    """For each backend whose answers were to be proved: of how many a proof was accepted, and how many."""
    asked = part[part["certificate"] != ""].groupby("backend")["certificate"]
    return {str(backend): (int(said.eq("accepted").sum()), len(said)) for backend, said in asked}


def _pairs(part: pandas.DataFrame, by: str) -> dict[str, Any]:
    """Speed-ups by backend and baseline, and the baselines in the order of their rank."""
    best = ranked(part)
    many = len(best) > MOST_PAIRS
    pairs: dict[tuple[str, str], SpeedUp] = {
        (one.backend, one.baseline): one for one in speed_ups(part, best[0] if many else None, by)
    }
    return {"pairs": pairs, "baselines": best[:1] if many else best}


def data(store: Store, frame: pandas.DataFrame, by: str) -> dict[str, Any]:
    """What the script of the page draws and lists."""
    backends = ranked(frame)
    figures = []
    groups = {group_name(*group): part for group, part in frame.groupby(GROUP, sort=True)}
    for part in groups.values():
        figures += [cactus(part, by), *growths(part, by)]
    keys = list(dict.fromkeys(frame["instance_key"]))
    return {
        "backends": backends,
        "unit": UNITS.get(by, by),
        "figures": [asdict(figure) | {"group": figure.group} for figure in figures],
        "costs": {name: _costs(part, by) for name, part in groups.items()},
        "instances": {key: _text(store, key) for key in keys},
        "columns": [*DETAILS, "instance_key", "counters", "value", "faults"],
        "runs": _rows(frame),
    }


def _rows(frame: pandas.DataFrame) -> list[list[Any]]:
    """The runs, times rounded to microseconds."""
    columns = []
    for name in (*DETAILS, "instance_key"):
        values = frame[name]
        columns.append((values.round(6) if values.dtype.kind == "f" else values).tolist())
    counters = [dict(counts) for counts in frame["counters"]]
    fields = [{name: _short(value) for name, value in found.items()} for found in frame["value"]]
    return [list(row) for row in zip(*columns, counters, fields, map(list, frame["faults"]), strict=True)]


def _short(value: Any, longest: int = 200) -> Any:
    text = str(value)
    return value if len(text) <= longest else f"{text[:longest]}..."


def _costs(part: pandas.DataFrame, by: str) -> dict[str, Any]:
    """Median costs by instance; what was not solved is -1, what was not run null."""
    table = cost_table(part, by)
    rows = np.where(np.isposinf(table), -1.0, table.to_numpy())
    return {
        "backends": [name for name in ranked(part) if name in table.columns],
        "instances": [key for *_, key in table.index],
        "costs": {
            name: [None if np.isnan(value) else round(float(value), 9) for value in column]
            for name, column in zip(table.columns, rows.T, strict=True)
        },
    }


def _text(store: Store, key: str) -> str:
    try:
        text = store.instance_text(key)
    except UsageError:
        return ""
    return text if len(text) <= LONGEST_TEXT else ""


def _seconds(value: float) -> str:
    return "" if not np.isfinite(value) else seconds_text(value)


def _cost(interval: Interval, is_time: bool) -> Mapping[str, str]:
    """Value and interval as text."""

    def text(value: float) -> str:
        return _seconds(value) if is_time else f"{value:.3g}" if np.isfinite(value) else ""

    low, high = text(interval.low), text(interval.high)
    return {"value": text(interval.value), "interval": f"{low} – {high}" if low else ""}


def _factor(value: float) -> str:
    """``3.5×`` or, of a slower one, ``1/3.5``."""
    if not np.isfinite(value) or value <= 0:
        return ""
    size = max(value, 1 / value)
    digits = f"{size:.3g}" if size < 1000 else f"{size:.0f}"
    return f"{digits}×" if value >= 1 else f"1/{digits}"


def _anchor(name: str) -> str:
    """The name of a section in an address."""
    return re.sub(r"\W+", "-", name)


def _share(value: float) -> str:
    return f"{value:.0%}" if value else ""
