"""cpmines: a SAT and constraint-programming workbench for the constraint problems of Minesweeper."""

from cpmines.analysis.analyser import Analyser, analyse
from cpmines.analysis.analysis import Analysis
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.errors import CpminesError, InputError, UsageError, WrongAnswerError
from cpmines.solve import Run, solve

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
