"""The facts of an analysis that every page tells, and the JSON of it."""

from __future__ import annotations

from typing import Any

from cpmines.analysis.analysis import Analysis
from cpmines.inference.exact import OPEN
from cpmines.numerals import decimal, plural
from cpmines.report.drawing.scale import count_text

__all__ = ["facts", "mines_text", "sizes", "value_json"]

MOST_NAMED = 8
STATES = {0: "s", 1: "m", OPEN: "?"}


def mines_text(analysis: Analysis) -> str:
    """How many mines there are, as far as that is known."""
    if analysis.total is not None:
        left = analysis.total - analysis.known_mines
        return f"{analysis.total}, {left} in unknown cells"
    if analysis.by_mines is None:
        return "any number that the clues allow"
    numbers = list(analysis.by_mines)
    if len(numbers) == 1:
        return f"{numbers[0]} in every layout"
    return f"{numbers[0]} to {numbers[-1]}"


def sizes(analysis: Analysis) -> list[tuple[int, int, int]]:
    """Cells, clues and width of each component, the largest first."""
    found = [(len(part.cells), len(part.clues), part.width) for part in analysis.components]
    return sorted(found, reverse=True)


def named(cells: list[tuple[int, int]]) -> str:
    """The first few cells, 1-based."""
    shown = ", ".join(f"({row + 1}, {col + 1})" for row, col in cells[:MOST_NAMED])
    more = len(cells) - MOST_NAMED
    return shown + (f" and {more} more" if more > 0 else "")


def facts(analysis: Analysis) -> list[tuple[str, str]]:
    """Name and value, in the order of importance."""
    found = [
        ("layouts", count_text(analysis.count)),
        ("mines", mines_text(analysis)),
        ("unknown cells", str(int(analysis.unknown.sum()))),
        ("certain", f"{len(analysis.safe)} safe, {plural(len(analysis.mines), 'mine')}"),
    ]
    if analysis.unknown.any() and analysis.risk < 1:
        risk = "safe" if analysis.risk == 0 else f"{100 * analysis.risk:.4g} %"
        found.append(("safest", f"{risk} at {named(analysis.safest)}"))
    return found


def value_json(analysis: Analysis) -> dict[str, Any]:
    """Fields as in the answers of `deduction` and `counting`, and what is more."""
    rows = analysis.position.rows()
    cells = [
        "".join(
            STATES[int(state)] if unknown else character
            for state, unknown, character in zip(*row, strict=True)
        )
        for row in zip(analysis.state, analysis.unknown, rows, strict=True)
    ]
    probability = [
        [value if unknown else None for value, unknown in zip(*row, strict=True)]
        for row in zip(analysis.probability.tolist(), analysis.unknown.tolist(), strict=True)
    ]
    names, by_mines = ("cells", "clues", "width"), analysis.by_mines
    return {
        "count": decimal(analysis.count),
        "by_mines": by_mines and {str(mines): decimal(number) for mines, number in by_mines.items()},
        "cells": cells,
        "probability": probability,
        "risk": analysis.risk,
        "safest": [{"row": row, "col": col} for row, col in analysis.safest],
        "elsewhere": analysis.elsewhere,
        "components": [dict(zip(names, part, strict=True)) for part in sizes(analysis)],
    }
