"""Sizes, and smaller ones to shrink to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cpmines_stilllife.problem import Size

__all__ = ["FAMILIES", "PROFILES", "shrink", "tiny"]


def rectangle(rng: np.random.Generator, rows: int = 8, cols: int = 8) -> Size:
    """A board of this size."""
    return Size(rows, cols)


def square(rng: np.random.Generator, side: int = 8) -> Size:
    """A board with as many rows as columns."""
    return Size(side, side)


def up_to(most: int, rng: np.random.Generator) -> Size:
    return Size(*rng.integers(1, most + 1, 2).tolist())


def tiny(rng: np.random.Generator) -> Size:
    """A board of up to 16 cells, which brute force fills in milliseconds."""
    return up_to(4, rng)


def small(rng: np.random.Generator) -> Size:
    """A board of up to 6 x 6 cells."""
    return up_to(6, rng)


def medium(rng: np.random.Generator) -> Size:
    """A board of up to 9 x 9 cells."""
    return up_to(9, rng)


def shrink(size: Size) -> Iterator[Size]:
    """Sizes with fewer rows or columns."""
    for rows in range(1, size.rows):
        yield Size(rows, size.cols)
    for cols in range(1, size.cols):
        yield Size(size.rows, cols)


FAMILIES = {"rectangle": rectangle, "square": square}
PROFILES = {"tiny": tiny, "small": small, "medium": medium}
