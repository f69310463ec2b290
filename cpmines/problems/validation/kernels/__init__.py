"""Compiled kernels of validation."""

from cpmines.kernels import check

check(__file__)
