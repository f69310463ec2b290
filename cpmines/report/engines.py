"""Tables of engines and what they can do, and the verdicts on them."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent

from rich.console import Group
from rich.text import Text

from cpmines.conformance import Capability, CheckResult
from cpmines.engine import Ability
from cpmines.numerals import plural
from cpmines.quoting import printable
from cpmines.report.tables import table, titled

__all__ = ["capability_table", "unpromised_text", "verdict_text"]


def capability_table(found: Sequence[Capability]) -> Group:
    """One line for each: what is installed in which version, and a mark for each ability."""
    made = table("backend", *Ability, "installed")
    for one in found:
        marks = ["yes" if ability in one.abilities else "" for ability in Ability]
        made.add_row(one.name, *marks, _installed(one))
    return titled("engines, and backends on packages of others; what they promise is tested", made)


def _installed(one: Capability) -> Text:
    if one.installed:
        return Text(", ".join(f"{package} {version}" for package, version in one.versions.items()))
    lacking = [package for package, version in one.versions.items() if version is None]
    what = f"'cpmines[{one.extra}]'" if one.extra else " ".join(lacking)
    return Text(f"no: pip install {what}", "dim")


def verdict_text(verdict: CheckResult) -> str:
    """One line, and below it what is wrong."""
    cases = plural(verdict.cases, "case")
    line = printable(f"  {verdict.check}: {'passed' if verdict.passed else 'FAILED'} ({cases})")
    return line if verdict.passed else f"{line}\n{indent(verdict.fault, ' ' * 8)}"


def unpromised_text(promised: frozenset[Ability]) -> str:
    """One line of what an engine does not promise."""
    missing = [str(ability) for ability in Ability if ability not in promised]
    return f"  not promised: {', '.join(missing) or 'nothing'}"
