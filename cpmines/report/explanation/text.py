"""Boards in text: the clues of an explanation in brackets, the cells that it settles in capitals."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from cpmines.quoting import printable
from cpmines.report.drawing.text import ruler, tint
from cpmines.report.explanation.scene import Mark, Scene, Tile
from cpmines.report.explanation.telling import Told

__all__ = ["body", "heading"]

LEGEND = "[2] a clue of the reason, o a cell that it counts, S safe, M mine, s and m known before, . unknown"
SIGNS = {Mark.UNKNOWN: ".", Mark.SAFE: "s", Mark.MINE: "m", Mark.GIVEN: "*", Mark.CLUE: ""}
CERTAIN = {Mark.SAFE: 0.0, Mark.MINE: 1.0}


def heading(told: Told) -> list[Text]:
    """The name, the size and what is found; the legend."""
    rows, cols = told.board.shape
    return [Text(printable(f"{told.name}: {rows} x {cols}: {told.headline}"), "bold"), Text(LEGEND, "dim")]


def body(told: Told) -> Iterator[Text]:
    """For each part a blank line, the title and the sentence, the board."""
    for part in told.parts:
        yield Text()
        yield Text.assemble((f"{part.title}: ", "bold"), part.sentence)
        yield from drawn(part.scene)


def drawn(scene: Scene) -> list[Text]:
    """One line for the numbers of the columns, and one for each row."""
    both = scene.board.own
    width = 4 if both else 3
    lines = [ruler(range(scene.left, scene.right), width)]
    for row, tiles in enumerate(scene.rows(), scene.top + 1):
        line = Text(f"{row:>4} ", "dim", no_wrap=True, overflow="ignore")
        for shown in tiles:
            line.append_text(cell(shown, both))
        line.rstrip()
        lines.append(line)
    return lines


def cell(shown: Tile, both: bool) -> Text:
    """Three characters; four where a cell has a number and a sign as well."""
    sign = SIGNS[shown.mark]
    if shown.mark is Mark.UNKNOWN and shown.counted:
        sign = "o"
    style = ""
    if shown.fresh:
        sign, style = sign.upper(), f"bold {tint(CERTAIN[shown.mark])}"
    number = "·" if shown.number == 0 and not both else str(shown.number)
    text = Text()
    if shown.number is None:
        return text.append(f" {' ' * both}").append(sign, style).append(" ")
    text.append(f"[{number}]" if shown.named else f" {number} ", "bold" if shown.named else "dim")
    return text.append(sign, style) if both else text
