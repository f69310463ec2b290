"""cpmines: a SAT and constraint-programming workbench for the constraint problems of Minesweeper."""

from __future__ import annotations

from importlib import import_module

# Nothing more is imported: interrupts are taken care of after this only.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from cpmines.analysis.analyser import Analyser, analyse
    from cpmines.analysis.analysis import Analysis
    from cpmines.answer import Answer, Limits, Status, Stop
    from cpmines.errors import CpminesError, InputError, UsageError, WrongAnswerError
    from cpmines.run import Run, solve

__version__ = "0.1.0"

__all__ = [
    "Analyser",
    "Analysis",
    "Answer",
    "CpminesError",
    "InputError",
    "Limits",
    "Run",
    "Status",
    "Stop",
    "UsageError",
    "WrongAnswerError",
    "analyse",
    "solve",
]

PLACES = {
    "analysis.analyser": ("Analyser", "analyse"),
    "analysis.analysis": ("Analysis",),
    "answer": ("Answer", "Limits", "Status", "Stop"),
    "errors": ("CpminesError", "InputError", "UsageError", "WrongAnswerError"),
    "run": ("Run", "solve"),
}
"""Modules of the public names, imported when a name is used: most commands do without most of them."""


def __getattr__(name: str) -> Any:
    for module, names in PLACES.items():
        if name in names:
            found = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
