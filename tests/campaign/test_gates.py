"""Each gate names what it is for, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cpmines import registry
from cpmines.campaign import gates
from cpmines.campaign.frame import frame
from cpmines.campaign.gates import Finding, FindingKind
from cpmines.campaign.record import Category, StopReason
from cpmines.campaign.store import Store
from tests.campaign.test_store import INSTANCE, TASK, record_of


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "the runs.db", create=True) as opened:
        opened.add_instances([INSTANCE])
        yield opened


def found(store: Store) -> tuple[Finding, ...]:
    return gates.check(frame(store), store)


def test_nothing_to_say(store: Store) -> None:
    assert found(store) == ()
    store.plan("test", [TASK])
    store.add(record_of(TASK, faults=()))
    assert found(store) == ()


def test_missing_runs(store: Store) -> None:
    store.plan("test", [replace(TASK, repeat=number) for number in range(3)])
    store.add(record_of(TASK, faults=()))
    (finding,) = found(store)
    assert finding == Finding(
        FindingKind.MISSING,
        "2 planned runs of direct on maxmines (most) missing",
        "maxmines",
        "most",
        backends=("direct",),
    )


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ([("solved", {"mines": 3}), ("solved", {"mines": 2})], "mines differs"),
        ([("solved", {"mines": 3}), ("infeasible", {})], "there is an answer or there is none"),
        ([("solved", {"mines": 3}), ("feasible", {"mines": 4})], "mines beats a proved optimum"),
        ([("solved", {"mines": 3}), ("feasible", {"mines": 2})], ""),
        ([("solved", {"mines": 3}), ("unknown", {})], ""),
        ([("solved", {"mines": 3}), ("solved", {"mines": 3})], ""),
    ],
)
def test_conflicts(store: Store, claims: list[tuple[str, dict[str, int]]], reason: str) -> None:
    for (status, value), backend in zip(claims, ("direct", "sat"), strict=True):
        task = replace(TASK, backend=backend)
        store.add(record_of(task, status=status, value=value, faults=()))
    findings = found(store)
    verdicts = set(frame(store)["category"])
    if not reason:
        assert findings == ()
        assert verdicts == {"right"}
        return
    (finding,) = findings
    assert finding.kind is FindingKind.CONFLICT
    assert reason in finding.message
    assert finding.backends == ("direct", "sat")
    taken = f"export '{store.path}' --instance {INSTANCE.key[:12]}"
    assert f"{taken} | cpmines fuzz maxmines - --ask most --backend direct" in finding.command
    assert verdicts == {"unknown"}


def test_a_dispute_is_only_about_its_instance(store: Store) -> None:
    other = replace(TASK, instance_key="other", instance="other")
    for task, mines in ((TASK, 3), (replace(TASK, backend="sat"), 2), (other, 3)):
        store.add(record_of(task, value={"mines": mines}, faults=()))
    assert list(frame(store)["category"]) == ["unknown", "unknown", "right"]


def test_a_wrong_value_does_not_put_the_others_in_doubt(store: Store) -> None:
    store.add(record_of(TASK, faults=()))
    wrong = {"value": {"mines": 9}, "category": Category.WRONG, "faults": ("no empty neighbour",)}
    store.add(record_of(replace(TASK, backend="sat"), **wrong))
    (finding,) = found(store)
    assert finding.message == "sat is wrong on maxmines (most) one: the judge rejects: no empty neighbour"
    assert list(frame(store)["category"]) == ["right", "wrong"]


def test_certificates(store: Store) -> None:
    store.add(record_of(TASK, faults=(), certificate="accepted"))
    store.add(record_of(replace(TASK, repeat=1), faults=(), certificate="rejected: line 3"))
    (finding,) = found(store)
    assert (finding.kind, "rejected: line 3" in finding.message) == (FindingKind.CERTIFICATE, True)


def test_certificates_that_there_are_not(store: Store) -> None:
    """Asked for, and the problem states no rules, or the question is none for a proof."""
    asked = replace(TASK, certificate_limit=5.0)
    store.add(record_of(asked, faults=(), certificate="accepted"))
    assert found(store) == ()
    store.add(record_of(replace(asked, question="every"), faults=(), certificate="none: no rules"))
    (finding,) = found(store)
    assert (finding.kind, finding.question) == (FindingKind.CERTIFICATE, "every")
    assert finding.message.startswith("there are no certificates for maxmines every")


def test_certificates_of_a_problem_without_rules(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "room", lambda *_: None)
    store.add(record_of(replace(TASK, certificate_limit=5.0), faults=(), certificate="none: no rules"))
    (finding,) = found(store)
    assert finding.kind is FindingKind.CERTIFICATE
    assert finding.message.startswith("there are no certificates for maxmines")
    store.close()


def test_answers_to_different_questions_are_no_dispute(store: Store) -> None:
    store.add(record_of(TASK, faults=()))
    other = replace(TASK, question="count", backend="brute")
    store.add(record_of(other, faults=(), value={"mines": 2, "optimal_boards": "4"}))
    assert found(store) == ()
    assert list(frame(store)["category"]) == ["right", "right"]
    third = replace(other, backend="direct")
    store.add(record_of(third, faults=(), value={"mines": 3, "optimal_boards": "4"}))
    (finding,) = found(store)
    assert "conflict on maxmines (count) one: mines differs" in finding.message
    assert "--ask count --backend brute --backend direct" in finding.command
    assert list(frame(store)["category"]) == ["right", "unknown", "unknown"]


def test_errors(store: Store) -> None:
    for repeat in range(2):
        failed = {"status": "unknown", "value": {}, "category": Category.ERROR, "error": f"crash {repeat}"}
        store.add(record_of(replace(TASK, repeat=repeat), faults=(), **failed))
    (finding,) = found(store)
    assert finding.message == "direct failed in 2 runs of maxmines (most), first on one: crash 0"


@pytest.mark.parametrize(("scale", "unstable"), [(1.0, True), (0.001, False)])
def test_unstable_samples(store: Store, scale: float, unstable: bool) -> None:
    for repeat, seconds in enumerate((1.0, 1.0, 3.0)):
        store.add(
            record_of(replace(TASK, repeat=repeat), faults=(), cpu_user=scale * seconds, cpu_system=0.0)
        )
        store.add(record_of(replace(TASK, repeat=repeat, backend="sat"), faults=(), cpu_user=1.0))
    findings = found(store)
    assert [finding.kind for finding in findings] == [FindingKind.UNSTABLE] * unstable
    assert all(
        "direct on maxmines (most) one: CPU time varies by 69% of 1.67 s" in f.message for f in findings
    )


@pytest.mark.parametrize(("cpu", "named"), [(0.2, True), (1.0, False)])
def test_runs_that_had_to_wait(store: Store, cpu: float, named: bool) -> None:
    late = {"status": "unknown", "value": {}, "category": Category.UNKNOWN, "reason": StopReason.TIME_LIMIT}
    store.add(record_of(TASK, faults=(), cpu_user=cpu, cpu_system=0.0, wall=2.01, **late))
    expected = ["1 run of direct on maxmines (most) met the wall limit with CPU time to spare"] * named
    assert [finding.message for finding in found(store)] == expected


def test_several_environments(store: Store) -> None:
    for repeat, kernel in enumerate(("6.1", "6.2")):
        key = store.add_environment({"cpu": "x", "system": kernel})
        store.add(record_of(replace(TASK, repeat=repeat), faults=(), environment=key))
    (finding,) = found(store)
    assert finding.message == "2 environments, which differ in system"


def test_the_order_is_by_gravity(store: Store) -> None:
    store.plan("test", [replace(TASK, repeat=9)])
    store.add(record_of(TASK, faults=()))
    store.add(record_of(replace(TASK, backend="sat"), value={"mines": 1}, faults=()))
    assert [finding.kind for finding in found(store)] == [FindingKind.CONFLICT, FindingKind.MISSING]
