"""What has changed from one campaign to another: two versions, two machines, two settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from cpmines.campaign.record import Category
from cpmines.campaign.statistics.costs import UNIT, run_costs
from cpmines.campaign.statistics.intervals import Interval, bootstrap
from cpmines.campaign.statistics.pairs import geometric_mean, paired_test

if TYPE_CHECKING:
    import pandas

__all__ = ["Change", "ChangeKind", "Difference", "Pace", "difference"]

TOLERANCE = 1.05
"""A factor below which nothing is called slower or faster, however sure it is."""
SEVERITY = (Category.RIGHT, Category.UNKNOWN, Category.ERROR, Category.WRONG)


class ChangeKind(StrEnum):
    """What has become of a backend on an instance."""

    BETTER = "better status"
    WORSE = "worse status"
    FASTER = "faster"
    SLOWER = "slower"


@dataclass(frozen=True)
class Change:
    """A backend on a question to one instance, where it has changed.

    Attributes
    ----------
    before, after
        Status and category, or median cost with its interval, in words.
    """

    kind: ChangeKind
    problem: str
    question: str
    instance: str
    backend: str
    before: str
    after: str


@dataclass(frozen=True)
class Pace:
    """A backend on a question to all instances of a problem that both campaigns solved.

    Attributes
    ----------
    factor
        Geometric mean of cost after / cost before: above 1 is slower.
    p
        Of the Wilcoxon signed-rank test, see `cpmines.campaign.statistics.pairs.SpeedUp`.
    """

    problem: str
    question: str
    backend: str
    instances: int
    factor: Interval
    p: float

    @property
    def slower(self) -> bool:
        """Is the whole interval beyond the tolerance?"""
        return self.factor.low > TOLERANCE

    @property
    def faster(self) -> bool:
        return self.factor.high < 1 / TOLERANCE


@dataclass(frozen=True)
class Difference:
    """All changes, and how the pace has changed.

    Attributes
    ----------
    only_before, only_after
        Number of backends on a question to an instance that only one of the campaigns has.
    """

    changes: tuple[Change, ...]
    paces: tuple[Pace, ...]
    shared: int
    only_before: int
    only_after: int

    @property
    def regressed(self) -> bool:
        """Has a status become worse, or a pace slower beyond its interval?"""
        return any(change.kind is ChangeKind.WORSE for change in self.changes) or any(
            pace.slower for pace in self.paces
        )


def difference(before: pandas.DataFrame, after: pandas.DataFrame, by: str = "cpu") -> Difference:
    """Compare the runs of two campaigns by question, instance and backend; versions and limits may differ.

    A backend is slower on an instance if the intervals of its median costs do not meet, for which it takes
    three runs on either side, and the medians differ by more than `TOLERANCE`.
    """
    first, second = _units(before, by), _units(after, by)
    shared = [key for key in first if key in second]
    changes = [change for key in shared for change in _change(key, first[key], second[key])]
    order = {
        kind: number
        for number, kind in enumerate(
            (ChangeKind.WORSE, ChangeKind.SLOWER, ChangeKind.BETTER, ChangeKind.FASTER)
        )
    }
    return Difference(
        tuple(sorted(changes, key=lambda change: order[change.kind])),
        tuple(_paces(shared, first, second)),
        len(shared),
        len(first) - len(shared),
        len(second) - len(shared),
    )


@dataclass(frozen=True)
class _Unit:
    """The runs of a backend on a question to an instance."""

    instance: str
    state: str
    severity: int
    costs: np.ndarray
    median: float


def _units(frame: pandas.DataFrame, by: str) -> dict[tuple[Any, ...], _Unit]:
    """By problem, question, key of the instance, and backend."""
    rows = frame.assign(cost=run_costs(frame, by).to_numpy())
    return {key: _unit(part) for key, part in rows.groupby([*UNIT, "backend"], sort=False)}


def _unit(part: pandas.DataFrame) -> _Unit:
    """The worst category of any run counts, and the status that goes with it."""
    severities = part["category"].map({str(name): number for number, name in enumerate(SEVERITY)})
    worst = part.iloc[int(severities.to_numpy().argmax())]
    costs = part["cost"].to_numpy()
    median = float(np.quantile(costs, 0.5, method="higher"))
    state = str(worst["status"]) if worst["category"] == Category.RIGHT else str(worst["category"])
    if worst["category"] == Category.UNKNOWN:
        state = f"unknown ({worst['reason']})"
    severity = 2 * int(severities.max()) + (not np.isfinite(costs).all())
    return _Unit(str(worst["instance"]), state, severity, costs, median)


def _change(key: tuple[Any, ...], before: _Unit, after: _Unit) -> Iterator[Change]:
    problem, question, _, backend = key

    def change(kind: ChangeKind, old: str, new: str) -> Change:
        return Change(kind, problem, question, after.instance, backend, old, new)

    if before.severity != after.severity:
        kind = ChangeKind.WORSE if after.severity > before.severity else ChangeKind.BETTER
        yield change(kind, before.state, after.state)
    elif np.isfinite([before.median, after.median]).all():
        old, new = (bootstrap(each.costs, lambda rows: np.median(rows, axis=1)) for each in (before, after))
        if new.low > old.high and new.value > TOLERANCE * old.value:
            yield change(ChangeKind.SLOWER, _text(old), _text(new))
        elif new.high < old.low and new.value * TOLERANCE < old.value:
            yield change(ChangeKind.FASTER, _text(old), _text(new))


def _text(cost: Interval) -> str:
    return f"{cost.value:.3g} ({cost.low:.3g} to {cost.high:.3g})"


def _paces(
    shared: list[tuple[Any, ...]], before: dict[tuple[Any, ...], _Unit], after: dict[tuple[Any, ...], _Unit]
) -> Iterator[Pace]:
    groups: dict[tuple[str, str, str], list[float]] = {}
    for key in shared:
        old, new = before[key].median, after[key].median
        if np.isfinite([old, new]).all() and old > 0 and new > 0:
            groups.setdefault((key[0], key[1], key[3]), []).append(new / old)
    for group, found in sorted(groups.items()):
        ratios = np.array(found)
        yield Pace(*group, len(ratios), geometric_mean(ratios), paired_test(ratios))
