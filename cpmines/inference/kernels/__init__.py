"""Compiled kernels of inference. Importing a module of this package imports numba."""
