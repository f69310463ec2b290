"""Exact inference on 0/1 cells and sums of them: what the direct solvers of board problems share."""
