"""Compiled kernels of reconstruction."""

from cpmines.kernels import check

check(__file__)
