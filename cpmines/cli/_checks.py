"""The checks of ``backends test`` and ``problems test`` as they are made."""

from __future__ import annotations

from collections.abc import Iterable

import click

from cpmines.conformance import CheckResult
from cpmines.report.engines import verdict_text

__all__ = ["show_checks"]


def show_checks(name: str, verdicts: Iterable[CheckResult]) -> int:
    """Print each check below its subject, and how many passed; returns the exit code."""
    failed = made = 0
    subject = ""
    for verdict in verdicts:
        if verdict.subject != subject:
            subject = verdict.subject
            click.echo(subject)
        click.echo(verdict_text(verdict))
        made, failed = made + 1, failed + (not verdict.passed)
    click.echo(f"{name}: {made - failed} of {made} checks passed")
    return 1 if failed else 0
