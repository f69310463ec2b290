"""What a check says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from cpmines.answer import Limits

__all__ = ["ENOUGH", "TIGHT", "CheckResult", "Effort", "verdicts"]

ENOUGH = Limits(seconds=60, seed=3)
TIGHT = (Limits(seconds=1e-9), Limits(memory=1), Limits(seconds=1e-9, memory=1))


@dataclass(frozen=True)
class Effort:
    """How much a check tries: so many instances or Models, drawn with this seed."""

    count: int = 100
    seed: int = 0


@dataclass(frozen=True)
class CheckResult:
    """One check that was made.

    Attributes
    ----------
    subject
        What was checked: ``engine`` or a problem.
    check
        What it should do.
    fault
        What it did instead, with the smallest input that shows it; empty if nothing was found.
    """

    subject: str
    check: str
    fault: str = ""

    @property
    def passed(self) -> bool:
        return not self.fault


def verdicts(
    subject: str, checks: Mapping[str, Callable[[Effort], str]], effort: Effort
) -> Iterator[CheckResult]:
    """Make the checks one after the other. One that breaks off has failed."""
    for name, check in checks.items():
        try:
            fault = check(effort)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        yield CheckResult(subject, name, fault)
