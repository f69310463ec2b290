"""Compiled kernels of inference."""

from cpmines.kernels import check

check(__file__)
