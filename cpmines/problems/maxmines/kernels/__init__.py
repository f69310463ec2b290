"""Compiled kernels of maxmines. Importing a module of this package imports numba."""
