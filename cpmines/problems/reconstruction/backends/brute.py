"""The definition, as for every table of sums."""

from cpmines.problems.reconstruction.problem import PROBLEM
from cpmines.sums.brute import brute_force

__all__ = ["BACKEND"]

BACKEND = brute_force(PROBLEM.questions)
