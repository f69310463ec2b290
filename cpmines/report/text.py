"""One answer as text."""

from __future__ import annotations

from typing import Any

from cpmines import registry
from cpmines.question import Asked
from cpmines.quoting import printable
from cpmines.run import Run

__all__ = ["asked_text", "seconds_text", "solved_text"]


def asked_text(problem: str, asked: Asked) -> str:
    """The question, in front of its answer; empty if it is the problem's first one."""
    return "" if asked == registry.problem(problem).ask() else f"{asked}: "


def seconds_text(seconds: float) -> str:
    """Three significant digits with a unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e3)):
        if seconds * scale >= 0.9995:
            return f"{seconds * scale:.3g} {unit}" if seconds < 999.5 else f"{seconds:.0f} s"
    return f"{seconds * 1e6:.3g} µs"


def solved_text(instance: Any, found: Run[Any]) -> str:
    """Status line and picture of one answer."""
    question = registry.problem(found.problem)
    notes = [f"{found.backend}, {seconds_text(found.seconds.total)}"]
    if found.answer.stop != "finished":
        notes.append(str(found.answer.stop))
    if found.answer.note:
        notes.append(found.answer.note)
    status = str(found.status)
    if found.value is not None:
        status += f": {question.headline(found.value)}"
    asked = asked_text(found.problem, found.asked)
    line = printable(f"{found.instance}: {asked}{status} ({'; '.join(notes)})")
    drawn = "" if found.value is None else question.draw(instance, found.value)
    return f"{line}\n{drawn}" if drawn else line
