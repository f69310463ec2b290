"""cpmines: a SAT and constraint-programming workbench for the constraint problems of Minesweeper."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.errors import CpminesError, InputError, UsageError, WrongAnswerError
from cpmines.run import Run, solve

if TYPE_CHECKING:
    from cpmines.analysis.analyser import Analyser, analyse
    from cpmines.analysis.analysis import Analysis

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

LATER = {"Analyser": "analyser", "Analysis": "analysis", "analyse": "analyser"}
"""Imported from these modules of `cpmines.analysis` when they are used: most commands do without."""


def __getattr__(name: str) -> Any:
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.analysis.{LATER[name]}"), name)
