"""Positions of many kinds, consistent and not, and smaller ones to shrink to."""

from __future__ import annotations

import numpy as np

from cpmines.board import Position
from cpmines.positions import generate as positions
from cpmines.positions.generate import FAMILIES, shrink

__all__ = ["FAMILIES", "PROFILES", "shrink", "tiny"]

MOST_UNKNOWN = 9
"""Few enough cells that every backend counts their placements."""


def tiny(rng: np.random.Generator) -> Position:
    """A position with at most `MOST_UNKNOWN` unknown cells, consistent in about half of the cases."""
    return positions.tiny(rng, MOST_UNKNOWN)


PROFILES = {**positions.PROFILES, "tiny": tiny}
