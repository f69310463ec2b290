"""A board cell by cell, as SVG that is light or dark as the viewer is: frame, axes, tiles and signs."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from cpmines.errors import UsageError
from cpmines.quoting import printable

__all__ = ["CHECK", "LARGEST", "MINE", "SIDE", "STYLE", "board", "cell", "drawable", "square"]

LARGEST = 100_000
"""Cells of a board up to which it is drawn cell by cell."""
SIDE = 30
MARGIN = 22
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"

STYLE = f"""
svg.board {{ --paper: #ffffff; --open: #eef1f5; --line: #c3cad4; --ink: #1c2633; --faint: #6b7787; }}
@media (prefers-color-scheme: dark) {{
  svg.board {{ --paper: #11161d; --open: #1b222c; --line: #364150; --ink: #e6ebf2; --faint: #93a0b1; }}
}}
svg.board text {{
  font: 500 14px {FONT}; font-variant-numeric: tabular-nums; text-anchor: middle; dominant-baseline: central;
}}
svg.board .axis {{ fill: var(--faint); font-size: 10px; }}
svg.board .framed {{ fill: none; stroke: var(--ink); stroke-width: 2.5; }}
"""

CHECK = (
    '<path d="M-6 0.5 L-2 5 L6.5 -5" fill="none" stroke="{ink}" stroke-width="2.6" stroke-linecap="round"/>'
)
MINE = (
    '<path d="M0 -9V9M-9 0H9M-6.4 -6.4L6.4 6.4M-6.4 6.4L6.4 -6.4" stroke="{ink}" stroke-width="2" '
    'stroke-linecap="round"/><circle r="5.6" fill="{ink}"/>'
)


def drawable(shape: tuple[int, int]) -> None:
    """Raises `UsageError` if a board of this shape has too many cells for a picture."""
    rows, cols = shape
    if rows * cols > LARGEST:
        raise UsageError(f"a picture of {rows} x {cols} cells, at most {LARGEST} cells are drawn")


def board(label: str, rows: range, cols: range, cells: Iterable[str], head: str = "") -> str:
    """The `svg` element.

    Parameters
    ----------
    label
        What a screen reader says.
    rows, cols
        What is shown of the board, 0-based.
    cells
        What is in it, for example from `cell`.
    head
        What goes in first.
    """
    width, height = MARGIN + len(cols) * SIDE + 4, MARGIN + len(rows) * SIDE + 4
    parts = [
        f'<svg class="board" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{escape(printable(label), quote=True)}">',
        head,
        f'<rect width="{width}" height="{height}" fill="var(--paper)"/>',
        *(f'<text class="axis" x="{middle(k)}" y="11">{col + 1}</text>' for k, col in enumerate(cols)),
        *(f'<text class="axis" x="11" y="{middle(k)}">{row + 1}</text>' for k, row in enumerate(rows)),
        *cells,
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def middle(index: int) -> int:
    return MARGIN + index * SIDE + SIDE // 2


def cell(row: int, col: int, inside: str, attributes: str = "") -> str:
    """A group around the middle of the cell in this row and column of what is shown."""
    return f'<g{attributes} transform="translate({middle(col)} {middle(row)})">{inside}</g>'


def square(inset: int, corner: int, attributes: str) -> str:
    """A square in a cell's group, `inset` from the cell's sides, its corners rounded by `corner`."""
    half = SIDE // 2 - inset
    return (
        f'<rect x="{-half}" y="{-half}" width="{2 * half}" height="{2 * half}" rx="{corner}" {attributes}/>'
    )
