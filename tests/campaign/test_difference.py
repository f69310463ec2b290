from __future__ import annotations

import numpy as np
import pytest

from cpmines.campaign.difference import ChangeKind, Difference, difference
from cpmines.campaign.record import Record
from tests.campaign.synthetic import record, table, unsolved


def runs(factor: float, seed: int, instances: int = 12, repeats: int = 5) -> list[Record]:
    rng = np.random.default_rng(seed)
    return [
        record(f"{k}", "x", factor * (k + 1) * float(np.exp(rng.normal(0, 0.03))), number)
        for k in range(instances)
        for number in range(repeats)
    ]


def changes(found: Difference) -> list[tuple[str, str]]:
    return [(str(change.kind), change.instance) for change in found.changes]


def test_equal_campaigns_have_no_difference() -> None:
    found = difference(table(runs(1, 0)), table(runs(1, 1)))
    assert not found.regressed
    assert (found.shared, found.only_before, found.only_after) == (12, 0, 0)
    (pace,) = found.paces
    assert not pace.slower
    assert not pace.faster
    assert pace.instances == 12


def test_slower_and_faster() -> None:
    found = difference(table(runs(1, 0)), table(runs(1.5, 1)))
    assert found.regressed
    assert {kind for kind, _ in changes(found)} == {"slower"}
    assert len(found.changes) == 12
    assert found.paces[0].slower
    assert found.paces[0].factor.value == pytest.approx(1.5, rel=0.05)
    found = difference(table(runs(1.5, 0)), table(runs(1, 1)))
    assert not found.regressed
    assert {kind for kind, _ in changes(found)} == {"faster"}
    assert found.paces[0].faster


def test_a_pace_that_may_be_chance_is_no_regression() -> None:
    """Half the instances take twice as long, the others two thirds of the time."""
    before = [record(f"{k}", "x", 1.0) for k in range(12)]
    after = [record(f"{k}", "x", 2.0 if k % 2 else 0.65) for k in range(12)]
    found = difference(table(before), table(after))
    (pace,) = found.paces
    assert pace.factor.low < 1 < 1.1 < pace.factor.value
    assert not pace.slower
    assert not found.regressed


def test_two_runs_are_too_few_for_a_change_on_one_instance() -> None:
    assert not difference(table(runs(1, 0, 4, 2)), table(runs(9, 1, 4, 2))).changes
    assert difference(table(runs(1, 0, 4, 2)), table(runs(9, 1, 4, 2))).regressed


@pytest.mark.parametrize(
    ("after", "state"),
    [
        (unsolved("a", "x"), "unknown (time limit)"),
        (record("a", "x", 1.0, category="wrong"), "wrong"),
        (record("a", "x", 1.0, category="error", status="unknown"), "error"),
        (record("a", "x", 1.0, status="feasible"), "feasible"),
    ],
)
def test_a_worse_status_is_a_regression(after: Record, state: str) -> None:
    before = table([record("a", "x", 1.0), record("only before", "x", 1.0)])
    found = difference(before, table([after]))
    assert found.regressed
    (change,) = found.changes
    assert (change.kind, change.before, change.after) == (ChangeKind.WORSE, "solved", state)
    assert (found.only_before, found.only_after) == (1, 0)
    back = difference(table([after]), before)
    assert not back.regressed
    assert back.changes[0].kind is ChangeKind.BETTER


def test_questions_are_apart() -> None:
    """What was a board and is a count now is neither slower nor worse."""
    before = table([record(f"{k}", "x", 1.0) for k in range(6)])
    after = table([record(f"{k}", "x", 9.0, question="exists") for k in range(6)])
    found = difference(before, after)
    assert (found.shared, found.only_before, found.only_after) == (0, 6, 6)
    assert (found.regressed, found.paces, found.changes) == (False, (), ())


def test_one_wrong_run_among_right_ones_counts() -> None:
    before = table([record("a", "x", 1.0, number) for number in range(3)])
    after = table(
        [*(record("a", "x", 1.0, number) for number in range(2)), record("a", "x", 1.0, 2, category="wrong")]
    )
    assert difference(before, after).regressed
