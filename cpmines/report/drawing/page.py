"""A page around boards, one HTML file: it loads nothing and is light or dark as the viewer is."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template

from cpmines.quoting import printable

__all__ = ["page"]


def page(name: str, shape: tuple[int, int], style: str, body: str) -> str:
    """The document; `style` and `body` are what is the page's own."""
    rows, cols = shape
    template = Template(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))
    return template.substitute(name=escape(printable(name)), size=f"{rows} × {cols}", style=style, body=body)
