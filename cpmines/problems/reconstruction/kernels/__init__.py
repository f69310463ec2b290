"""Compiled kernels of reconstruction. Importing a module of this package imports numba."""
