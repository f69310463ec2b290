"""What a run costs, and what a backend costs on an instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cpmines.answer import Status
from cpmines.campaign.record import Category
from cpmines.errors import UsageError

if TYPE_CHECKING:
    import pandas

__all__ = ["GROUP", "UNIT", "cost_table", "measures", "run_costs"]

TIMES = ("cpu", "wall", "build", "solve", "check", "peak_memory")
GROUP = ["problem", "question"]
"""What is compared: answers to one question. Different ones cost differently."""
UNIT = [*GROUP, "instance_key"]
DECIDED = (str(Status.SOLVED), str(Status.INFEASIBLE))


def measures(frame: pandas.DataFrame) -> list[str]:
    """What costs can be measured in: columns, then the counters that any run has."""
    counters = sorted({name for counts in frame["counters"] for name in counts})
    return [*TIMES, *(name for name in counters if name not in TIMES)]


def run_costs(frame: pandas.DataFrame, by: str = "cpu") -> pandas.Series:
    """The cost of each run, in the unit of `by`; infinite where it has not decided the instance, or wrongly.

    Parameters
    ----------
    by
        A name from `measures`.

    Raises
    ------
    UsageError
        No run has this measure.
    """
    if by in TIMES:
        cost = frame[by].astype(float)
    elif any(by in counts for counts in frame["counters"]):
        cost = frame["counters"].map(lambda counts: float(counts.get(by, np.inf)))
    else:
        raise UsageError(f"no measure {by!r}; there are: {', '.join(measures(frame))}")
    decided = frame["status"].isin(DECIDED) & (frame["category"] == str(Category.RIGHT))
    return cost.where(decided, np.inf)


def cost_table(frame: pandas.DataFrame, by: str = "cpu") -> pandas.DataFrame:
    """The median cost of each backend on each instance.

    Rows are problem, question and key of the instance, columns backends. Infinite where at most half of the
    runs are right, NaN where there is no run.
    """
    costs = frame[[*UNIT, "backend"]].assign(cost=run_costs(frame, by).to_numpy())
    medians = costs.groupby([*UNIT, "backend"], sort=False)["cost"].quantile(0.5, interpolation="higher")
    return medians.unstack("backend")[list(dict.fromkeys(frame["backend"]))]
