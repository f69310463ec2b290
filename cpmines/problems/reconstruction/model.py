"""The table as a Model, as every table of sums."""

from cpmines.problems.reconstruction.problem import PROBLEM
from cpmines.sums.model import sums_modelling

__all__ = ["MODELLING"]

MODELLING = sums_modelling(PROBLEM.questions)
