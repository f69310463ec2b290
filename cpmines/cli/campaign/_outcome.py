"""What `run` and `status` print in the end, and their exit code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cpmines.cli._say import say_lines

if TYPE_CHECKING:
    from cpmines.campaign.gates import Finding
    from cpmines.campaign.store import Store

__all__ = ["show"]


def show(store: Store, running: Sequence[str] = ()) -> int:
    """Print the overview of a store and what the gates find; the exit code that says it."""
    from cpmines.campaign import gates
    from cpmines.campaign.frame import frame
    from cpmines.report.progress import finding_block, overview_table
    from cpmines.report.tables import console

    made = frame(store)
    console().print(overview_table(made, store, running))
    findings = gates.check(made, store)
    if block := finding_block(findings):
        say_lines(f"\n{block}")
    return exit_code(findings)


def exit_code(findings: Sequence[Finding]) -> int:
    """1 for a conflict or a rejected certificate; 3 for failures, and for what is missing; else 0."""
    from cpmines.campaign.gates import FindingKind

    kinds = {finding.kind for finding in findings}
    rejected = any(finding.kind is FindingKind.CERTIFICATE and finding.backends for finding in findings)
    if FindingKind.CONFLICT in kinds or rejected:
        return 1
    return 3 if kinds & {FindingKind.CERTIFICATE, FindingKind.ERROR, FindingKind.MISSING} else 0
