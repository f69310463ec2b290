"""The board as SVG: colours by probability, signs where that is certain, a title on every unknown cell."""

from __future__ import annotations

from html import escape

from cpmines.analysis.analysis import Analysis
from cpmines.errors import UsageError
from cpmines.report.analysis.scale import colour, ink, percent

__all__ = ["LARGEST", "board", "document", "drawable"]

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
svg.board .clue {{ fill: var(--ink); }}
svg.board .axis {{ fill: var(--faint); font-size: 10px; }}
svg.board .chance {{ font-size: 12px; }}
svg.board .best {{ fill: none; stroke: var(--ink); stroke-width: 2.5; }}
svg.board .cell:hover .tile {{ stroke: var(--ink); stroke-width: 2; }}
"""

CHECK = (
    '<path d="M-6 0.5 L-2 5 L6.5 -5" fill="none" stroke="{ink}" stroke-width="2.6" stroke-linecap="round"/>'
)
MINE = (
    '<path d="M0 -9V9M-9 0H9M-6.4 -6.4L6.4 6.4M-6.4 6.4L6.4 -6.4" stroke="{ink}" stroke-width="2" '
    'stroke-linecap="round"/><circle r="5.6" fill="{ink}"/>'
)


def drawable(analysis: Analysis) -> None:
    """Raises `UsageError` if the board has too many cells for a picture."""
    if analysis.cells.size > LARGEST:
        rows, cols = analysis.cells.shape
        raise UsageError(f"a picture of {rows} x {cols} cells, at most {LARGEST} cells are drawn")


def document(name: str, analysis: Analysis) -> str:
    """A file of its own, light or dark as the viewer is."""
    drawable(analysis)
    return board(name, analysis, f"<style>{STYLE}</style>") + "\n"


def board(name: str, analysis: Analysis, head: str = "") -> str:
    """The `svg` element; `head` goes in first."""
    rows, cols = analysis.cells.shape
    width, height = MARGIN + cols * SIDE + 4, MARGIN + rows * SIDE + 4
    label = escape(f"{name}: chances of a mine on a board of {rows} x {cols} cells", quote=True)
    parts = [
        f'<svg class="board" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{label}">',
        head,
        f'<rect class="paper" width="{width}" height="{height}" fill="var(--paper)"/>',
        *axes(rows, cols),
        *(cell(analysis, row, col) for row in range(rows) for col in range(cols)),
        *best(analysis),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def axes(rows: int, cols: int) -> list[str]:
    """Numbers of columns and rows."""
    above = [f'<text class="axis" x="{place(col) + SIDE / 2}" y="11">{col + 1}</text>' for col in range(cols)]
    left = [f'<text class="axis" x="11" y="{place(row) + SIDE / 2}">{row + 1}</text>' for row in range(rows)]
    return above + left


def place(index: int) -> int:
    return MARGIN + index * SIDE


def cell(analysis: Analysis, row: int, col: int) -> str:
    """One cell as a group around its middle."""
    move = f'transform="translate({place(col) + SIDE // 2} {place(row) + SIDE // 2})"'
    half = SIDE // 2 - 1
    tile = f'class="tile" x="{-half}" y="{-half}" width="{2 * half}" height="{2 * half}" rx="3"'
    if not analysis.unknown[row, col]:
        code = int(analysis.cells[row, col])
        sign = MINE.format(ink="var(--ink)") if code < 0 else f'<text class="clue">{code or ""}</text>'
        return f'<g {move}><rect {tile} fill="var(--open)" stroke="var(--line)"/>{sign}</g>'
    probability, state = float(analysis.probability[row, col]), int(analysis.state[row, col])
    back = colour(probability)
    front = ink(back)
    if state == 0:
        sign, words = CHECK.format(ink=front), "safe"
    elif state == 1:
        sign, words = MINE.format(ink=front), "a mine"
    else:
        sign, words = (
            f'<text class="chance" fill="{front}">{percent(probability)}</text>',
            f"{probability:.6f}",
        )
    title = f"<title>row {row + 1}, column {col + 1}: {words}</title>"
    return (
        f'<g class="cell" {move} data-cell="row {row + 1}, column {col + 1}" data-chance="{words}">{title}'
        f'<rect {tile} fill="{back}"/>{sign}</g>'
    )


def best(analysis: Analysis) -> list[str]:
    """Frames around the cells to open, where none is certainly safe."""
    if analysis.risk in (0, 1):
        return []
    return [
        f'<rect class="best" x="{place(col) + 1}" y="{place(row) + 1}" width="{SIDE - 2}" '
        f'height="{SIDE - 2}" rx="4"/>'
        for row, col in analysis.safest
    ]
