"""The board as SVG: colours by probability, signs where that is certain, a title on every unknown cell."""

from __future__ import annotations

from collections.abc import Iterator

from cpmines.analysis.analysis import Analysis
from cpmines.report.drawing import cells
from cpmines.report.drawing.cells import CHECK, MINE, drawable, square
from cpmines.report.drawing.scale import colour, ink, percent

__all__ = ["STYLE", "board", "document"]

STYLE = f"""{cells.STYLE}
svg.board .clue {{ fill: var(--ink); }}
svg.board .chance {{ font-size: 12px; }}
svg.board .cell:hover .tile {{ stroke: var(--ink); stroke-width: 2; }}
"""


def document(name: str, analysis: Analysis) -> str:
    """A file of its own. Raises `UsageError` if the board has too many cells for a picture."""
    drawable(analysis.cells.shape)
    return board(name, analysis, f"<style>{STYLE}</style>") + "\n"


def board(name: str, analysis: Analysis, head: str = "") -> str:
    """The `svg` element; `head` goes in first."""
    rows, cols = analysis.cells.shape
    label = f"{name}: chances of a mine on a board of {rows} x {cols} cells"
    drawn = [cell(analysis, row, col) for row in range(rows) for col in range(cols)]
    return cells.board(label, range(rows), range(cols), [*drawn, *best(analysis)], head)


def cell(analysis: Analysis, row: int, col: int) -> str:
    if not analysis.unknown[row, col]:
        code = int(analysis.cells[row, col])
        sign = MINE.format(ink="var(--ink)") if code < 0 else f'<text class="clue">{code or ""}</text>'
        tile = square(1, 3, 'class="tile" fill="var(--open)" stroke="var(--line)"')
        return cells.cell(row, col, tile + sign)
    probability, state = float(analysis.probability[row, col]), int(analysis.state[row, col])
    back = colour(probability)
    front = ink(back)
    if state == 0:
        sign, words = CHECK.format(ink=front), "safe"
    elif state == 1:
        sign, words = MINE.format(ink=front), "a mine"
    else:
        sign = f'<text class="chance" fill="{front}">{percent(probability)}</text>'
        words = f"{probability:.6f}"
    place = f"row {row + 1}, column {col + 1}"
    tile = square(1, 3, f'class="tile" fill="{back}"')
    inside = f"<title>{place}: {words}</title>{tile}{sign}"
    return cells.cell(row, col, inside, f' class="cell" data-cell="{place}" data-chance="{words}"')


def best(analysis: Analysis) -> Iterator[str]:
    """Frames around the cells to open, where none is certainly safe."""
    if analysis.risk not in (0, 1):
        for row, col in analysis.safest:
            yield cells.cell(row, col, square(1, 4, 'class="framed"'))
