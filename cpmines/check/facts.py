"""What an answer says of all placements together: cells that are the same in all, numbers, probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.check.folder import Files
from cpmines.check.placements import PLACEMENTS, Judge, faults_of, read_placements
from cpmines.check.recount import recount
from cpmines.check.refutation import check_refutation
from cpmines.check.verdict import Rejected
from cpmines.demands.claims import SAID, Facts
from cpmines.demands.statement import Statement
from cpmines.numerals import decimal, plural, readable

__all__ = ["FactsCheck"]

TOLERANCE = 1e-12
"""Relative error of a probability: however small one is, a claim of another is false."""
Found = tuple[list[str], list[str]]
"""Steps that were verified, and what is not proved."""


@dataclass(frozen=True)
class FactsCheck:
    """Checks facts about the placements of a board by one kind of evidence or another."""

    statement: Statement
    judge: Judge
    facts: Facts
    limits: Limits

    def run(self, evidence: str, files: Files) -> Found:
        """Raises `Rejected`."""
        self._fit()
        if evidence == "placements":
            return self._placements(files)
        if evidence == "recount":
            return [self._recount()], []
        if evidence == "theorem":
            return [self._unique()], []
        if evidence != "judge":
            raise Rejected(f"{evidence[:40]!r} is no evidence for what is so of all placements")
        self._shown()
        return ["the placement that is shown is right"], self.facts.claimed()

    def _fit(self) -> None:
        """Arrays have the shape of the board, and settled cells are those of probability 0 and 1."""
        facts, shape = self.facts, (self.statement.rows, self.statement.cols)
        for array in (facts.settled, facts.probability, facts.shown):
            if array is not None and array.shape != shape:
                raise Rejected(f"an array of shape {array.shape}, expected {shape}")
        if facts.settled is not None and facts.probability is not None:
            for cell in self.statement.free_cells():
                chance = facts.probability.flat[cell - 1]
                if facts.settled.flat[cell - 1] != (chance if chance in (0, 1) else -1):
                    raise Rejected(f"{self.statement.name(cell)}: settled, with a probability of {chance}")
        elif facts.probability is not None:
            raise Rejected("probabilities, without which cells are the same in all placements")

    def _shown(self) -> None:
        """The placement that the value shows is one, and has the settled cells as they are claimed."""
        facts = self.facts
        if facts.shown is None:
            raise Rejected("the value shows no placement")
        if faults := faults_of(facts.shown, self.statement, self.judge):
            raise Rejected(f"the placement that is shown: {faults[0]}")
        if facts.settled is not None and ((facts.settled >= 0) & (facts.settled != facts.shown)).any():
            raise Rejected("the placement that is shown has a settled cell otherwise")

    def _placements(self, files: Files) -> Found:
        """Placements that show both values of each open cell, and a refutation of others for the settled."""
        shown = read_placements(self.statement, self.judge, files)
        number = "placement is" if len(shown) == 1 else f"{len(shown)} placements are"
        steps, facts = [f"the {number} right by the judge"], self.facts
        different = len({board.tobytes() for board in shown})
        if facts.count is not None and facts.count < different:
            raise Rejected(
                f"{plural(facts.count, 'placement', readable)} claimed, {PLACEMENTS} shows {different}"
            )
        if facts.settled is None:
            return steps, facts.claimed()
        open_cells = facts.settled == -1
        self._shows_both(facts.settled, open_cells, shown)
        if open_cells.any():
            steps[0] += f" and show that each of {plural(int(open_cells.sum()), 'open cell')} can be both"
        if settled := facts.literals():
            steps += check_refutation(
                files, self.statement, tuple(-literal for literal in settled), self.limits
            )
            steps[-1] += f": each of {plural(len(settled), 'settled cell')} is the same in all placements"
        if len(settled) == len(self.statement.free_cells()):
            self._only(shown[0])
            return steps, []
        if facts.count == 1:
            raise Rejected("one placement claimed, not all cells are settled")
        return steps, [what for what in facts.claimed() if what != SAID["settled"]]

    def _shows_both(
        self, settled: NDArray[Any], open_cells: NDArray[np.bool_], shown: NDArray[np.bool_]
    ) -> None:
        always, ever = shown.all(axis=0), shown.any(axis=0)
        otherwise = (settled >= 0) & ((always != ever) | (ever != (settled == 1)))
        for wrong, what in (
            (
                open_cells & (always == ever),
                f"{PLACEMENTS} does not show that it can have both values",
            ),
            (otherwise, f"{PLACEMENTS} shows otherwise"),
        ):
            if wrong.any():
                raise Rejected(f"{self.statement.name(int(np.flatnonzero(wrong)[0]) + 1)}: {what}")

    def _only(self, placement: NDArray[np.bool_]) -> None:
        """All that is claimed is so if this is the only placement."""
        facts, free = self.facts, self.statement.free_cells()
        values = {cell: int(placement.flat[cell - 1]) for cell in free}
        if facts.count not in (None, 1) or facts.by_mines not in (None, {int(placement.sum()): 1}):
            raise Rejected("there is one placement, the claim is another")
        for array in (facts.settled, facts.probability):
            if array is not None and any(array.flat[cell - 1] != value for cell, value in values.items()):
                raise Rejected("there is one placement, and a cell of it is otherwise than claimed")
        if facts.ratios not in (None, values):
            raise Rejected("there is one placement, the exact probabilities are others")

    def _recount(self) -> str:
        """Everything, by counting again."""
        facts, again = self.facts, recount(self.statement)
        if isinstance(again, str):
            raise Rejected(f"it can't be counted again: {again}")
        known = len(self.statement.known)
        by_mines = {mines + known: count for mines, count in again.by_mines.items()}
        wrong = facts.count not in (None, again.count) or facts.by_mines not in (None, by_mines)
        if wrong or not again.count or facts.ratios not in (None, again.mines_in):
            raise Rejected(
                f"counted again there are {decimal(again.count)[:40]} placements, the claim is another"
            )
        for cell, ratio in again.mines_in.items():
            if not self._agrees(cell, ratio):
                raise Rejected(
                    f"{self.statement.name(cell)}: counted again, its probability of a mine is {ratio}"
                )
        return (
            f"counted again, the number of placements is {decimal(again.count)}, and each cell is as claimed"
        )

    def _agrees(self, cell: int, ratio: Fraction) -> bool:
        """Is a cell with this part of the placements as it is claimed to be?"""
        facts = self.facts
        if facts.settled is not None and facts.settled.flat[cell - 1] != (ratio if ratio in (0, 1) else -1):
            return False
        if facts.probability is None:
            return True
        claimed = facts.probability.flat[cell - 1]
        return bool(abs(claimed - float(ratio)) <= TOLERANCE * ratio + math.ulp(0))

    def _unique(self) -> str:
        if not self.facts.unique:
            raise Rejected("this board can have several placements, or none")
        self._shown()
        assert self.facts.shown is not None
        self._only(self.facts.shown)
        return f"no other placement: {self.facts.unique}"
