"""The checks of ``backends test`` and ``problems test`` as they are made."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cpmines.cli._say import document, say, say_lines
from cpmines.numerals import plural

if TYPE_CHECKING:
    from cpmines.conformance import CheckResult
    from cpmines.engine import Ability

__all__ = ["show_checks"]


def show_checks(
    name: str, verdicts: Iterable[CheckResult], style: str, promised: frozenset[Ability] | None = None
) -> int:
    """Print each check, and how many passed; returns the exit code.

    Parameters
    ----------
    promised
        What an engine promises, None for what is no engine.
    """
    from cpmines.report.engines import unpromised_text, verdict_text

    failed = made = 0
    subject = ""
    for verdict in verdicts:
        made, failed = made + 1, failed + (not verdict.passed)
        if style == "json":
            document(json.dumps(verdict.to_json()))
            continue
        if verdict.subject != subject:
            subject = verdict.subject
            say(subject)
            if made == 1 and promised is not None:
                say(unpromised_text(promised))
        say_lines(verdict_text(verdict))
    if style == "json":
        promises = None if promised is None else sorted(promised)
        document(json.dumps({"name": name, "checks": made, "failed": failed, "promised": promises}))
    else:
        say(f"{name}: {made - failed} of {plural(made, 'check')} passed")
    return 1 if failed else 0
