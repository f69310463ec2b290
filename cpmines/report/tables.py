"""Tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from cpmines import registry
from cpmines.answer import Status, Stop
from cpmines.compare import Comparison
from cpmines.errors import UsageError
from cpmines.numerals import plural
from cpmines.problem import Trust
from cpmines.question import Asked
from cpmines.quoting import printable
from cpmines.report.text import seconds_text
from cpmines.run import Run

__all__ = [
    "comparison_table",
    "conflict_block",
    "console",
    "problem_table",
    "total_table",
]

PLAIN_WIDTH = 140
WRAPPED = ("answer", "answers")
"""Columns whose texts may take several lines."""
STYLE = {Status.SOLVED: "green", Status.INFEASIBLE: "green", Status.FEASIBLE: "yellow", Status.UNKNOWN: "dim"}


def console() -> Console:
    """Standard output: as wide as the terminal, or wide enough for the tables if it is none."""
    plain = partial(Console, highlight=False, markup=False, emoji=False)
    found = plain()
    return found if found.is_terminal else plain(width=PLAIN_WIDTH)


class QuotedTable(Table):
    """A table whose cells are shown as they are: no markup, nothing that is not printable."""

    def add_row(self, *cells: Any, **style: Any) -> None:
        super().add_row(*map(_quoted, cells), **style)


def _quoted(cell: Any) -> Any:
    if isinstance(cell, str):
        return Text(printable(cell))
    return Text(printable(cell.plain), cell.style) if isinstance(cell, Text) and not cell.spans else cell


def table(*columns: str, numbers: Sequence[str] = ()) -> QuotedTable:
    """An empty table; columns named in `numbers` are aligned to the right."""
    made = QuotedTable(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(
            Text(printable(column)),
            justify="right" if column in numbers else "left",
            no_wrap=column not in WRAPPED,
        )
    return made


def titled(title: str, made: Table | Group) -> Group:
    """A blank line, the title, the table: a title of the table itself would be broken to its width."""
    return Group("", Text(printable(title), "italic"), made)


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
        note = f"; {found.answer.note}" if found.answer.note else ""
        text += f" ({found.answer.stop}{note})"
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


def comparison_table(comparisons: Sequence[Comparison], baseline: str) -> Group:
    """One line for each instance and backend; all comparisons are about one question of one problem."""
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
    return titled(f"{comparisons[0].problem}: {comparisons[0].asked}", made)


Key = tuple[str, Asked]


def total_table(comparisons: Mapping[Key, Sequence[Comparison]], baselines: Mapping[Key, str]) -> Group:
    """Totals by problem, question and backend.

    Parameters
    ----------
    comparisons
        By problem and question.
    baselines
        By the same, the backend that speed-ups refer to; they are over the instances that both decided.

    If there are conflicts, a column says on how many instances a claim of the backend is part of one.
    """
    disputed = any(part.conflicts for parts in comparisons.values() for part in parts)
    numbers = ("decided", *("conflicts",) * disputed, "build", "solve", "speed-up")
    made = table("problem", "question", "backend", *numbers, numbers=numbers)
    for key, parts in comparisons.items():
        for backend in dict.fromkeys(found.backend for part in parts for found in part.runs):
            pairs = [
                (_baseline(part, baselines[key]), found)
                for part in parts
                for found in part.runs
                if found.backend == backend
            ]
            runs = [found for _, found in pairs]
            both = [pair for pair in pairs if speed_up(*pair) is not None]
            reference = sum(first.seconds.total for first, _ in both if first is not None)
            own = sum(found.seconds.total for _, found in both)
            made.add_row(
                key[0],
                str(key[1]),
                _name(runs[0]),
                f"{sum(found.decided and found.trusted for found in runs)}/{len(runs)}",
                *(str(sum(part.disputes(backend) for part in parts)),) * disputed,
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
            lines.append(f"  {comparison.asked}: {conflict.reason}")
            lines.extend(f"    {said}" for said in conflict.claims)
    return "\n".join(map(printable, lines))


def failure_block(comparisons: Iterable[Comparison]) -> str:
    """Every failure of a backend, with how often it happened and where first; empty if there is none."""
    failures: dict[tuple[str, str], list[str]] = {}
    for comparison in comparisons:
        for found in comparison.failed:
            where = f"{comparison.problem} {comparison.instance}"
            failures.setdefault((found.backend, found.error), []).append(where)
    return "\n".join(
        printable(f"FAILED {backend} on {plural(len(where), 'instance')}, first {where[0]}: {error}")
        for (backend, error), where in failures.items()
    )


def problem_table(name: str) -> Group:
    """The questions of a problem, and its backends, each with the questions that it answers."""
    questions = table("question", "what is asked")
    for question in registry.problem(name).questions:
        questions.add_row(question.name, question.summary)
    backends = table("backend", "trust", "method", "answers")
    for spec in registry.backend_names(name):
        try:
            found = registry.backend(name, spec)
            backends.add_row(spec, str(found.trust), found.summary, answered_text(name, spec))
        except UsageError as error:
            backends.add_row(spec, "", Text(str(error), "red"), "")
    return titled(f"{name}: {registry.problem(name).summary}", Group(questions, "", backends))


def answered_text(name: str, spec: str) -> str:
    """The questions that a backend answers, or those that it does not, whatever is shorter."""
    there = [question.name for question in registry.problem(name).questions]
    found = [question.name for question in registry.answered(name, spec)]
    others = [question for question in there if question not in found]
    if not others:
        return "all"
    return min(", ".join(found), f"all but {', '.join(others)}", key=len)
