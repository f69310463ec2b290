"""The analysis as one HTML file; its script only repeats the title of the cell that is pointed at."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template

from cpmines.analysis.analysis import Analysis
from cpmines.numerals import decimal
from cpmines.report.analysis import svg
from cpmines.report.analysis.summary import facts, sizes
from cpmines.report.drawing.cells import drawable
from cpmines.report.drawing.page import page
from cpmines.report.drawing.scale import STOPS, count_text

__all__ = ["document"]

MOST_BARS = 25


def document(name: str, analysis: Analysis) -> str:
    """The page. Raises `UsageError` if the board has too many cells for a picture."""
    drawable(analysis.cells.shape)
    scale = ", ".join(f"{shade} {100 * at:g}%" for at, shade in STOPS)
    style, body = (
        files(__package__).joinpath(part).read_text(encoding="utf-8") for part in ("page.css", "body.html")
    )
    filled = Template(body).substitute(
        facts="\n".join(map(fact, facts(analysis))),
        board=svg.board(name, analysis),
        count=escape(decimal(analysis.count)),
        components=component_table(analysis),
        by_mines=mines_table(analysis),
    )
    style = f"{svg.STYLE}:root {{ --scale: {scale}; }}\n{style}"
    return page(name, analysis.cells.shape, style, filled)


def fact(found: tuple[str, str]) -> str:
    what, value = found
    return f"<div><dt>{escape(what)}</dt><dd>{power(escape(value))}</dd></div>"


def power(text: str) -> str:
    """``10^30`` with the exponent raised."""
    before, mark, exponent = text.partition("10^")
    return f"{before}10<sup>{exponent}</sup>" if mark else text


def table(heads: list[str], lines: list[list[str]]) -> str:
    head = "".join(f"<th>{text}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{text}</td>" for text in line) + "</tr>\n" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>"


def component_table(analysis: Analysis) -> str:
    lines = [[str(number) for number in part] for part in sizes(analysis)]
    if not lines:
        return "<p>Every clue has all its neighbours decided.</p>"
    return table(["cells", "clues", "width"], lines)


def mines_table(analysis: Analysis) -> str:
    """Layouts by number of mines, the most frequent numbers if there are many."""
    numbers = analysis.by_mines
    if numbers is None or len(numbers) < 2:
        return ""
    largest = max(numbers.values())
    chosen = sorted(numbers.items(), key=lambda pair: -pair[1])[:MOST_BARS]
    lines = []
    for mines, number in sorted(chosen):
        share = 1000 * number // largest / 10
        bar = f'<span class="bar" style="width:{share:.1f}%"></span>'
        lines.append([str(mines), power(count_text(number)), bar])
    return "<h2>Layouts by mines</h2>" + table(["mines", "layouts", ""], lines)
