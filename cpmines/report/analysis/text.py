"""The page for a terminal: in colour there, plain elsewhere."""

from __future__ import annotations

from collections import Counter

from rich.console import Group
from rich.text import Text

from cpmines.analysis.analysis import Analysis
from cpmines.numerals import plural
from cpmines.quoting import printable
from cpmines.report.analysis.summary import facts, sizes
from cpmines.report.drawing.cells import LARGEST
from cpmines.report.drawing.scale import percent
from cpmines.report.drawing.text import ruler, tint

__all__ = ["FULL", "page"]

FULL = 1 << 16
"""Width where nothing is wrapped."""

CELL = 3
SIGNS = {"0": "·", "*": "*"}
LEGEND = (
    "s safe, m mine, two digits: chance of a mine in percent (01 to 99), one digit: a clue, · clue 0, "
    "* known mine"
)


def page(name: str, analysis: Analysis, width: int) -> Group:
    """Facts, board, legend and components; the board narrow if it is too wide for `width` characters.

    A board of more than `LARGEST` cells is left out.
    """
    rows, cols = analysis.cells.shape
    head = Text(printable(f"{name}: {rows} x {cols}"), "bold")
    shown = [Text.assemble((f"{what:<14}", "dim"), value) for what, value in facts(analysis)]
    wide = 4 + CELL * cols <= width
    if analysis.cells.size > LARGEST:
        board, legend = [], f"boards of more than {LARGEST} cells are not drawn; --format json has every cell"
    elif wide:
        board, legend = [ruler(range(cols), CELL), *rows_of(analysis)], LEGEND
    else:
        board = rows_of(analysis, narrow=True)
        legend = "s safe, m mine, ? open; the board is too wide here for numbers"
    return Group(head, *shown, Text(), *board, Text(), Text(legend, "dim"), *component_lines(analysis))


def rows_of(analysis: Analysis, narrow: bool = False) -> list[Text]:
    lines = []
    characters = analysis.position.rows()
    for row, shown in enumerate(characters):
        line = Text(no_wrap=True, overflow="ignore")
        if not narrow:
            line.append(f"{row + 1:>4}", "dim")
        for col, character in enumerate(shown):
            unknown = bool(analysis.unknown[row, col])
            probability = float(analysis.probability[row, col])
            certain = int(analysis.state[row, col])
            if unknown:
                sign = (
                    "s" if certain == 0 else "m" if certain == 1 else "?" if narrow else percent(probability)
                )
                line.append(sign if narrow else f"{sign:>{CELL}}", tint(probability))
            else:
                sign = character if narrow else SIGNS.get(character, character)
                line.append(sign if narrow else f"{sign:>{CELL}}", "bold" if character == "*" else "")
        lines.append(line)
    return lines


def component_lines(analysis: Analysis) -> list[Text]:
    """The components, one line for those that are alike."""
    parts = Counter(sizes(analysis))
    lines = (
        [Text(), Text("components (width: binary logarithm of the largest table)", "dim")] if parts else []
    )
    for (cells, clues, width), number in parts.items():
        times = f"{number} x " if number > 1 else ""
        lines.append(Text(f"{times}{plural(cells, 'cell')}, {plural(clues, 'clue')}, width {width}"))
    return lines
