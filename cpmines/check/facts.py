"""What an answer says of all placements together: cells that are the same in all, numbers, probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, UNKNOWN
from cpmines.check.folder import Files
from cpmines.check.placements import PLACEMENTS, read_placements
from cpmines.check.recount import recount
from cpmines.check.refutation import check_refutation
from cpmines.check.rules import statement_of
from cpmines.check.theorems import is_unique
from cpmines.check.verdict import Rejected, several
from cpmines.numerals import decimal

__all__ = ["Facts", "check_facts", "facts_of"]

TOLERANCE = 1e-12
"""Relative error of a probability: however small one is, a claim of another is false."""
Found = tuple[list[str], list[str]]
"""Steps that were verified, and what is not proved."""


@dataclass(frozen=True)
class Facts:
    """Claims about all placements.

    Attributes
    ----------
    settled
        int (rows, cols): 1 for a mine in all of them, 0 in none, -1 if they differ, -2 for cells that are
        known; None if the answer does not say.
    count, by_mines, probability
        Number of placements, the same by number of mines, and the part of them that has a mine in each cell;
        None if the answer does not say.
    known
        Number of known mines.
    """

    settled: NDArray[Any] | None
    count: int | None = None
    by_mines: dict[int, int] | None = None
    probability: NDArray[np.float64] | None = None
    known: int = 0

    def literals(self, value: bool) -> list[int]:
        """Variables of the settled cells, negative if they are no mine (times -1 if not `value`)."""
        assert self.settled is not None
        cells = [
            (cell, is_mine) for cell, is_mine in enumerate(self.settled.ravel().tolist(), 1) if is_mine >= 0
        ]
        return [cell if bool(is_mine) == value else -cell for cell, is_mine in cells]


def facts_of(problem: str, instance: Any, value: Any) -> Facts:
    """What a value of the problem says."""
    if problem in ("mosaic", "reconstruction"):
        return Facts(value.forced, value.solutions)
    unknown = instance.cells == UNKNOWN
    known = int((instance.cells == MINE).sum())
    if problem == "deduction":
        from cpmines.problems.deduction.problem import FORCED

        open_cells = value.cells == UNKNOWN
        return Facts(np.where(unknown, np.where(open_cells, -1, value.cells == FORCED), -2), known=known)
    certain = np.where(value.probability == 1, 1, np.where(value.probability == 0, 0, -1))
    return Facts(np.where(unknown, certain, -2), value.count, value.by_mines, value.probability, known)


def check_facts(problem: str, instance: Any, facts: Facts, evidence: str, files: Files) -> Found:
    """Check the facts by the evidence. Raises `Rejected`."""
    if evidence == "placements":
        return _placements(problem, instance, facts, files)
    if evidence == "recount":
        return [_recount(problem, instance, facts)], []
    if evidence == "theorem":
        return [_unique(instance, facts)], []
    unproved = [
        what
        for what, claimed in (
            ("the number of boards", facts.count),
            ("which cells are the same in all", facts.settled),
        )
        if claimed is not None
    ]
    return ["the board that is shown has the sums"], unproved


def _placements(problem: str, instance: Any, facts: Facts, files: Files) -> Found:
    """Placements that show both values of each open cell, and a refutation of others for the settled ones."""
    if facts.settled is None:
        raise Rejected("the answer does not say what is the same in all placements")
    shown = read_placements(problem, instance, files)
    always, ever = shown.all(axis=0), shown.any(axis=0)
    open_cells = facts.settled == -1
    for wrong, what in (
        (open_cells & (always == ever), f"{PLACEMENTS} does not show that this cell can have both values"),
        (
            (facts.settled >= 0) & ((always != ever) | (ever != (facts.settled == 1))),
            f"{PLACEMENTS} shows otherwise",
        ),
    ):
        if wrong.any():
            row, col = np.argwhere(wrong)[0]
            raise Rejected(f"row {row + 1}, column {col + 1}: {what}")
    number = "placement is" if len(shown) == 1 else f"{len(shown)} placements are"
    both = f" and show that each of {several(int(open_cells.sum()), 'open cell')} can be both" * bool(
        open_cells.any()
    )
    steps = [f"the {number} right by the judge{both}"]
    if otherwise := facts.literals(False):
        steps += check_refutation(files, statement_of(problem, instance), tuple(otherwise))
        steps[-1] += f": each of {several(len(otherwise), 'settled cell')} is the same in all placements"
    if facts.count is None or (facts.count == 1 and not open_cells.any()):
        return steps, []
    if facts.count < 2 or not open_cells.any():
        raise Rejected(f"{decimal(facts.count)[:40]} placements claimed, {open_cells.sum()} cells are open")
    return steps, [
        "the number of placements",
        *(["the numbers of placements by mines"] if facts.by_mines is not None else []),
        *(["the probabilities between 0 and 1"] if facts.probability is not None else []),
    ]


def _recount(problem: str, instance: Any, facts: Facts) -> str:
    """Everything, by counting again."""
    again = recount(statement_of(problem, instance))
    if isinstance(again, str):
        raise Rejected(f"it can't be counted again: {again}")
    by_mines = {mines + facts.known: count for mines, count in again.by_mines.items()}
    if facts.count not in (None, again.count) or facts.by_mines not in (None, by_mines):
        raise Rejected(
            f"counted again there are {decimal(again.count)[:40]} placements, the claim is another"
        )
    for cell, ratio in again.mines_in.items():
        if facts.probability is not None:
            claimed = facts.probability.flat[cell - 1]
            right = abs(claimed - float(ratio)) <= TOLERANCE * ratio + math.ulp(0) and all(
                (claimed == sure) == (ratio == sure) for sure in (0, 1)
            )
        else:
            right = facts.settled is None or facts.settled.flat[cell - 1] == (
                ratio if ratio in (0, 1) else -1
            )
        if not right:
            row, col = divmod(cell - 1, instance.shape[1])
            raise Rejected(
                f"row {row + 1}, column {col + 1}: counted again, its probability of a mine is {ratio}"
            )
    return f"counted again, the number of placements is {decimal(again.count)}, and each cell is as claimed"


def _unique(instance: Any, facts: Facts) -> str:
    rows, cols = instance.shape
    if not is_unique(rows, cols):
        raise Rejected(f"a table of {rows} x {cols} can belong to several boards")
    if facts.count not in (None, 1) or (facts.settled is not None and (facts.settled < 0).any()):
        raise Rejected("a table of this size has at most one board, the claim is another")
    return "as neither side is 2 (mod 3), no other board has the table"
