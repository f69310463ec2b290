"""A part of a board as SVG: the clues of an explanation framed, the cells that it settles with a sign."""

from __future__ import annotations

from collections.abc import Mapping

from cpmines.report.drawing.cells import CHECK, MINE, board, cell, square
from cpmines.report.drawing.cells import STYLE as BOARD_STYLE
from cpmines.report.drawing.scale import colour, ink
from cpmines.report.explanation.scene import Mark, Scene, Tile

__all__ = ["STYLE", "figure"]

STYLE = f"""{BOARD_STYLE}
svg.board {{ --counted: #fbe0bc; }}
@media (prefers-color-scheme: dark) {{ svg.board {{ --counted: #4b3a22; }} }}
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
    rows, cols = range(scene.top, scene.bottom), range(scene.left, scene.right)
    numbers, stride = steps or {}, scene.board.shape[1]
    cells = (
        cell(k, n, drawn(tile, numbers.get(rows[k] * stride + cols[n])))
        for k, tiles in enumerate(scene.rows())
        for n, tile in enumerate(tiles)
    )
    return board(label, rows, cols, cells)


def drawn(tile: Tile, step: int | None) -> str:
    """The inside of one cell's group."""
    back, front = colours(tile)
    parts = [square(1, 3, f'fill="{back}" stroke="var(--line)"')]
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
        parts.append(square(1, 3, 'class="framed"'))
    return "".join(parts)


def colours(tile: Tile) -> tuple[str, str]:
    """Background and foreground."""
    if tile.fresh:
        shade = colour(CERTAIN[tile.mark])
        return str(shade), str(ink(shade))
    if tile.counted:
        return "var(--counted)", "var(--ink)"
    return "var(--open)" if tile.mark in (Mark.CLUE, Mark.GIVEN) else "var(--paper)", "var(--ink)"
