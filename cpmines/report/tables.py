"""Tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from cpmines import registry
from cpmines.answer import Status, Stop
from cpmines.compare import Comparison
from cpmines.errors import UsageError
from cpmines.problem import Trust
from cpmines.report.text import seconds_text
from cpmines.run import Run

__all__ = [
    "backend_table",
    "comparison_table",
    "conflict_block",
    "console",
    "total_table",
]

PLAIN_WIDTH = 140
STYLE = {Status.SOLVED: "green", Status.INFEASIBLE: "green", Status.FEASIBLE: "yellow", Status.UNKNOWN: "dim"}


def console() -> Console:
    """Standard output: as wide as the terminal, or wide enough for the tables if it is none."""
    found = Console(highlight=False, markup=False)
    return found if found.is_terminal else Console(highlight=False, markup=False, width=PLAIN_WIDTH)


def table(*columns: str, numbers: Sequence[str] = ()) -> Table:
    """An empty table; columns named in `numbers` are aligned to the right."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left", no_wrap=column != "answer")
    return made


def titled(title: str, made: Table) -> Group:
    """A blank line, the title, the table: a title of the table itself would be broken to its width."""
    return Group("", Text(title, "italic"), made)


def _name(found: Run[Any]) -> str:
    trust = registry.backend(found.problem, found.backend).trust
    return found.backend + (" (unreliable)" if trust == Trust.UNRELIABLE else "")


def claim_text(found: Run[Any]) -> Text:
    """Status, value and reason for stopping in a few words."""
    if found.error:
        return Text(f"failed: {found.error}", "red")
    text = str(found.status)
    if found.value is not None:
        text += f" {registry.problem(found.problem).headline(found.value)}"
    if found.answer.stop is not Stop.FINISHED:
        text += f" ({found.answer.stop})"
    if found.faults:
        return Text(f"{text}, rejected by the judge", "red")
    return Text(text, STYLE[found.status])


def speed_up(baseline: Run[Any] | None, found: Run[Any]) -> float | None:
    """How many times as fast `found` is as the baseline, if both decided the instance and are trusted."""
    if baseline is None or not all(side.decided and side.trusted for side in (baseline, found)):
        return None
    return baseline.seconds.total / max(found.seconds.total, 1e-9)


def ratio_text(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.3g}x" if ratio < 1000 else f"{ratio:,.0f}x"


def _baseline(comparison: Comparison, baseline: str) -> Run[Any] | None:
    return next((found for found in comparison.runs if found.backend == baseline), None)


def comparison_table(problem: str, comparisons: Iterable[Comparison], baseline: str) -> Group:
    """One line for each instance and backend."""
    made = table(
        *("instance", "size", "backend", "answer", "build", "solve", "speed-up"),
        numbers=("build", "solve", "speed-up"),
    )
    for comparison in comparisons:
        reference = _baseline(comparison, baseline)
        for number, found in enumerate(comparison.runs):
            made.add_row(
                *((comparison.instance, comparison.size) if number == 0 else ("", "")),
                _name(found),
                claim_text(found),
                seconds_text(found.seconds.build),
                seconds_text(found.seconds.solve),
                ratio_text(speed_up(reference, found)),
            )
    return titled(problem, made)


def total_table(comparisons: Sequence[Comparison], baselines: Mapping[str, str]) -> Group:
    """Totals by problem and backend.

    Parameters
    ----------
    baselines
        By problem, the backend that speed-ups refer to; they are over the instances that both decided.
    """
    columns = ("problem", "backend", "decided", "build", "solve", "speed-up")
    made = table(*columns, numbers=columns[2:])
    keys = list(dict.fromkeys((part.problem, found.backend) for part in comparisons for found in part.runs))
    for problem, backend in keys:
        pairs = [
            (_baseline(part, baselines[problem]), found)
            for part in comparisons
            for found in part.runs
            if part.problem == problem and found.backend == backend
        ]
        runs = [found for _, found in pairs]
        both = [pair for pair in pairs if speed_up(*pair) is not None]
        reference = sum(first.seconds.total for first, _ in both if first is not None)
        own = sum(found.seconds.total for _, found in both)
        made.add_row(
            problem,
            _name(runs[0]),
            f"{sum(found.decided and found.trusted for found in runs)}/{len(runs)}",
            seconds_text(sum(found.seconds.build for found in runs)),
            seconds_text(sum(found.seconds.solve for found in runs)),
            ratio_text(reference / max(own, 1e-9)) if both else "",
        )
    against = " or ".join(dict.fromkeys(baselines.values()))
    return titled(f"totals; speed-up against {against}, over the instances that both decided", made)


def conflict_block(comparisons: Iterable[Comparison]) -> str:
    """Every conflict with its instance and the claims; empty if there is none."""
    lines = []
    for comparison in comparisons:
        for conflict in comparison.conflicts:
            lines.append(f"CONFLICT on {comparison.problem} {comparison.instance} ({comparison.size})")
            lines.append(f"  {conflict.reason}")
            lines.extend(f"    {said}" for said in conflict.claims)
    return "\n".join(lines)


def backend_table(problem: str) -> Group:
    """The backends of a problem."""
    made = table("backend", "trust", "method")
    for name in registry.backend_names(problem):
        try:
            found = registry.backend(problem, name)
            made.add_row(name, str(found.trust), found.summary)
        except UsageError as error:
            made.add_row(name, "", Text(str(error), "red"))
    return titled(f"{problem}: {registry.problem(problem).question}", made)
