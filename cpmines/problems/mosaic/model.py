"""The puzzle as a Model, as every table of sums."""

from cpmines.problems.mosaic.problem import PROBLEM
from cpmines.sums.model import sums_modelling

__all__ = ["MODELLING"]

MODELLING = sums_modelling(PROBLEM.questions)
