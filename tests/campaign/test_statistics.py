"""Small examples computed by hand, and intervals that must cover what they estimate."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cpmines.campaign.statistics import (
    bootstrap,
    cost_table,
    growth,
    measures,
    speed_up,
    speed_ups,
    summaries,
    summary,
)
from cpmines.campaign.statistics.summary import ranked
from cpmines.errors import UsageError
from tests.campaign.synthetic import TIME_LIMIT, costs, record, table, unsolved

INF = math.inf


def test_repeated_runs_are_summed_up_by_their_median() -> None:
    frame = table(
        [
            *(record("a", "x", cpu, number) for number, cpu in enumerate((3.0, 1.0, 2.0))),
            *(record("a", "y", cpu, number) for number, cpu in enumerate((3.0, 1.0))),
            unsolved("a", "y", 2),
            record("b", "x", 1.0, 0),
            unsolved("b", "x", 1),
        ]
    )
    found = cost_table(frame)
    assert found.loc[("consistency", "placement", "key of a")].tolist() == [2.0, 3.0]
    assert found.loc[("consistency", "placement", "key of b"), "x"] == INF
    assert math.isnan(found.loc[("consistency", "placement", "key of b"), "y"])


@pytest.mark.parametrize(
    "changed",
    [{"category": "wrong"}, {"category": "error"}, {"status": "feasible"}, {"category": "unknown"}],
)
def test_only_right_decisions_are_solved(changed: dict[str, str]) -> None:
    assert cost_table(table([record("a", "x", 1.0, **changed)])).iloc[0, 0] == INF


def test_counters_are_measures() -> None:
    frame = table([record("a", "x", 1.0, counters={"conflicts": 7.0}), record("b", "x", 1.0)])
    assert "conflicts" in measures(frame)
    assert cost_table(frame, "conflicts")["x"].tolist() == [7.0, INF]
    with pytest.raises(UsageError, match="no measure 'restarts'; there are: cpu, wall,"):
        cost_table(frame, "restarts")


def test_summary_by_hand() -> None:
    frame = costs({"x": [1, 4, INF, 2], "y": [2, INF, INF, 2], "z": [INF, INF, 5, INF]})
    x, y, z = summary(frame)
    assert [one.backend for one in (x, y, z)] == ["x", "y", "z"]
    assert [one.solved for one in (x, y, z)] == [3, 2, 1]
    assert [one.median.value for one in (x, y, z)] == [2.0, 2.0, 5.0]
    limit = 2 * TIME_LIMIT
    assert [one.par2.value for one in (x, y, z)] == [
        (1 + 4 + limit + 2) / 4,
        (2 + limit + limit + 2) / 4,
        (3 * limit + 5) / 4,
    ]
    assert [one.best for one in (x, y, z)] == [3, 1, 1]
    assert [one.alone for one in (x, y, z)] == [1, 0, 1]
    # The virtual best solver takes 1 + 4 + 5 + 2 = 12; without x 2 + 20 + 5 + 2 = 29, without z 27.
    assert [one.contribution for one in (x, y, z)] == pytest.approx([1 - 12 / 29, 0, 1 - 12 / 27])
    assert ranked(frame) == ["x", "y", "z"]


def test_a_backend_alone_is_all_of_the_virtual_best_solver() -> None:
    (only,) = summary(costs({"x": [1, INF]}))
    assert (only.contribution, only.best, only.alone) == (1.0, 1, 1)
    assert math.isnan(only.median.low)


def test_speed_up_by_hand() -> None:
    frame = costs({"x": [1, 1, 1, INF, 1], "y": [2, 8, 4, 3, INF]})
    found = speed_up(frame, "x", "y")
    assert found.factor.value == pytest.approx(4)
    assert (found.both, found.faster, found.only, found.only_baseline) == (3, 3, 1, 1)
    assert math.isnan(found.p)
    back = speed_up(frame, "y", "x")
    assert back.factor.value == pytest.approx(1 / 4)
    assert (back.factor.low, back.factor.high) == pytest.approx((1 / found.factor.high, 1 / found.factor.low))
    assert [(one.backend, one.baseline) for one in speed_ups(frame)] == [("x", "y"), ("y", "x")]
    assert [one.backend for one in speed_ups(frame, "y")] == ["x"]


def test_speed_up_that_is_sure_and_one_that_is_not() -> None:
    rng = np.random.default_rng(0)
    noise = np.exp(rng.normal(0, 0.2, 40))
    sure = speed_up(costs({"x": np.ones(40), "y": 2 * noise}), "x", "y")
    assert sure.factor.low > 1.8
    assert sure.p < 1e-6
    level = speed_up(costs({"x": np.ones(40), "y": noise}), "x", "y")
    assert not level.factor.excludes(1)
    assert level.p > 0.05
    same = speed_up(costs({"x": np.ones(40), "y": np.ones(40)}), "x", "y")
    assert (same.factor.value, same.p) == (1, 1)


def test_intervals_cover_what_they_estimate() -> None:
    """In about 19 of 20 samples; a percentile interval of 60 values is a little too narrow."""
    rng = np.random.default_rng(1)
    hits = sum(
        not bootstrap(rng.exponential(1.0, 60), lambda rows: rows.mean(axis=1), seed=k).excludes(1.0)
        for k in range(200)
    )
    assert 176 <= hits <= 198


def test_different_questions_are_not_set_beside_each_other() -> None:
    """A backend that counts is not slower than one that finds a board."""
    frame = table(
        [
            *(record(f"{k}", "counts", 9.0, question="count", size=10 + k) for k in range(6)),
            *(record(f"{k}", "finds", 1.0, question="board", size=10 + k) for k in range(6)),
            *(record(f"{k}", "finds", 4.0, 1, question="count", size=10 + k) for k in range(6)),
        ]
    )
    pairs = {(one.question, one.backend, one.baseline): one.factor.value for one in speed_ups(frame)}
    assert pairs == {
        ("count", "counts", "finds"): pytest.approx(4 / 9),
        ("count", "finds", "counts"): pytest.approx(9 / 4),
    }
    found = [(one.question, one.backend, one.alone, one.par2.value) for one in summaries(frame)]
    assert found == [("board", "finds", 6, 1.0), ("count", "finds", 0, 4.0), ("count", "counts", 0, 9.0)]
    assert {(one.question, one.backend) for one in growth(frame)} == {
        ("board", "finds"),
        ("count", "counts"),
        ("count", "finds"),
    }


def test_what_is_only_feasible_is_not_in_a_speed_up() -> None:
    """Some of the boards, in less time than all of them take."""
    given = [record(f"{k}", "all", 8.0) for k in range(6)]
    given += [record(f"{k}", "some", 1.0, status="feasible") for k in range(6)]
    found = speed_up(table(given), "some", "all")
    assert (found.both, found.only, found.only_baseline) == (0, 0, 6)
    assert math.isnan(found.factor.value)


def test_growth_finds_the_exponent() -> None:
    rng = np.random.default_rng(2)
    records = []
    for size in (100, 300, 1000, 3000, 10_000):
        for k in range(5):
            cpu = 1e-6 * size**1.5 * float(np.exp(rng.normal(0, 0.1)))
            records.append(record(f"{size}-{k}", "x", cpu, size=size))
            records.append(record(f"{size}-{k}", "single", 1.0, size=size) if size == 100 else None)
    records.append(unsolved("huge", "x", size=10**6))
    (found,) = growth(table([one for one in records if one is not None]))
    assert (found.backend, found.instances, found.sizes, found.censored) == ("x", 25, 5, 1)
    assert not found.exponent.excludes(1.5)
    assert found.exponent.high - found.exponent.low < 0.2
    assert found.factor == pytest.approx(1e-6, rel=0.5)
