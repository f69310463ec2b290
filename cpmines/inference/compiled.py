"""A position that is preprocessed and compiled, and what all answers on it are computed from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import MINE, Position
from cpmines.errors import LimitError
from cpmines.inference import sets
from cpmines.inference.circuit import Circuit
from cpmines.inference.network import Network
from cpmines.inference.polynomial import binomials, product_tree
from cpmines.inference.propagation import Propagated
from cpmines.inference.reduction import Reduced
from cpmines.inference.valuation import Valuation, exact_roots

__all__ = ["Compiled"]

MOST_WORK = 1 << 34
"""Multiplications, a few minutes of them, beyond which placements are not counted by mines."""


@dataclass(frozen=True, eq=False)
class Compiled:
    """A position and its circuit. Arrays are to be read only.

    Attributes
    ----------
    position
    density
        Probability of a mine in each unknown cell before the clues are seen; None if all placements are
        equally likely, which without a total is the same as 1/2.
    """

    position: Position
    density: Fraction | None
    limits: Limits
    known: Propagated
    network: Network
    reduced: Reduced
    circuit: Circuit

    @property
    def free(self) -> int:
        """Number of unknown cells beside no open clue."""
        return self.known.unknowns - len(self.network.cells)

    @cached_property
    def fixed(self) -> int:
        """Number of mines that propagation and reduction find."""
        return self.known.mines + self.reduced.decided

    @property
    def target(self) -> int | None:
        """Mines that are neither known nor found, None without a total."""
        return None if self.position.mines is None else self.position.mines - self.fixed

    @cached_property
    def plain(self) -> Valuation:
        return Valuation.plain(self.circuit, self.limits)

    @cached_property
    def graded(self) -> Valuation:
        """The circuit with polynomials in the number of mines."""
        return Valuation.by_mines(self.circuit, self.limits)

    @cached_property
    def bits(self) -> int:
        """A number of bits that holds the number of solutions of every component."""
        values, exponents = self.plain.floats(self.circuit.weights.astype(np.float64))
        if not len(self.circuit.roots):
            return 1
        starts, roots = self.circuit.row_starts, self.circuit.roots
        sums = np.array([values[starts[root] : starts[root + 1]].sum() for root in roots])
        return int((np.log2(sums) + exponents[roots]).max()) + 2

    @cached_property
    def countable(self) -> bool:
        """Can placements be counted by mines within `MOST_WORK` and the memory limit?"""
        try:
            work = self.graded.work
        except LimitError:
            return False
        return work * (1 + self.bits // 30) <= MOST_WORK

    @cached_property
    def polynomials(self) -> list[tuple[int, list[int]]]:
        """For each component its fewest mines, and its number of solutions from there on."""
        return exact_roots(self.graded, self.bits, self.limits)

    @cached_property
    def levels(self) -> list[list[list[int]]]:
        return product_tree([row for _, row in self.polynomials], self.limits)

    @cached_property
    def window(self) -> list[int]:
        """With a total: ways to go on for each number of mines in components, from the fewest on."""
        assert self.target is not None
        count = len(self.levels[-1][0])
        lowest = sum(low for low, _ in self.polynomials)
        return binomials(self.free, self.target - lowest - count + 1, count, self.limits)[::-1]

    @cached_property
    def spectra(self) -> list[tuple[int, int]]:
        """For each component its fewest mines, and as a set how many more it can have."""
        values, _ = self.graded.floats(self.circuit.possible.astype(np.float64), clip=True)
        return [(low, sets.of(row)) for low, row in self.graded.at_roots(values)]

    @cached_property
    def set_levels(self) -> list[list[int]]:
        return sets.tree([row for _, row in self.spectra])

    def sums(self, fewest_free: int, most_free: int) -> int:
        """With a total: mines in components above their fewest, if so many are in free cells; as a set."""
        assert self.target is not None
        left = self.target - sum(low for low, _ in self.spectra)
        return self.set_levels[-1][0] & sets.between(left - most_free, left - fewest_free)

    @cached_property
    def reaches_total(self) -> bool:
        """Without a total, or if a placement has it."""
        return self.target is None or self.sums(0, self.free) != 0

    @cached_property
    def settled(self) -> NDArray[np.bool_]:
        """bool (rows * cols,): known mines and those found without the circuit."""
        rows, cols = self.position.shape
        mines: NDArray[np.bool_] = (self.known.cells.reshape(rows + 2, cols + 2)[1:-1, 1:-1] == MINE).ravel()
        decided = self.reduced.variable < 0
        mines[self.network.cells[decided]] = self.reduced.flipped[decided]
        return mines

    @cached_property
    def free_cells(self) -> NDArray[np.bool_]:
        """bool (rows * cols,): unknown cells beside no open clue."""
        return self.known.others(self.network.cells)

    @cached_property
    def group_starts(self) -> NDArray[np.int64]:
        """int64 (variables + 1,): where the groups of each variable begin, if all groups stand in a row."""
        return np.concatenate([[0], np.cumsum(self.reduced.sizes, dtype=np.int64)])
