"""Positions of many kinds, consistent and not, and smaller ones to shrink to."""

from __future__ import annotations

from cpmines.positions.generate import FAMILIES, PROFILES, shrink, tiny

__all__ = ["FAMILIES", "PROFILES", "shrink", "tiny"]
