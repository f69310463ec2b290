"""Board sizes: small ones, those of the origin, thin strips, squares. Every instance is feasible."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cpmines.problems.maxmines.problem import Rectangle

__all__ = ["FAMILIES", "PROFILES", "every", "shrink", "tiny"]

BOUNDS = range(1, 9)
TINY_CELLS = 16


def random_bound(rng: np.random.Generator, bound: int | None = None) -> int:
    """`bound` itself, or a random one if it is None."""
    return int(rng.integers(1, 9)) if bound is None else bound


def rectangle(rng: np.random.Generator, least: int = 1, most: int = 8, bound: int | None = None) -> Rectangle:
    """Both sides drawn from `least` to `most`; a random M if `bound` is None."""
    rows, cols = rng.integers(least, most + 1, 2).tolist()
    return Rectangle(rows, cols, random_bound(rng, bound))


def origin(rng: np.random.Generator, bound: int | None = None) -> Rectangle:
    """A size that the origin allows: both sides from 2 to 6."""
    return rectangle(rng, 2, 6, bound)


def strip(rng: np.random.Generator, width: int = 3, length: int = 40, bound: int | None = None) -> Rectangle:
    """A long board, upright or lying."""
    sides = (width, length) if rng.random() < 0.5 else (length, width)
    return Rectangle(*sides, random_bound(rng, bound))


def square(rng: np.random.Generator, side: int = 8, bound: int | None = None) -> Rectangle:
    return Rectangle(side, side, random_bound(rng, bound))


def every(most: int, least: int = 1) -> list[Rectangle]:
    """All sizes with both sides from `least` to `most`, with every M."""
    sides = range(least, most + 1)
    return [Rectangle(rows, cols, around) for rows in sides for cols in sides for around in BOUNDS]


def tiny(rng: np.random.Generator) -> Rectangle:
    """At most `TINY_CELLS` cells; one in five is a single row or column."""
    short = 1 if rng.random() < 0.2 else int(rng.integers(2, 5))
    long = int(rng.integers(short, min(TINY_CELLS // short, 8) + 1))
    sides = (short, long) if rng.random() < 0.5 else (long, short)
    return Rectangle(*sides, random_bound(rng))


def small(rng: np.random.Generator) -> Rectangle:
    """At most 6 x 6; one in four is a strip of up to 3 x 12."""
    if rng.random() < 0.25:
        return strip(rng, int(rng.integers(1, 4)), int(rng.integers(1, 13)))
    return rectangle(rng, 1, 6)


def medium(rng: np.random.Generator) -> Rectangle:
    """At most 7 x 7; one in four is a strip of up to 4 x 20."""
    if rng.random() < 0.25:
        return strip(rng, int(rng.integers(1, 5)), int(rng.integers(1, 21)))
    return rectangle(rng, 3, 7)


def shrink(instance: Rectangle) -> Iterator[Rectangle]:
    """Fewer rows, fewer columns, a smaller M; the largest steps first."""
    rows, cols, around = instance.rows, instance.cols, instance.around
    for smaller in sorted({1, rows // 2, rows - 1} - {0, rows}):
        yield Rectangle(smaller, cols, around)
    for smaller in sorted({1, cols // 2, cols - 1} - {0, cols}):
        yield Rectangle(rows, smaller, around)
    for smaller in sorted({1, around - 1} - {0, around}):
        yield Rectangle(rows, cols, smaller)


PROFILES = {"tiny": tiny, "small": small, "medium": medium}

FAMILIES = {"rectangle": rectangle, "origin": origin, "strip": strip, "square": square}
