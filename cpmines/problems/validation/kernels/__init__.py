"""Compiled kernels of validation."""
