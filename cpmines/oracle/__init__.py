"""Solvers of PySAT in processes of their own: what they can do, and what they are asked."""
