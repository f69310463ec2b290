"""Two backends on the same instances."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cpmines.campaign.statistics.costs import GROUP, cost_table
from cpmines.campaign.statistics.intervals import Interval, bootstrap

if TYPE_CHECKING:
    import pandas

__all__ = ["SpeedUp", "geometric_mean", "paired_test", "speed_up", "speed_ups"]


@dataclass(frozen=True)
class SpeedUp:
    """How many times as fast `backend` is as `baseline`.

    Attributes
    ----------
    factor
        Geometric mean of cost of the baseline / cost of the backend, over the instances that both solved:
        the mean whose reciprocal is the speed-up the other way round (Fleming, Wallace 1986). Its interval
        is from resampling instances.
    p
        Of the Wilcoxon signed-rank test that the logarithms of the ratios are symmetric around 0, two-sided;
        NaN with fewer than six instances, where it could not be below 0.05.
    both, faster
        Number of instances that both solved; on which the backend was the cheaper one.
    only, only_baseline
        Number of instances that only one of them solved, which no factor can express.
    """

    problem: str
    question: str
    backend: str
    baseline: str
    factor: Interval
    p: float
    both: int
    faster: int
    only: int
    only_baseline: int


FEWEST = 6


def geometric_mean(ratios: NDArray[np.float64]) -> Interval:
    """The geometric mean of positive ratios, with its interval."""
    logs = bootstrap(np.log(ratios), lambda rows: rows.mean(axis=1))
    return Interval(*(float(np.exp(value)) for value in (logs.value, logs.low, logs.high)))


def paired_test(ratios: NDArray[np.float64]) -> float:
    """The p-value of the Wilcoxon signed-rank test on the logarithms of `ratios`."""
    logs = np.log(ratios)
    if len(logs) < FEWEST:
        return float("nan")
    if not logs.any():
        return 1.0
    from scipy.stats import wilcoxon

    return float(wilcoxon(logs).pvalue)


def speed_up(frame: pandas.DataFrame, backend: str, baseline: str, by: str = "cpu") -> SpeedUp:
    """Compare two backends on the instances of one problem, asked one question."""
    costs = cost_table(frame, by)
    mine, other = costs[backend].to_numpy(), costs[baseline].to_numpy()
    ran = ~np.isnan(mine) & ~np.isnan(other)
    both = np.isfinite(mine) & np.isfinite(other)
    positive = both & (mine > 0) & (other > 0)
    ratios = other[positive] / mine[positive]
    return SpeedUp(
        str(frame["problem"].iloc[0]),
        str(frame["question"].iloc[0]),
        backend,
        baseline,
        geometric_mean(ratios),
        paired_test(ratios),
        int(both.sum()),
        int((mine[both] < other[both]).sum()),
        int((ran & np.isfinite(mine) & ~np.isfinite(other)).sum()),
        int((ran & np.isfinite(other) & ~np.isfinite(mine)).sum()),
    )


def speed_ups(frame: pandas.DataFrame, baseline: str | None = None, by: str = "cpu") -> tuple[SpeedUp, ...]:
    """For each question of a problem its backends against a baseline, or without one every ordered pair."""
    found = []
    for _, part in frame.groupby(GROUP, sort=True):
        names = list(dict.fromkeys(part["backend"]))
        pairs = permutations(names, 2) if baseline is None else ((name, baseline) for name in names)
        found += [
            speed_up(part, name, other, by) for name, other in pairs if other in names and name != other
        ]
    return tuple(found)
