"""A part of a board as SVG: the clues of an explanation framed, the cells that it settles with a sign."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from cpmines.report.analysis.scale import colour, ink
from cpmines.report.analysis.svg import CHECK, MARGIN, MINE, SIDE
from cpmines.report.analysis.svg import STYLE as BOARD_STYLE
from cpmines.report.explanation.scene import Mark, Scene, Tile

__all__ = ["STYLE", "figure"]

STYLE = f"""{BOARD_STYLE}
svg.board {{ --counted: #fbe0bc; }}
@media (prefers-color-scheme: dark) {{ svg.board {{ --counted: #4b3a22; }} }}
svg.board .named {{ fill: none; stroke: var(--ink); stroke-width: 2.5; }}
svg.board .strong {{ font-weight: 700; }}
svg.board .small {{ font-size: 11px; }}
"""
CERTAIN = {Mark.SAFE: 0.0, Mark.MINE: 1.0}
SIGNS = {Mark.SAFE: CHECK, Mark.MINE: MINE}
CORNER = "translate(7 7) scale(0.45)"


def figure(scene: Scene, label: str, steps: Mapping[int, int] | None = None) -> str:
    """The `svg` element; `label` is for screen readers.

    Parameters
    ----------
    steps
        Numbers that are written into settled cells, in place of signs.
    """
    rows, cols = scene.bottom - scene.top, scene.right - scene.left
    width, height = MARGIN + cols * SIDE + 4, MARGIN + rows * SIDE + 4
    stride = scene.board.shape[1]
    parts = [
        f'<svg class="board" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{escape(label, quote=True)}">',
        f'<rect width="{width}" height="{height}" fill="var(--paper)"/>',
    ]
    above = [f'<text class="axis" x="{middle(k)}" y="11">{scene.left + k + 1}</text>' for k in range(cols)]
    beside = [f'<text class="axis" x="11" y="{middle(k)}">{scene.top + k + 1}</text>' for k in range(rows)]
    parts += above + beside
    for k, tiles in enumerate(scene.rows()):
        for n, tile in enumerate(tiles):
            number = (steps or {}).get((scene.top + k) * stride + scene.left + n)
            parts.append(f'<g transform="translate({middle(n)} {middle(k)})">{drawn(tile, number)}</g>')
    return "\n".join([*parts, "</svg>"])


def middle(index: int) -> int:
    return MARGIN + index * SIDE + SIDE // 2


def drawn(tile: Tile, step: int | None) -> str:
    """The inside of one cell's group."""
    half = SIDE // 2 - 1
    back, front = colours(tile)
    stroke = ' stroke="var(--line)"'
    square = f'x="{-half}" y="{-half}" width="{2 * half}" height="{2 * half}" rx="3"'
    parts = [f'<rect {square} fill="{back}"{stroke}/>']
    both = tile.number is not None and tile.mark in SIGNS
    if step is not None and not both:
        parts.append(f'<text class="small" fill="{front}">{step}</text>')
    elif tile.mark in SIGNS:
        sign = SIGNS[tile.mark].format(ink=front)
        parts.append(f'<g transform="{CORNER}">{sign}</g>' if both else sign)
    elif tile.mark is Mark.GIVEN:
        parts.append(MINE.format(ink=front))
    if tile.number is not None and (tile.number or both or tile.named or tile.mark is not Mark.CLUE):
        strong = " strong" if tile.named else ""
        parts.append(f'<text class="number{strong}" fill="{front}">{tile.number}</text>')
    if tile.named:
        parts.append(f'<rect class="named" {square}/>')
    return "".join(parts)


def colours(tile: Tile) -> tuple[str, str]:
    """Background and foreground."""
    if tile.fresh:
        shade = colour(CERTAIN[tile.mark])
        return str(shade), str(ink(shade))
    if tile.counted:
        return "var(--counted)", "var(--ink)"
    return "var(--open)" if tile.mark in (Mark.CLUE, Mark.GIVEN) else "var(--paper)", "var(--ink)"
