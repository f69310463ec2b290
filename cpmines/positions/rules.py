"""What a partly revealed board demands of a placement, for proofs and those who check them."""

from __future__ import annotations

from cpmines.board import MINE, UNKNOWN, Position
from cpmines.demands.statement import Rule, Statement, Total, block

__all__ = ["statement"]


def statement(position: Position) -> Statement:
    """A clue is the number of mines in the cells around it; known mines are taken off."""
    rows, cols = position.shape
    codes = position.cells.ravel().tolist()

    def rule(centre: int) -> Rule | None:
        if codes[centre - 1] < 0:
            return None
        around = [cell for cell in block(centre, rows, cols) if cell != centre]
        found = sum(codes[cell - 1] == MINE for cell in around)
        return Rule.exactly(
            [cell for cell in around if codes[cell - 1] == UNKNOWN], codes[centre - 1] - found
        )

    known = tuple(cell for cell, code in enumerate(codes, 1) if code == MINE)
    total = None
    if position.mines is not None:
        left = position.mines - len(known)
        total = Total(codes.count(UNKNOWN), left, left)
    return Statement(rows, cols, lambda cell: codes[cell - 1] == UNKNOWN, rule, total, known)
