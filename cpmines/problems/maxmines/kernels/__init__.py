"""Compiled kernels of maxmines."""

from cpmines.kernels import check

check(__file__)
