"""What a check looked at, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cpmines.answer import Limits
from cpmines.quoting import printable

__all__ = ["ENOUGH", "TIGHT", "CheckResult", "Effort", "Inspection", "verdicts"]

ENOUGH = Limits(seconds=60, seed=3)
NOTHING = "no case was looked at"
TIGHT = (Limits(seconds=1e-9), Limits(memory=1), Limits(seconds=1e-9, memory=1))


@dataclass(frozen=True)
class Effort:
    """How much a check tries: so many instances or Models, drawn with this seed."""

    count: int = 100
    seed: int = 0


@dataclass(frozen=True)
class Inspection:
    """So many cases were looked at; what is wrong, with the smallest input that shows it."""

    cases: int
    fault: str = ""

    @property
    def passed(self) -> bool:
        """Something was looked at, and nothing was wrong."""
        return not self.fault and self.cases > 0


@dataclass(frozen=True)
class CheckResult:
    """One check that was made.

    Attributes
    ----------
    subject
        What was checked: ``engine`` or a problem.
    check
        What it should do.
    cases
        How many instances, Models or searches were looked at.
    fault
        What it did instead, with the smallest input that shows it; empty if nothing was found.
    """

    subject: str
    check: str
    cases: int = 0
    fault: str = ""

    @property
    def passed(self) -> bool:
        return not self.fault

    def to_json(self) -> dict[str, Any]:
        record = {"subject": self.subject, "check": self.check, "passed": self.passed, "cases": self.cases}
        return record if self.passed else {**record, "fault": self.fault}


def verdicts(
    subject: str, checks: Mapping[str, Callable[[Effort], Inspection]], effort: Effort
) -> Iterator[CheckResult]:
    """Make the checks one after the other. One that breaks off has failed, and one that looks at nothing."""
    for name, check in checks.items():
        try:
            seen = check(effort)
        except Exception as error:
            seen = Inspection(0, printable(f"{type(error).__name__}: {error}"))
        yield CheckResult(subject, name, seen.cases, seen.fault or NOTHING * (not seen.cases))
