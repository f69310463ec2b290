"""Explanations as JSON: rows and columns from 0, as in all JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cpmines.board import mine_rows
from cpmines.clues import Clue
from cpmines.explain.results import Certain, Contradiction, Open, StepByStep
from cpmines.report.explanation.words import Words

__all__ = ["cell_json", "conflict_json", "solution_json"]


def places(cells: Sequence[int], cols: int) -> list[dict[str, int]]:
    return [dict(zip(("row", "col"), divmod(cell, cols), strict=True)) for cell in cells]


def clue_json(clue: Clue, cols: int) -> dict[str, Any]:
    """Number and place; ``"total": true`` for the total. `missing` mines are among `unknown` cells."""
    where: dict[str, Any] = {"total": True} if clue.is_total else places([clue.place], cols)[0]
    return {"clue": clue.number, **where, "missing": clue.mines, "unknown": len(clue.cells)}


def clues_json(clues: Sequence[Clue], cols: int) -> list[dict[str, Any]]:
    return [clue_json(clue, cols) for clue in clues]


def conflict_json(found: Contradiction, cols: int) -> dict[str, Any]:
    sentence = Words(cols).conflict(found)
    return {"clues": clues_json(found.clues, cols), "smallest": found.smallest, "sentence": sentence}


def cell_json(found: Certain | Open, cols: int) -> dict[str, Any]:
    (where,) = places([found.cell], cols)
    if isinstance(found, Open):
        boards = {"with_mine": mine_rows(found.with_mine), "without": mine_rows(found.without)}
        return {"cell": where, "state": "open", **boards}
    state = "mine" if found.mine else "safe"
    reason = {"clues": clues_json(found.clues, cols), "smallest": found.smallest}
    return {"cell": where, "state": state, **reason, "sentence": Words(cols).certain(found)}


def solution_json(found: StepByStep) -> dict[str, Any]:
    cols = found.board.shape[1]
    steps = [
        {
            "clues": clues_json(step.clues, cols),
            "safe": places(step.safe, cols),
            "mines": places(step.mines, cols),
            "smallest": step.smallest,
            "sentence": Words(cols).step(step),
        }
        for step in found.steps
    ]
    return {"steps": steps, "open": places(found.open_cells, cols)}
