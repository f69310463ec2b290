"""Compiled kernels of analysis."""

from cpmines.kernels import check

check(__file__)
