"""What every backend of every problem has to do."""

from __future__ import annotations

import pytest

from cpmines import registry
from cpmines.conformance import Effort, Subject
from cpmines.conformance.backend import CHECKS, agrees, beside_reference
from cpmines.conformance.references import tiny_instances
from cpmines.problem import Trust
from tests.conformance.conftest import core_engines, subjects
from tests.effort import some

MANY, FEW, VERY_FEW = some(1500, 100), some(80, 6), some(20, 3)
"""Own backends take microseconds, core engines milliseconds, those of the extras up to tens of them."""
SAMPLE = ("consistency", "maxmines")
"""Problems on which engines of the extras are held to everything in each run: to decide, to optimise."""
AGREEMENT = [name for name in CHECKS if name.startswith("agrees")]


def named(subject: Subject) -> str:
    return f"{subject.problem}-{subject.backend}"


def marks(subject: Subject, check: str) -> list[pytest.MarkDecorator]:
    """All pairs have to agree; what else variants, and engines of the extras, have to do is slow."""
    base, _, variant = subject.backend.partition(":")
    extra = base in registry.engine_names() and base not in core_engines()
    apart = variant or (extra and subject.problem not in SAMPLE)
    return [pytest.mark.slow] * bool(apart and check != AGREEMENT[0])


CASES = [
    pytest.param(
        subject, check, id=f"{subject.problem}-{subject.backend}-{check}", marks=marks(subject, check)
    )
    for subject in subjects()
    for check in CHECKS
    if check not in AGREEMENT or subject.trust is not Trust.UNRELIABLE
]


def effort(subject: Subject) -> Effort:
    base = subject.backend.partition(":")[0]
    if base not in registry.engine_names():
        return Effort(FEW if base == "brute" else MANY)
    return Effort(FEW if base in core_engines() else VERY_FEW)


@pytest.mark.parametrize(("subject", "check"), CASES)
def test_conformance(subject: Subject, check: str) -> None:
    seen = CHECKS[check](subject, effort(subject))
    assert seen.passed, seen


@pytest.mark.slow
@pytest.mark.parametrize("subject", subjects(), ids=named)
def test_engines_agree_with_brute_on_thousands(subject: Subject) -> None:
    if subject.backend.partition(":")[0] not in registry.engine_names():
        pytest.skip("done in every run")
    assert agrees(subject, Effort(2000, seed=1)).passed


def test_the_published_algorithms_are_caught() -> None:
    for problem in ("consistency", "maxmines", "reconstruction"):
        subject = Subject(problem, "published")
        (asked,) = subject.questions
        instances = tiny_instances(problem, 200)
        assert any(beside_reference(subject, instance, asked) for instance in instances), problem
