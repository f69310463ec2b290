"""Reasons that people can follow: for a contradiction, for a certain cell, for each step of a solution.

`explain_conflict`, `conflicts`, `explain_cell` and `solve_stepwise` take an instance of a problem whose
folder has a ``clues.py``. Every set of clues that they return was checked by `check`, which reads the board
by itself and asks another engine than the one that found the set.
"""

from __future__ import annotations

from cpmines.clues import Clue, ClueBoard
from cpmines.explain.cell import explain_cell
from cpmines.explain.conflict import conflicts, explain_conflict
from cpmines.explain.explainable import Explainable, explained
from cpmines.explain.results import Certain, Contradiction, Open, Step, StepByStep
from cpmines.explain.steps import solve_stepwise

__all__ = [
    "Certain",
    "Clue",
    "ClueBoard",
    "Contradiction",
    "Explainable",
    "Open",
    "Step",
    "StepByStep",
    "conflicts",
    "explain_cell",
    "explain_conflict",
    "explained",
    "solve_stepwise",
]
