"""What boards in text have in common: the numbers of the columns, and letters on the colour of a chance."""

from __future__ import annotations

from rich.text import Text

from cpmines.report.drawing.scale import colour, ink

__all__ = ["ruler", "tint"]


def ruler(cols: range, width: int) -> Text:
    """Numbers of the columns from 1, their last two digits, above cells of `width` characters."""
    return Text("    " + "".join(f"{(col + 1) % 100:>{width}}" for col in cols), "dim")


def tint(probability: float) -> str:
    """The style of letters on the colour of a probability."""
    back = colour(probability)
    return f"{ink(back)} on {back}"
