"""One line for each backend on a question of a problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cpmines.campaign.record import Category
from cpmines.campaign.statistics.costs import GROUP, UNIT, cost_table
from cpmines.campaign.statistics.intervals import Interval, bootstrap

if TYPE_CHECKING:
    import pandas

__all__ = ["PENALTY", "Summary", "penalised", "summaries", "summary"]

PENALTY = 2
"""Of what is not solved, in time limits: PAR-2."""


@dataclass(frozen=True)
class Summary:
    """A backend on the instances of a problem, asked one question.

    Attributes
    ----------
    runs, wrong, errors
        Numbers of runs.
    instances, solved
        Numbers of instances: that it ran on, that it solved.
    median
        Of the cost of the instances that it solved.
    par2
        Mean CPU seconds of an instance, where one that is not solved counts twice the time limit. The mean is
        over instances, so that those with more runs weigh no more.
    best
        Number of instances on which no other backend is cheaper, ties included.
    alone
        Number of instances that no other backend solved.
    contribution
        By how much the PAR-2 of the virtual best solver would be worse without this one, in parts of that
        without it, from 0 to 1; 0 where it adds nothing (Xu, Hutter, Hoos, Leyton-Brown 2012).
    """

    problem: str
    question: str
    backend: str
    runs: int
    instances: int
    solved: int
    wrong: int
    errors: int
    median: Interval
    par2: Interval
    best: int
    alone: int
    contribution: float


def penalised(frame: pandas.DataFrame) -> pandas.DataFrame:
    """CPU seconds by instance and backend, with twice the time limit where it is not solved."""
    table = cost_table(frame)
    penalties = PENALTY * frame.groupby(UNIT, sort=False)["time_limit"].max().reindex(table.index)
    return table.where(table != np.inf, penalties, axis=0)


def summaries(frame: pandas.DataFrame, by: str = "cpu") -> tuple[Summary, ...]:
    """For each question of a problem its backends, those with the most solved first, then by PAR-2."""
    found: list[Summary] = []
    for _, part in frame.groupby(GROUP, sort=True):
        found += summary(part, by)
    return tuple(found)


def summary(frame: pandas.DataFrame, by: str = "cpu") -> tuple[Summary, ...]:
    """The backends on one question of one problem."""
    costs, scores = cost_table(frame, by), penalised(frame)
    groups = dict(list(frame.groupby("backend", sort=False)))
    found = [_one(backend, groups[backend], costs, scores) for backend in costs.columns]
    return tuple(sorted(found, key=lambda one: (-one.solved, one.par2.value)))


def _one(backend: str, runs: pandas.DataFrame, costs: pandas.DataFrame, scores: pandas.DataFrame) -> Summary:
    mine = costs[backend].to_numpy()
    others = costs.drop(columns=backend).to_numpy()
    least = _least(others)
    solved = np.isfinite(mine)
    score = scores[backend].to_numpy()
    return Summary(
        problem=str(runs["problem"].iloc[0]),
        question=str(runs["question"].iloc[0]),
        backend=backend,
        runs=len(runs),
        instances=int((~np.isnan(mine)).sum()),
        solved=int(solved.sum()),
        wrong=int((runs["category"] == str(Category.WRONG)).sum()),
        errors=int((runs["category"] == str(Category.ERROR)).sum()),
        median=bootstrap(mine[solved], lambda rows: np.median(rows, axis=1)),
        par2=bootstrap(score[~np.isnan(score)], lambda rows: rows.mean(axis=1)),
        best=int((solved & (mine <= least)).sum()),
        alone=int((solved & ~np.isfinite(least)).sum()),
        contribution=_contribution(scores, backend),
    )


def _least(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The least of each row, infinite where there is none."""
    filled = np.where(np.isnan(costs), np.inf, costs)
    least: NDArray[np.float64] = filled.min(axis=1, initial=np.inf)
    return least


def _contribution(scores: pandas.DataFrame, backend: str) -> float:
    """Over the instances on which another backend ran too."""
    values = scores.drop(columns=backend).to_numpy()
    shared = ~np.isnan(values).all(axis=1) if values.size else np.zeros(len(scores), np.bool_)
    if not shared.any():
        return 1.0
    without = _least(values[shared]).sum()
    together = np.fmin(_least(values[shared]), scores[backend].to_numpy()[shared]).sum()
    return float(1 - together / without) if without > 0 else 0.0


def ranked(frame: pandas.DataFrame) -> Sequence[str]:
    """Backends, the best first, over all problems: by solved instances, then by PAR-2."""
    scores = penalised(frame)
    solved = np.isfinite(cost_table(frame)).sum()
    return sorted(scores.columns, key=lambda name: (-solved[name], float(scores[name].mean())))
