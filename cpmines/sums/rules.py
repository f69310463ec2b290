"""What a table of 3x3 sums demands of a board, and what answers say of all boards, for proofs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.demands.claims import Claim, Facts, NotStated
from cpmines.demands.statement import Rule, Statement, block
from cpmines.sums.boards import Boards
from cpmines.sums.judge import of_board
from cpmines.sums.table import Table

__all__ = ["UNSTATED", "claim", "faults", "statement"]

UNSTATED = {
    "all": "that the boards listed are all there are is not proved; `count` has certificates",
    "sample": "the boards drawn are right by the judge; that each had the same chance is not proved",
    "index": "the order of the boards is not proved",
    "fewest": "that no board has fewer mines is not proved",
    "most": "that no board has more mines is not proved",
    "nearest": "that no other table is nearer is not proved",
}


def statement(table: Table) -> Statement:
    """An entry is the number of mines in its block; negative entries are gaps."""
    rows, cols = table.shape
    entries = table.sums.ravel().tolist()

    def rule(centre: int) -> Rule | None:
        entry = entries[centre - 1]
        return Rule.exactly(block(centre, rows, cols), entry) if entry >= 0 else None

    return Statement(rows, cols, lambda cell: True, rule)


def faults(table: Table, mines: NDArray[np.bool_]) -> list[str]:
    return of_board(table.sums, mines)


def claim(value: Boards, *, unique: str = "", searched: bool = True) -> Claim:
    """What a value says: a board, how many there are, which cells are the same in all, whether it is alone.

    Parameters
    ----------
    unique, searched
        See `Facts`.
    """
    if any(part is not None for part in (value.boards, value.mine_count, value.wrong)):
        return NotStated("the answer says more than is asked")
    if value.unique and value.forced is not None and (value.forced != value.mines).any():
        return NotStated("one board is claimed, and cells that differ")
    return Facts(
        value.mines.astype(np.int8) if value.unique else value.forced,
        value.solutions,
        shown=value.mines,
        unique=unique,
        searched=searched or bool(value.unique),
    )
