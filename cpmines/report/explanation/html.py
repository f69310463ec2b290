"""An explanation as one HTML file: it loads nothing, is light or dark as the viewer is, needs no scripts."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template

from cpmines.errors import UsageError
from cpmines.report.analysis.svg import LARGEST
from cpmines.report.explanation.svg import STYLE, figure
from cpmines.report.explanation.telling import Part, Told

__all__ = ["document"]


def document(told: Told) -> str:
    """The page. Raises `UsageError` if the board has too many cells for a picture."""
    rows, cols = told.board.shape
    if rows * cols > LARGEST:
        raise UsageError(f"a picture of {rows} x {cols} cells, at most {LARGEST} cells are drawn")
    template = Template(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))
    return template.substitute(
        name=escape(told.name),
        size=f"{rows} × {cols}",
        style=STYLE,
        headline=escape(told.headline),
        figures="\n".join(map(shown, told.parts)),
    )


def shown(part: Part) -> str:
    title = f"<b>{escape(part.title)}</b>" if part.title else ""
    drawing = figure(part.scene, part.title or part.sentence, part.steps)
    return f"<figure><figcaption>{title}{escape(part.sentence)}</figcaption>\n{drawing}\n</figure>"
