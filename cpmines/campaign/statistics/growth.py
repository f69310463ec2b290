"""How costs grow with the size of an instance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cpmines.campaign.statistics.costs import GROUP, UNIT, cost_table
from cpmines.campaign.statistics.intervals import LEVEL, Interval

if TYPE_CHECKING:
    import pandas

__all__ = ["Growth", "growth"]


@dataclass(frozen=True)
class Growth:
    """A backend's costs as ``factor * size ** exponent``.

    Attributes
    ----------
    exponent
        Slope of the least-squares line of the logarithm of the cost over that of the size, with the interval
        from Student's distribution; over the instances that it solved. Where large ones are not solved within
        the limit, the true exponent is larger, as they are left out.
    instances, sizes
        Number of instances and of different sizes that the line is drawn through.
    censored
        Number of instances that it did not solve.
    """

    problem: str
    question: str
    backend: str
    exponent: Interval
    factor: float
    instances: int
    sizes: int
    censored: int


def growth(frame: pandas.DataFrame, by: str = "cpu") -> tuple[Growth, ...]:
    """The growth of each backend that solved instances of at least two sizes, by question."""
    found = []
    for (problem, question), part in frame.groupby(GROUP, sort=True):
        costs = cost_table(part, by)
        sizes = part.groupby(UNIT, sort=False)["size"].first().reindex(costs.index).to_numpy(float)
        for backend in costs.columns:
            cost = costs[backend].to_numpy()
            used = np.isfinite(cost) & (cost > 0) & (sizes > 0)
            if len(np.unique(sizes[used])) < 2:
                continue
            exponent, factor = _line(np.log(sizes[used]), np.log(cost[used]))
            counts = int(used.sum()), len(np.unique(sizes[used])), int(np.isinf(cost).sum())
            found.append(Growth(problem, question, backend, exponent, factor, *counts))
    return tuple(found)


def _line(x: np.ndarray, y: np.ndarray) -> tuple[Interval, float]:
    from scipy.stats import linregress, t

    line = linregress(x, y)
    freedom = len(x) - 2
    width = float(t.ppf((1 + LEVEL) / 2, freedom) * line.stderr) if freedom > 0 else np.nan
    return Interval(line.slope, line.slope - width, line.slope + width), float(np.exp(line.intercept))
