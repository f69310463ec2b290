"""An explanation as one HTML file, without scripts."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from cpmines.report.drawing.cells import drawable
from cpmines.report.drawing.page import page
from cpmines.report.explanation.svg import STYLE, figure
from cpmines.report.explanation.telling import Part, Told

__all__ = ["document"]

LEGEND = (
    "Framed: the clues of a reason. Tinted: unknown cells that they count. Blue and ✓: safe. "
    "Orange and a mine sign: a mine. At the end: the step in which a cell is settled."
)


def document(told: Told) -> str:
    """The page. Raises `UsageError` if the board has too many cells for a picture."""
    drawable(told.board.shape)
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    head = f'<p>{escape(told.headline)}</p>\n<p class="legend">{LEGEND}</p>'
    return page(told.name, told.board.shape, STYLE + style, "\n".join([head, *map(shown, told.parts)]))


def shown(part: Part) -> str:
    title = f"<b>{escape(part.title)}</b>" if part.title else ""
    drawing = figure(part.scene, part.title or part.sentence, part.steps)
    return f"<figure><figcaption>{title}{escape(part.sentence)}</figcaption>\n{drawing}\n</figure>"
