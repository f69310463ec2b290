"""The clues of a position, for explanations."""

from cpmines.positions.clues import CLUES

__all__ = ["CLUES"]
