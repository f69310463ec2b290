"""What the figures show, as data: drawn on the page by its script, and as files by `plots`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cpmines.campaign.statistics.costs import GROUP, UNIT, cost_table
from cpmines.campaign.statistics.growth import growth
from cpmines.campaign.statistics.summary import ranked
from cpmines.errors import UsageError

if TYPE_CHECKING:
    import pandas

__all__ = ["UNITS", "Figure", "Series", "cactus", "figures", "group_name", "growths", "scatter"]

UNITS = {"cpu": "CPU seconds", "wall": "wall seconds", "peak_memory": "bytes"} | {
    name: f"{name} wall seconds" for name in ("build", "solve", "check")
}
LEAST = 1e-6
"""Costs below are drawn here: the axes are logarithmic, and the clock is no finer."""


@dataclass(frozen=True)
class Series:
    """What is drawn for one backend.

    Attributes
    ----------
    x, y
        Coordinates of the points, of equal number.
    instances
        For each point the key of its instance.
    joined
        Whether a line runs through the points.
    trend
        Ends of a straight line beside them, ``(x, y), (x, y)``; empty if there is none.
    """

    backend: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    instances: tuple[str, ...]
    joined: bool = False
    trend: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Figure:
    """One figure with two axes.

    Attributes
    ----------
    limit
        The time limit where it is an end of the axes, 0 where not; what is not solved is drawn beyond.
    """

    kind: str
    problem: str
    question: str
    title: str
    x_label: str
    y_label: str
    x_log: bool
    y_log: bool
    series: tuple[Series, ...] = field(repr=False)
    limit: float = 0.0

    @property
    def name(self) -> str:
        """For files."""
        return re.sub(r"[^\w.=-]+", "-", f"{self.problem}-{self.question}-{self.kind}")

    @property
    def group(self) -> str:
        """What is compared in it."""
        return group_name(self.problem, self.question)


def group_name(problem: str, question: str) -> str:
    """A question of a problem, in a heading."""
    return f"{problem}: {question}"


def figures(
    frame: pandas.DataFrame, by: str = "cpu", pair: tuple[str, str] | None = None
) -> Iterator[Figure]:
    """All figures of a report, question by question of each problem.

    The scatter is of the `pair` of backends, by default and where they are not, of the two best ones.

    Raises
    ------
    UsageError
        No question was put to both backends of the pair.
    """
    groups = [(part, ranked(part)) for _, part in frame.groupby(GROUP, sort=True)]
    if pair and (pair[0] == pair[1] or not any({*pair} <= {*best} for _, best in groups)):
        there = ", ".join(sorted({*frame["backend"]}))
        raise UsageError(f"no question to the two backends {pair[0]} and {pair[1]}; there are: {there}")
    for part, best in groups:
        yield cactus(part, by)
        chosen = pair if pair and {*pair} <= {*best} else best[:2]
        if len(chosen) == 2:
            yield scatter(part, chosen[1], chosen[0], by)
        yield from growths(part, by)


def cactus(frame: pandas.DataFrame, by: str = "cpu") -> Figure:
    """How many instances each backend solves within a given cost: costs in ascending order.

    The curve furthest to the right and lowest is the best.
    """
    table = cost_table(frame, by)
    series = []
    for backend in ranked(frame):
        costs = table[backend][np.isfinite(table[backend])].sort_values().clip(lower=LEAST)
        keys = tuple(key for *_, key in costs.index)
        series.append(
            Series(backend, tuple(range(1, len(costs) + 1)), tuple(costs.tolist()), keys, joined=True)
        )
    return Figure(
        "cactus", *_group(frame), "Instances solved within a cost", "instances solved", _unit(by),
        False, True, tuple(one for one in series if one.x),
    )  # fmt: skip


def scatter(frame: pandas.DataFrame, across: str, upward: str, by: str = "cpu") -> Figure:
    """Each instance by its cost for two backends; what one of them did not solve stands at the border."""
    table = cost_table(frame, by)[[across, upward]].dropna()
    table = table[np.isfinite(table).any(axis=1)]
    finite = table.to_numpy()[np.isfinite(table.to_numpy())]
    limit = 2 * max(finite.max(initial=LEAST), LEAST)
    points = table.clip(lower=LEAST, upper=limit)
    series = Series(
        upward,
        tuple(points[across].tolist()),
        tuple(points[upward].tolist()),
        tuple(key for *_, key in table.index),
    )
    title = f"{upward} against {across}"
    return Figure(
        "scatter", *_group(frame), title, f"{across}, {_unit(by)}", f"{upward}, {_unit(by)}", True, True,
        (series,), float(limit),
    )  # fmt: skip


def growths(frame: pandas.DataFrame, by: str = "cpu") -> Iterator[Figure]:
    """Costs over the size of the instance, if there is more than one size, with the line of `growth`."""
    lines = {one.backend: one for one in growth(frame, by)}
    if not lines:
        return
    table = cost_table(frame, by)
    sizes = frame.groupby(UNIT, sort=False)["size"].first().reindex(table.index)
    series = []
    for backend in ranked(frame):
        if backend not in lines:
            continue
        solved = np.isfinite(table[backend].to_numpy())
        costs, cells = table[backend][solved].clip(lower=LEAST), sizes[solved]
        line = lines[backend]
        ends = (float(cells.min()), float(cells.max()))
        trend = tuple((x, line.factor * x**line.exponent.value) for x in ends)
        keys = tuple(key for *_, key in costs.index)
        series.append(Series(backend, tuple(map(float, cells)), tuple(costs.tolist()), keys, trend=trend))
    yield Figure("growth", *_group(frame), "Growth with size", "size", _unit(by), True, True, tuple(series))


def _group(frame: pandas.DataFrame) -> tuple[str, str]:
    """The problem and the question that all rows have."""
    problem, question = frame[GROUP].iloc[0]
    return problem, question


def _unit(by: str) -> str:
    return UNITS.get(by, by)
